"""What a project can get wrong about a `ShardRouter`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import conf
from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.core.exceptions import FieldDoesNotExist

from ..sharding.router import ShardRouter, all_queries_find_databases, shard_routers


def check_shards(**kwargs: Any) -> list[CheckMessage]:
    """Find databases, models and fields that do not exist, and managers that read from one database of several."""
    return [
        Error(problem, obj=type(one), id="leafmint.E008") for one in shard_routers() for problem in problems_of(one)
    ]


def problems_of(shard_router: ShardRouter) -> Iterator[str]:
    """Yield what is wrong with a router."""
    for name in shard_router.shards.names:
        if name not in conf.settings.DATABASES:
            yield f"DATABASES has no {name!r}."
    for label, fields in shard_router.named.items():
        try:
            model: Any = apps.get_model(label)
            for field in fields:
                model._meta.get_field(field)
        except (LookupError, ValueError, FieldDoesNotExist) as error:
            yield f"ids and keys name fields such as 'shop.Order.id': {error}".rstrip(".") + "."
        else:
            if not all_queries_find_databases(model):
                yield f"Each manager of {model._meta.label} must be a ShardedManager: objects = ShardedManager()."
