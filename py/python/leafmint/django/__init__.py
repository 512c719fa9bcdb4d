"""Primary keys of Django models that leafmint mints.

Add `"leafmint.django"` to `INSTALLED_APPS`, say in the setting `LEAFMINT` where ids are leased, and use the fields:

    LEAFMINT = {"DATABASE": "default"}
    DEFAULT_AUTO_FIELD = "leafmint.django.LeafmintAutoField"

    class Order(models.Model):
        id = LeafmintAutoField(tag="order")
"""

from .fields import LeafmintAutoField, SnowflakeAutoField
from .gapless_numbers import gapless

__all__ = ["LeafmintAutoField", "SnowflakeAutoField", "gapless"]
