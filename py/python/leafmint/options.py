"""The tables of options, as the core holds them."""

from typing import NamedTuple

from . import _core


@_core._once
class OptionSpec(NamedTuple):
    """One option of a generator.

    `shape` is text, choice, boolean, count, duration or list; `default` is written as in a URL, and empty for none.
    """

    name: str
    shape: str
    default: str
    meaning: str


OPTIONS: tuple[OptionSpec, ...] = tuple(OptionSpec(*row) for row in _core.OPTIONS)
"""Those of a SegmentGenerator."""

SNOWFLAKE_OPTIONS: tuple[OptionSpec, ...] = tuple(OptionSpec(*row) for row in _core.SNOWFLAKE_OPTIONS)
"""Those of a SnowflakeGenerator."""
