"""The commands `migrate auto-increment`, which look at the counters of MySQL or MariaDB and write nothing."""

from __future__ import annotations

import time
from argparse import ArgumentTypeError, Namespace
from typing import Any, NamedTuple

from .._core import _check_counters
from .audit import URL_HELP, add_tables
from .failure import FINDINGS
from .hosts import first_answer
from .leaf import Finding
from .opened import store_place
from .output import counted, printable, write_json, write_line, write_table
from .parser import Commands, Run, add_command, add_group
from .stores import add_store, option_values

COMMAND = "leafmint migrate auto-increment"

ROOM = 1_000_000_000
"""Ids that a tag gets below the counter, unless another number is asked for."""

HOUR = 3600

LARGE = ("highest", "counter", "next", "room", "planned_start", "planned_counter", "planned_room")
"""Numbers that JSON has as strings."""


class Command(NamedTuple):
    """Something to run."""

    table: str
    place: str
    """Shell or SQL."""
    text: str


class Look(NamedTuple):
    """What a look at the counters found."""

    scope: str
    host: str | None
    """The host of a list that answered; the scope names it too."""
    tables: list[dict[str, Any]]
    findings: list[Finding]
    to_run: list[Command]
    to_do: list[str]

    @property
    def ready(self) -> bool:
        """Whether there is nothing to fix."""
        return not any(finding.level == "clash" for finding in self.findings)


def add(commands: Commands) -> None:
    """Adds the commands."""
    group = add_group(commands, "auto-increment", "move from MySQL's or MariaDB's AUTO_INCREMENT")
    add_one(
        group, "plan", plan, "say how far to raise each counter, and where its tag begins; writes nothing", room=True
    )
    check = add_one(
        group,
        "check",
        check_both,
        "say whether old and new writers may insert side by side; writes nothing",
        room=False,
    )
    check.add_argument(
        "--after", action="store_true", help="all writers use the tag: check whether it can continue alone"
    )
    check.add_argument(
        "--watch", type=seconds, metavar="SECONDS", help="check twice: a counter that moves shows an old writer"
    )
    add_one(group, "steps", steps, "say what to do, in order, and the ways back; writes nothing", room=True)


def add_one(group: Commands, name: str, run: Run, summary: str, *, room: bool) -> Any:
    """Adds one of the commands with the arguments that all have."""
    parser = add_command(group, name, run, summary, f"{COMMAND} {name} --table orders")
    add_tables(parser)
    if room:
        parser.add_argument(
            "--room",
            type=room_of,
            default=ROOM,
            metavar="N",
            help="ids for the tag below the counter (default: 1000000000)",
        )
    add_store(parser, URL_HELP)
    return parser


def room_of(text: str) -> int:
    """Reads a number of ids."""
    if not text.isascii() or not text.isdigit() or not 0 < (number := int(text)) < 2**63:
        raise ArgumentTypeError("write a number of ids, such as 1000000000")
    return number


def seconds(text: str) -> float:
    """Reads a number of seconds, up to an hour."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= HOUR:
        raise ArgumentTypeError("write a number of seconds, up to 3600")
    return number


def look(args: Namespace, writers: str, earlier: dict[str, int] | None = None) -> Look:
    """Reads the counters, and judges them for these writers."""
    place, chosen = store_place(args), (args.table, args.tag)
    options, room = {**place.options, **option_values(args)}, getattr(args, "room", ROOM)
    host, (scope, tables, (findings, to_run, to_do)) = first_answer(
        place, lambda it: _check_counters(it.source, options, chosen, writers, room, list((earlier or {}).items()))
    )
    return Look(scope, host, tables, [Finding(*it) for it in findings], [Command(*it) for it in to_run], to_do)


def plan(args: Namespace) -> int:
    """Prints what to run so that both kinds of writers may insert."""
    found = look(args, "old")
    code = report(args, found, ("planned_start", "planned_counter", "planned_room"))
    if found.ready and not found.to_run and not args.json:
        write_line("There is nothing to run: the tag begins below the counter already, with enough room.")
    return code


def check_both(args: Namespace) -> int:
    """Prints whether both kinds of writers may insert, or the new ones alone."""
    writers = "new" if args.after else "both"
    found = look(args, writers)
    if args.watch:
        earlier = {table["table"]: table["counter"] for table in found.tables}
        time.sleep(args.watch)
        found = look(args, writers, earlier)
    return report(args, found._replace(to_run=[]), ("next", "room"))


def steps(args: Namespace) -> int:
    """Prints what to do, in order."""
    found = look(args, "old")
    if args.json:
        return report(args, found, ())
    for index, step in enumerate(found.to_do, 1):
        write_line(f"{index}. {printable(step)}")
    return 0 if found.ready else FINDINGS


def report(args: Namespace, found: Look, columns: tuple[str, ...]) -> int:
    """Prints what a look found."""
    if args.json:
        write_json(document(found))
    else:
        show(found, columns)
    return 0 if found.ready else FINDINGS


def document(found: Look) -> dict[str, Any]:
    """Returns it as JSON has it."""
    tables = [{name: exact(name, value) for name, value in table.items()} for table in found.tables]
    return {
        "scope": found.scope,
        "host": found.host,
        "ready": found.ready,
        "tables": tables,
        "findings": [finding._asdict() for finding in found.findings],
        "to_run": [command._asdict() for command in found.to_run],
        "to_do": found.to_do,
    }


def exact(name: str, value: object) -> object:
    """Returns a value as JSON has it, with numbers that may be large as strings."""
    return str(value) if name in LARGE and value is not None else value


def show(found: Look, columns: tuple[str, ...]) -> None:
    """Prints it for people."""
    write_line(f"{found.scope}\n")
    shown = ("table", "column", "data_type", "counter", "tag", *columns)
    rows = [[cell(table[name]) for name in shown] for table in found.tables]
    heads = [name.replace("planned_", "planned ").replace("data_type", "type") for name in shown]
    write_table(heads, rows, right=tuple(index for index, name in enumerate(shown) if name in LARGE))
    write_line()
    for finding in found.findings:
        write_line(f"{finding.level:7}  {printable(finding.subject)}: {printable(finding.text)}")
    for command in found.to_run:
        write_line(f"{command.place:7}  {printable(command.text)}")
    gap = "\n" if found.findings or found.to_run else ""
    number = sum(finding.level == "clash" for finding in found.findings)
    write_line(f"{gap}{counted(len(found.tables), 'table')}, {number} to fix. Nothing was written.")


def cell(value: object) -> object:
    """Returns a number with commas, and anything else as it is."""
    return f"{value:,}" if isinstance(value, int) else value
