"""The options of the generators, as the core lists them."""

from dataclasses import dataclass

from . import _core


@_core._once
@dataclass(frozen=True, kw_only=True, slots=True)
class OptionSpec:
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
        >>> next(option.default for option in leafmint.SEGMENT_OPTIONS if option.name == "timeout")
        '5s'
    """

    name: str
    shape: str
    values: str
    default: str
    default_words: str
    meaning: str


def _specs(rows: tuple[tuple[str, str, str, str, str, str], ...]) -> tuple[OptionSpec, ...]:
    fields = ("name", "shape", "values", "default", "default_words", "meaning")
    return tuple(OptionSpec(**dict(zip(fields, row, strict=True))) for row in rows)


SEGMENT_OPTIONS: tuple[OptionSpec, ...] = _specs(_core.SEGMENT_OPTIONS)
"""The options of SegmentGenerator."""

SNOWFLAKE_OPTIONS: tuple[OptionSpec, ...] = _specs(_core.SNOWFLAKE_OPTIONS)
"""The options of SnowflakeGenerator."""
