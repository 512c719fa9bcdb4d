"""Ids for tests: no database, no files, and the same ids in each run.

`segments` mints from a store of its own, so that ids start at 1 in each test. With pytest use the fixture
`leafmint_segments`, which is found without an import.

>>> from leafmint import testing
>>> with testing.segments() as ids:
...     ids.biz_tag("order").next_ids(3)
[1, 2, 3]
>>> with testing.segments() as ids:
...     ids.biz_tag("order").next_id()
1
"""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import SegmentGenerator

__all__ = ["segments"]

_numbers = itertools.count(1)


@contextmanager
def segments(**options: Any) -> Iterator[SegmentGenerator]:
    """Open a segment generator on a store of its own in memory: the ids of each tag start at 1.

    Args:
        **options: The options of `leafmint.SegmentGenerator`.
    """
    # A number, because tests like to replace uuid4 and to seed random.
    with SegmentGenerator(f"memory://leafmint.testing-{next(_numbers)}", **options) as generator:
        yield generator
