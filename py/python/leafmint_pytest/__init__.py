"""The pytest plugin of leafmint. pytest loads it by itself.

It is a package of its own because pytest imports it in every run: `leafmint` is imported by the first fixture that is
used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from leafmint import SegmentGenerator


@pytest.fixture
def leafmint_segments() -> Iterator[SegmentGenerator]:
    """Mint from a store of the test's own: the ids of each tag start at 1."""
    from leafmint import testing

    with testing.segments() as generator:
        yield generator
