"""The protocol `IdSource`: mypy checks here that leafmint's own classes and a fake fit it."""

import asyncio

import leafmint
import pytest
from leafmint import testing


class Sevens:
    """A fake."""

    def next_id(self) -> int:
        """Return 7."""
        return 7

    def try_next_id(self) -> int | None:
        """Return 7."""
        return 7

    def next_ids(self, count: int) -> list[int]:
        """Return sevens."""
        return [7] * count

    async def next_id_async(self) -> int:
        """Return 7."""
        return 7


def mint(ids: leafmint.IdSource) -> list[int]:
    """Mint by each method."""

    async def next_id() -> int:
        return await ids.next_id_async()

    return [ids.next_id(), ids.try_next_id() or 0, *ids.next_ids(2), asyncio.run(next_id())]


def test_tags_snowflakes_their_late_bound_forms_and_fakes_mint_by_the_same_methods() -> None:
    assert mint(Sevens()) == [7] * 5
    with testing.segments() as ids, testing.snowflakes() as flakes:
        assert mint(ids.tag("order")) == [1, 2, 3, 4, 5]
        assert mint(leafmint.tag("order")) == [6, 7, 8, 9, 10]
        first = mint(flakes)[0]
        assert mint(leafmint.snowflake()) == [first + number for number in range(5, 10)]


def test_a_shard_rule_takes_a_fake_that_has_next_id_alone() -> None:
    class Counter:
        def next_id(self) -> int:
            return 70

    assert leafmint.ShardRule("10", tables=1024).mint(Counter(), "user-42") == "10700064"


def test_the_protocol_is_not_for_isinstance() -> None:
    with pytest.raises(TypeError):
        isinstance(Sevens(), leafmint.IdSource)  # type: ignore[misc]
