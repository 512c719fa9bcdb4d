"""The texts of the sample applications' ids, and what they are the texts of."""

from __future__ import annotations

from leafmint import PublicIds
from leafmint.testing import ID_KEY

ENVIRONMENT = {"LEAFMINT_ID_KEYS": ID_KEY}
"""What a sample needs in its environment to write these texts."""

TYPES = ["order", "line", "note", "parcel", "sale", "receipt"]
_PUBLIC_IDS = {name: PublicIds(name, [ID_KEY]) for name in TYPES}


def number_of(text: str) -> int:
    """Returns the number of an id of the samples, whatever its type."""
    return _PUBLIC_IDS[text.rpartition("_")[0]].decode(text)


def order_text(number: int) -> str:
    """Returns what the customers see of an order's id."""
    return _PUBLIC_IDS["order"].encode(number)
