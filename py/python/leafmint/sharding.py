"""Which database has a row, by what its id carries.

`leafmint.django.ShardRouter` and `leafmint.sqlalchemy.Sharding` send queries there.

>>> import leafmint
>>> from leafmint.sharding import GeneShards
>>> shards = GeneShards(["orders_0", "orders_1"], bits=4)
>>> order = leafmint.SegmentGenerator("memory://sharding").tag("order", gene_bits=4)
>>> id = order.next_id(gene=leafmint.gene_of_key("user-42", 4))
>>> shards.of_id(id) == shards.of_key("user-42") == "orders_0"
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol
from uuid import UUID

from ._core import ShardRule, gene_of_id, gene_of_key
from .errors import InvalidConfigError
from .typed_ids import TypedId

__all__ = ["GeneShards", "Shards", "SuffixShards", "gene_of_value"]


class Shards(Protocol):
    """Finds the database of a row. Write your own if neither `GeneShards` nor `SuffixShards` fits."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all databases."""
        ...

    def of_id(self, id: Any, /) -> str:
        """Return the database of the row with an id."""
        ...

    def of_key(self, key: Any, /) -> str:
        """Return the database of the rows that belong to a key, such as a user."""
        ...


class GeneShards:
    """Databases of rows whose ids carry genes. The database is the gene modulo their number.

    ShardingSphere's `LEAFMINT_GENE` finds the same shard.

    Args:
        names: The databases, at most 2**bits. Their order counts: never change it.
        bits: The number of gene bits, 1 to 12.

    Raises:
        InvalidConfigError: An argument is invalid.
    """

    def __init__(self, names: Iterable[str], bits: int) -> None:
        """Name the databases."""
        self.names: tuple[str, ...] = _checked(names)
        self.bits: int = bits
        if not 1 <= bits <= 12 or len(self.names) > 2**bits:
            raise InvalidConfigError(f"bits={bits} is not 1 to 12, or too few for {len(self.names)} databases")

    def of_id(self, id: int | TypedId, /) -> str:
        """Return the database of the row with an id.

        Raises:
            InvalidIdError: The id is negative or does not fit 64 bits.
        """
        number = int(id) if isinstance(id, TypedId) else id
        return self.names[gene_of_id(number, self.bits) % len(self.names)]

    def of_key(self, key: str | int | UUID | TypedId, /) -> str:
        """Return the database of the rows whose genes were computed from a key.

        A UUID has the gene of its text, a typed id that of its number.
        """
        return self.names[gene_of_value(key, self.bits) % len(self.names)]


class SuffixShards:
    """Databases of rows whose numbers end in a table. The database is the table modulo their number.

    Args:
        names: The databases, at most `rule.tables`. Their order counts: never change it.
        rule: The rule of the numbers.

    Raises:
        InvalidConfigError: There are no names, one comes twice, or there are more than tables.

    Example:
        >>> import leafmint
        >>> from leafmint.sharding import SuffixShards
        >>> shards = SuffixShards(["orders_0", "orders_1"], leafmint.ShardRule("10", tables=1024))
        >>> shards.of_id("1070065"), shards.of_key("user-42")
        ('orders_1', 'orders_0')
    """

    def __init__(self, names: Iterable[str], rule: ShardRule) -> None:
        """Name the databases."""
        self.names: tuple[str, ...] = _checked(names)
        self.rule: ShardRule = rule
        if len(self.names) > rule.tables:
            raise InvalidConfigError(f"{rule!r} has fewer tables than there are databases: {len(self.names)}")

    def of_id(self, number: str, /) -> str:
        """Return the database of the row with a number.

        Raises:
            InvalidIdError: The text is not a number of the rule.
        """
        return self.names[self.rule.parse(number).table % len(self.names)]

    def of_key(self, key: str | int | UUID | TypedId, /) -> str:
        """Return the database of the rows whose tables were computed from a key."""
        return self.names[self.rule.table_of(_plain(key)) % len(self.names)]


def gene_of_value(key: str | int | UUID | TypedId, bits: int) -> int:
    """Return the gene of a key as a column may have it: that of a UUID's text, and of a typed id's number."""
    return gene_of_key(_plain(key), bits)


def _plain(key: str | int | UUID | TypedId) -> str | int:
    if isinstance(key, TypedId):
        return int(key)
    return str(key) if isinstance(key, UUID) else key


def _checked(names: Iterable[str]) -> tuple[str, ...]:
    found = tuple(names)
    if not found or len(set(found)) < len(found):
        raise InvalidConfigError(f"the databases {list(found)} are none, or one is named twice")
    return found
