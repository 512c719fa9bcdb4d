"""The pytest plugin of leafmint. pytest loads it by itself.

It is a package of its own because pytest imports it in every run: `leafmint` is imported by the first fixture that is
used.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from leafmint import SegmentGenerator, SnowflakeGenerator
    from leafmint.testing import Clock


_NO_KEYS = "no keys for public ids"
"""How the message of the error begins, which a framework may wrap in one of its own."""


@pytest.fixture
def leafmint_clock() -> Clock:
    """The clock of series and snowflakes, which only the test moves, with `tick()` and `move_to()`."""
    from leafmint import testing

    return testing.Clock()


@pytest.fixture
def leafmint_segments(leafmint_clock: Clock) -> Iterator[SegmentGenerator]:
    """Mint from a store of the test's own, also by late-bound tags: the ids of each tag start at 1.

    The dates of series are those of `leafmint_clock`.
    """
    from leafmint import testing

    with testing.segments(leafmint_clock) as generator:
        yield generator


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Name the fixture in the report of a test that fails because typed ids have no keys."""
    report = yield
    if report.failed and _NO_KEYS in report.longreprtext:
        report.sections.append(("leafmint", "In tests, use the fixture leafmint_id_keys, which supplies a key."))
    return report
