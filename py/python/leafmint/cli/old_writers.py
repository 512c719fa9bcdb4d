"""Rows without ids of the tag: those that old code inserts while a table moves from AUTO_INCREMENT."""

from __future__ import annotations

from argparse import Namespace
from typing import NamedTuple

from .. import InvalidArgumentError
from .._core import _beyond_room, _command
from .output import counted
from .stores import Place, option_values

STEP = 1000
"""Ids of a lease of a tag whose row is gone, unless another number is asked for."""


class OldNumbers(NamedTuple):
    """Numbers that AUTO_INCREMENT may have given, above the ids of a tag."""

    column: str
    """The table and the column."""
    first: int
    last: int
    """The highest one that was given; less than the first if none was."""
    below: int | None
    """The highest row below them."""
    least_room: int
    """Ids that the tag needs below them, so that both kinds of code may insert."""
    are_left_out: bool
    """They are no ids of the tag, as the operator says."""

    def refusal(self, above: int) -> str | None:
        """Returns why the tag is not raised above an id."""
        if self.last >= self.first and not self.are_left_out:
            return (
                f"{self.column} has rows from {self.first} on, far above the others. If code without leafmint inserted "
                f"them (a move from AUTO_INCREMENT), leave them out by --rows-below {self.first}. If they have ids of "
                f"the tag, add --reported {self.last}"
            )
        if self.first - above > self.least_room:
            return None
        plan = _command("migrate auto-increment plan", [], [("--table", self.column.rpartition(".")[0])])
        return (
            f"above {above} the tag has less than {counted(self.least_room, 'id')} below {self.first}, where "
            f"AUTO_INCREMENT of {self.column} goes on: give a smaller --margin. Or stop the code that inserts without "
            f"an id, add --reported {self.last}, and before you start it again, run {plan}"
        )


def find_old_numbers(
    args: Namespace, place: Place, columns: list[tuple[str, str]], known: int, lease: int
) -> list[OldNumbers]:
    """Finds them in the columns of a tag. `known` is the highest id that it has leased, `lease` the ids of one lease.

    Raises:
        InvalidArgumentError: Rows are to be left out of a column that has none of them.
    """
    options, end = {**place.options, **option_values(args)}, args.rows_below
    found = []
    for table, column in columns:
        numbers = _beyond_room(place.source, options, (table, column), known, lease or args.step or STEP, end)
        if numbers is not None:
            found.append(OldNumbers(f"{table}.{column}", *numbers, end is not None))
    if end is not None and not found:
        raise InvalidArgumentError("--rows-below is for a column that AUTO_INCREMENT of MySQL or MariaDB counts")
    return found
