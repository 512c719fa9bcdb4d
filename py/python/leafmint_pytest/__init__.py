"""The pytest plugin of leafmint. pytest loads it by itself.

It is a package of its own because pytest imports it in every run: `leafmint` is imported by the first fixture that is
used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from leafmint import SegmentGenerator, SnowflakeGenerator
    from leafmint.testing import Clock


@pytest.fixture
def leafmint_segments() -> Iterator[SegmentGenerator]:
    """Mint from a store of the test's own, also by late-bound tags: the ids of each tag start at 1."""
    from leafmint import testing

    with testing.segments() as generator:
        yield generator


@pytest.fixture
def leafmint_clock() -> Clock:
    """The clock of `leafmint_snowflakes`, which only the test moves, with `tick()` and `move_to()`."""
    from leafmint import testing

    return testing.Clock()


@pytest.fixture
def leafmint_snowflakes(leafmint_clock: Clock) -> Iterator[SnowflakeGenerator]:
    """Mint on `leafmint_clock`, also by `leafmint.snowflake()`: the same ids in each run."""
    from leafmint import testing

    with testing.snowflakes(leafmint_clock) as generator:
        yield generator


@pytest.fixture
def leafmint_id_keys() -> Iterator[None]:
    """Let typed ids use a key that is no secret: the same texts in each run."""
    from leafmint import testing

    with testing.id_keys():
        yield
