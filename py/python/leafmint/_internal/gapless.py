"""Sequences without gaps: what SQLAlchemy and Django share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ..errors import LeafmintError
from .drivers import codes_of

if TYPE_CHECKING:
    from .._core import SeriesNumber, _GaplessDraw

Statements: TypeAlias = list[tuple[str, list[str | int]]]
"""Statements with a `?` for each value, and the values."""

Answer: TypeAlias = tuple[list[str | None] | None, int]
"""The row of the last statement, and how many rows the first one affected, as the driver counts."""

Run: TypeAlias = Callable[[Statements], Answer]
"""Runs statements in a transaction."""


def take(draw: _GaplessDraw, run: Run) -> list[SeriesNumber]:
    """Take the numbers of a call."""
    return draw.numbers(*_answer(draw, run))


def read_last(draw: _GaplessDraw, run: Run) -> SeriesNumber | None:
    """Read the last number."""
    return draw.last(_answer(draw, run)[0])


def _answer(draw: _GaplessDraw, run: Run) -> Answer:
    look, take, numbers, read = draw.statements
    if look is not None:
        draw.check_table(run([(look, [])])[0])
    statements: Statements = [] if take is None else [(take, [draw.row, *numbers])]
    return run(statements if read is None else [*statements, (read, [draw.row])])


def failure_of(draw: _GaplessDraw, error: BaseException) -> LeafmintError:
    """Return the error of leafmint for one of a database driver."""
    number, state = codes_of(error)
    return draw.failure(number, state, str(error))
