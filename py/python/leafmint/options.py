"""The options of the generators, as the core lists them."""

from typing import NamedTuple

from . import _core


@_core._once
class OptionSpec(NamedTuple):
    """An option of a generator.

    Attributes:
        name: The name as a keyword argument and as a URL parameter.
        shape: "duration", "count", "time", "boolean", "choice", "text", "path", "list" or "map".
        values: The values that it takes, in words.
        default: The default as in a URL; empty if there is none, or if it depends on something.
        default_words: The default in words, also if it depends on something.
        meaning: What the option does.

    Example:
        >>> import leafmint
        >>> next(option.default for option in leafmint.OPTIONS if option.name == "timeout")
        '5s'
    """

    name: str
    shape: str
    values: str
    default: str
    default_words: str
    meaning: str


OPTIONS: tuple[OptionSpec, ...] = tuple(OptionSpec(*row) for row in _core.OPTIONS)
"""The options of SegmentGenerator."""

SNOWFLAKE_OPTIONS: tuple[OptionSpec, ...] = tuple(OptionSpec(*row) for row in _core.SNOWFLAKE_OPTIONS)
"""The options of SnowflakeGenerator."""
