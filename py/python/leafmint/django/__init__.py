"""Primary keys and numbers of Django models that leafmint mints.

Add `"leafmint.django"` to `INSTALLED_APPS`, say in the setting `LEAFMINT` where ids are leased, and use the fields:

    LEAFMINT = {"DATABASE": "default"}
    DEFAULT_AUTO_FIELD = "leafmint.django.SegmentAutoField"

    class Order(models.Model):
        id = SegmentAutoField(tag="order")
        number = SeriesField(series="order", period="day", zone="Europe/Madrid", format="{yy}{month}{day}-{number:4}")
"""

from .fields import SegmentAutoField, SnowflakeAutoField, TypedIdField
from .gapless_sequence import GaplessSequence
from .series_field import SeriesField
from .sharding.manager import ShardedManager, ShardedQuerySet
from .sharding.router import ShardRouter
from .typed_ids.url_converters import register_id_converter

__all__ = [
    "GaplessSequence",
    "SegmentAutoField",
    "SeriesField",
    "ShardRouter",
    "ShardedManager",
    "ShardedQuerySet",
    "SnowflakeAutoField",
    "TypedIdField",
    "register_id_converter",
]
