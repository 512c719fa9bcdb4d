"""Primary keys and numbers of Django models that leafmint mints.

Add `"leafmint.django"` to `INSTALLED_APPS`, say in the setting `LEAFMINT` where ids are leased, and use the fields:

    LEAFMINT = {"DATABASE": "default"}
    DEFAULT_AUTO_FIELD = "leafmint.django.LeafmintAutoField"

    class Order(models.Model):
        id = LeafmintAutoField(tag="order")
        number = SeriesField(series="order", period="day", zone="Europe/Madrid", format="{yy}{month}{day}-{number:4}")
"""

from .fields import LeafmintAutoField, SnowflakeAutoField, TypedIdField
from .gapless_numbers import gapless
from .series_field import SeriesField
from .shard_router import ShardRouter
from .sharded_manager import ShardedManager, ShardedQuerySet
from .url_converters import register_id_converter

__all__ = [
    "LeafmintAutoField",
    "SeriesField",
    "ShardRouter",
    "ShardedManager",
    "ShardedQuerySet",
    "SnowflakeAutoField",
    "TypedIdField",
    "gapless",
    "register_id_converter",
]
