"""The command `tags recover`: finds the highest ids in use of tags, and only then raises the tags above them."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from .. import InvalidArgumentError, LeafmintError
from .._internal.series_tags import own_tags
from .evidence import Keys
from .failure import FINDINGS
from .hosts import chosen
from .opened import segments
from .output import counted, printable, write, write_json, write_line, write_table
from .parser import Commands, add_command, unicode
from .progress import is_terminal
from .recovery import Recovery
from .reported import EXACT, Reports
from .stores import Place, add_store, option_values, place_of
from .tag_rows import hosts_of, series_of

OF_ONE = ("rows", "rows_below", "reported", "gene_bits")
"""Options that only one tag can have."""
NEW_TABLE = (
    "The table is new, so everything else that was in it begins at 1: recover its other tags and series too,"
    " then restart processes that have used them since"
)


def add(tags: Commands) -> None:
    """Adds the command."""
    recover = add_command(
        tags, "recover", run, "find the highest id in use of tags, and raise the tags above them",
        "leafmint tags recover order --reported 11204317",
    )  # fmt: skip
    recover.add_argument(
        "tags", nargs="*", metavar="TAG", type=unicode, help="a name; of a series such as invoice@2026"
    )
    recover.add_argument("--all", action="store_true", help="every tag that a host has, except those of series")
    recover.add_argument(
        "--rows", action="append", default=[], type=column, metavar="TABLE.COLUMN",
        help="the column of the tag's ids (default: the keys of the table of its name); may be repeated",
    )  # fmt: skip
    recover.add_argument(
        "--rows-below", type=number, metavar="ID",
        help="leave out rows from this id on, which old code inserts during a move from AUTO_INCREMENT",
    )  # fmt: skip
    recover.add_argument(
        "--reported", action="append", default=[], type=number, metavar="ID",
        help="the highest id that a process has leased; may be repeated",
    )  # fmt: skip
    recover.add_argument(
        "--prometheus", type=unicode, metavar="URL", help="read the highest id leased from this Prometheus"
    )
    recover.add_argument(
        "--margin", type=number, metavar="N",
        help="ids left free above what is found (default: 10000000; of a series 0)",
    )  # fmt: skip
    recover.add_argument(
        "--step", type=int, metavar="N", help="ids of a segment, if the row is gone (default: 1000; of a series 1)"
    )
    recover.add_argument("--gene-bits", type=int, metavar="N", help="gene bits, if the row is gone (default: 0)")
    recover.add_argument(
        "--create-table", action="store_true", help="create the table, if it was dropped (not renamed)"
    )
    recover.add_argument("--yes", action="store_true", help="raise without asking")
    add_store(recover)


def column(text: str) -> tuple[str, str]:
    """Reads a table and its column."""
    table, dot, name = unicode(text).rpartition(".")
    if not (table and dot and name):
        raise ArgumentTypeError("write TABLE.COLUMN")
    return table, name


def number(text: str) -> int:
    """Reads an id, also as /metrics prints it: 1.1204317e+07."""
    if re.fullmatch(r"[0-9](\.[0-9]+)?e\+?[0-9]{1,2}", text) and (exact := Decimal(text)) < EXACT:
        text = f"{exact:f}"
    if not text.isascii() or not text.isdigit() or (found := int(text)) >= 2**63:
        raise ArgumentTypeError("write an id")
    return found


def run(args: Namespace) -> int:
    """Finds, shows, asks and raises."""
    given = place_of(args, args.url, "LEAFMINT_URL")
    chosen(args, given)
    places, keys = hosts_of(given), Keys(args)
    reports = Reports(args.prometheus) if args.prometheus else None
    names = tags_of(args, places)
    found = [Recovery(Namespace(**{**vars(args), "tag": name}), places, keys, reports) for name in names]
    is_alone = not args.all and len(found) == 1
    if not args.json:
        with segments(given, option_values(args)) as ids:
            show_one(found[0], ids.scope) if is_alone else show_all(found, ids.scope)
    if is_alone and found[0].refusal:
        raise found[0].refusal
    due = [each for each in found if each.is_due]
    is_confirmed = bool(due) and confirmed(args, due)
    for each in found:
        finish(args, each, is_confirmed and each.is_due)
    if is_confirmed and any(each.makes_table for each in due) and not args.json:
        write_line(NEW_TABLE)
    if due and not is_confirmed and not args.json:
        write_line(f"Nothing was changed: --yes raises {'the tag' if len(due) == 1 else 'the tags'}")
    is_done = is_confirmed or not due
    return 0 if is_done and not any(each.refusal for each in found) else FINDINGS


def tags_of(args: Namespace, places: list[tuple[str | None, Place]]) -> list[str]:
    """Returns the names of the tags that are to be recovered.

    Raises:
        InvalidArgumentError: There are none, or they are several for which there is what only one can have.
    """
    if args.all == bool(args.tags):
        raise InvalidArgumentError("name the tags, or give --all")
    if args.all and args.create_table:
        raise InvalidArgumentError("--create-table goes with names: a table that was dropped has no list for --all")
    names = list(dict.fromkeys(tags_of_hosts(args, places) if args.all else args.tags))
    if (args.all or len(names) > 1) and any(getattr(args, name) not in ([], None) for name in OF_ONE):
        names_of_one = ", ".join(f"--{name.replace('_', '-')}" for name in OF_ONE)
        raise InvalidArgumentError(f"{names_of_one} are for one tag: recover it alone")
    return names


def tags_of_hosts(args: Namespace, places: list[tuple[str | None, Place]]) -> Iterator[str]:
    """Yields the tags that any host has, except those of series.

    Raises:
        LeafmintError: No host answers.
    """
    failures = []
    for _, place in places:
        try:
            with segments(place, option_values(args)) as ids:
                yield from [tag.name for tag in own_tags(ids.list_tags(), series_of(ids))]
        except LeafmintError as error:
            failures.append(error)
    if len(failures) == len(places):
        raise failures[0]


def show_one(found: Recovery, scope: str) -> None:
    """Prints what was found of one tag and what was not."""
    write_line(f"{printable(found.tag)} of {scope}\n")
    if found.evidence.found:
        write_table(["found", "highest id"], found.evidence.found, right=(1,))
        write_line()
    for where, why in found.evidence.not_found:
        write_line(f"not found  {where}: {printable(why)}")
    for old in found.left_out:
        write_line(f"left out   rows of {printable(old.column)} from {old.first} on: old code inserted them")
    if found.margin:
        write_line(f"left free  {counted(found.margin, 'id')}: processes may have leased them since")
    if found.evidence.not_found or found.left_out or found.margin:
        write_line()


def show_all(found: list[Recovery], scope: str) -> None:
    """Prints a line for each of several tags, and what was not found of some."""
    write_line(f"{counted(len(found), 'tag')} of {scope}\n")
    if found:
        write_table(["tag", "stored", "highest id", "found", "above"], [line_of(each) for each in found], (1, 2, 4))
        write_line()
    missing = Counter(it for each in found for it in each.evidence.not_found)
    for (where, why), number in missing.items():
        write_line(f"not found  {where}: {printable(why)} ({counted(number, 'tag')})")
    if margin := max((each.margin for each in found), default=0):
        write_line(f"left free  {counted(margin, 'id')} of each tag: processes may have leased them since")
    for each in found:
        if each.refusal:
            write_line(f"refused    {printable(each.tag)}: {each.refusal}")
    write_line()


def line_of(found: Recovery) -> list[object]:
    """Returns the cells of a tag: what is stored, the id that decides and where, and what the tag is raised above."""
    stored, decided_by = found.target and found.target.highest, found.decided_by
    return [found.tag, stored, decided_by.highest, decided_by.where, found.above if found.is_due else None]


def confirmed(args: Namespace, due: list[Recovery]) -> bool:
    """Returns whether the tags are to be raised: by --yes, or by what is typed at a terminal."""
    if args.yes:
        return True
    alone = f"{printable(due[0].tag)} above {due[0].above}"
    if args.json or not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        if not args.json and len(due) == 1:
            verb = "raised" if due[0].max_id is not None else "created"
            write_line(f"{printable(due[0].tag)} would be {verb} above {due[0].above}")
        return False
    write(f"Raise {alone if len(due) == 1 else counted(len(due), 'tag')}? Type yes: ")
    return sys.stdin.readline().strip() == "yes"


def finish(args: Namespace, found: Recovery, is_to_raise: bool) -> None:
    """Raises a tag if it is to be, and prints what it is now."""
    max_id = found.change() if is_to_raise else found.max_id
    if args.json:
        text = None if max_id is None else str(max_id)
        write_json({**found.document(), "raised": is_to_raise, "max_id": text})
    elif is_to_raise:
        write_line(f"{printable(found.tag)}: max_id is {max_id}{found.at_host}")
    elif found.refusal is None and found.is_there:
        write_line(f"{printable(found.tag)} is above them: nothing was changed")
