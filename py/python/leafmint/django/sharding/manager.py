"""Queries of models whose rows are spread over several databases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import models

from ... import InvalidArgumentError
from .conditions import route_of
from .router import ShardRouter, label_of, router_of


class ShardedQuerySet(models.QuerySet):
    """A query that goes to the database which its conditions name: with `exact` or `in` of an id or a key."""

    finds_database = True

    @property
    def db(self) -> str:
        """The database of this query.

        Raises:
            InvalidArgumentError: The conditions do not name one database.
        """
        router = router_of(self.model)
        if self._db or router is None:
            database: str = super().db
            return database
        names = self._names(router)
        if len(names) == 1:
            return names[0]
        fields = " or ".join(router.named[label_of(self.model)])
        raise InvalidArgumentError(
            f"this query of {self.model._meta.label} may find rows in {', '.join(names)}: filter by {fields}, so that"
            " it needs one database, write using(...), or loop over each_shard()"
        )

    def _names(self, router: ShardRouter) -> list[str]:
        route = route_of(self.query, router)
        # A query that finds nothing may go anywhere.
        return [name for name in router.shards.names if route is None or name in route] or [router.shards.names[0]]

    def each_shard(self) -> list[Any]:
        """Return this query for each database that may have its rows. Each one sorts, limits and counts by itself."""
        router = router_of(self.model)
        return [self] if self._db or router is None else [self.using(name) for name in self._names(router)]

    def create(self, **values: Any) -> Any:
        """Save a new object in its database."""
        if self._db or router_of(self.model) is None:
            return super().create(**values)
        instance = self.model(**values)
        instance.save(force_insert=True)
        return instance

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        """Save new objects, each in its database. Each database has a transaction of its own."""
        router, instances = router_of(self.model), list(objs)
        if router is None:
            return list(super().bulk_create(instances, *args, **options))
        parts: dict[str, list[Any]] = {}
        for instance in instances:
            parts.setdefault(router.database_of(instance), []).append(instance)
        if self._db and parts.keys() - {self._db}:
            raise InvalidArgumentError(
                f"these objects of {self.model._meta.label} belong to {', '.join(parts)}, not to {self._db!r}"
            )
        for name, part in parts.items():
            models.QuerySet.bulk_create(self.using(name), part, *args, **options)
        return instances

    def get_or_create(self, defaults: Any = None, **values: Any) -> tuple[Any, bool]:
        """Return the object with these values, which name its database, or save a new one."""
        found: tuple[Any, bool] = models.QuerySet.get_or_create(self._in_database_of(values), defaults, **values)
        return found

    def update_or_create(self, defaults: Any = None, create_defaults: Any = None, **values: Any) -> tuple[Any, bool]:
        """Change the object with these values, which name its database, or save a new one."""
        queryset = self._in_database_of(values)
        found: tuple[Any, bool] = models.QuerySet.update_or_create(queryset, defaults, create_defaults, **values)
        return found

    def _in_database_of(self, values: dict[str, Any]) -> Any:
        return self.using(self.filter(**values).db)


class ShardedManager(models.Manager.from_queryset(ShardedQuerySet)):  # type: ignore[misc]
    """The manager of a model whose rows are spread. Foreign keys to the model are followed by it, too.

    With a `ShardedQuerySet` of your own, use `ShardedManager.from_queryset(OrderQuerySet)()`.
    """

    def contribute_to_class(self, cls: Any, name: str) -> None:
        """Join a model."""
        cls._meta.base_manager_name = cls._meta.base_manager_name or name
        super().contribute_to_class(cls, name)
