"""The command `tags recover`: finds the highest id in use of a tag, and only then raises the tag above it."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace

from .. import InvalidArgumentError, SegmentGenerator
from .evidence import Evidence, gather
from .failure import FINDINGS, Refusal
from .hosts import NO_TABLE, chosen
from .opened import segments
from .output import counted, printable, write, write_json, write_line, write_table
from .parser import Commands, add_command, unicode
from .progress import is_terminal
from .stores import add_store, option_values, place_of
from .tag_rows import Row, read_rows

MARGIN = 10_000_000
"""Ids that processes may have leased since they reported, or that a process has leased which does not report."""
MOST_GENE_BITS = 12


def add(tags: Commands) -> None:
    """Adds the command."""
    recover = add_command(
        tags, "recover", run, "find the highest id in use of a tag, and raise the tag above it",
        "leafmint tags recover order --reported 11204317",
    )  # fmt: skip
    recover.add_argument("tag", metavar="TAG", type=unicode, help="its name; of a series such as invoice@2026")
    recover.add_argument(
        "--rows", action="append", default=[], type=column, metavar="TABLE.COLUMN",
        help="the column of the tag's ids (default: the keys of the table of its name); may be repeated",
    )  # fmt: skip
    recover.add_argument(
        "--reported", action="append", default=[], type=number, metavar="ID",
        help="the highest id that a process has leased; may be repeated",
    )  # fmt: skip
    recover.add_argument("--prometheus", type=unicode, metavar="URL", help="ask there for the highest id leased")
    recover.add_argument(
        "--margin", type=number, metavar="N",
        help="ids left free above what rows and processes show (default: 10000000; of a series 0)",
    )  # fmt: skip
    recover.add_argument(
        "--step", type=int, metavar="N", help="ids of a segment, if the row is gone (default: 1000; of a series 1)"
    )
    recover.add_argument("--gene-bits", type=int, metavar="N", help="gene bits, if the row is gone (default: 0)")
    recover.add_argument("--create-table", action="store_true", help="create the table, which was dropped, not renamed")
    recover.add_argument("--yes", action="store_true", help="raise without asking")
    add_store(recover)


def column(text: str) -> tuple[str, str]:
    """Reads a table and its column."""
    table, dot, name = unicode(text).rpartition(".")
    if not (table and dot and name):
        raise ArgumentTypeError("write TABLE.COLUMN")
    return table, name


def number(text: str) -> int:
    """Reads an id."""
    if not text.isascii() or not text.isdigit() or (found := int(text)) >= 2**63:
        raise ArgumentTypeError("write an id")
    return found


def run(args: Namespace) -> int:
    """Finds, shows, asks and raises."""
    given = place_of(args, args.url, "LEAFMINT_URL")
    chosen(args, given)
    rows = read_rows(args, given)
    evidence = gather(args, given, rows)
    target = row_to_change(args, rows) if not differing(args, rows) else None
    margin = margin_of(args, evidence)
    above = above_all(evidence, rows, margin)
    document = {
        "tag": args.tag,
        "host": target.host if target else None,
        "found": [{"where": where, "id": str(highest)} for where, highest in evidence.found],
        "not_found": [{"where": where, "why": why} for where, why in evidence.not_found],
        "margin": str(margin),
        "above": str(above),
    }
    if not args.json:
        show(args, evidence, margin)
    refuse(args, evidence, rows)
    assert target is not None
    is_there = target.highest is not None and target.highest >= above
    is_to_raise = not is_there and confirmed(args, target, above)
    max_id = change(args, target, above, evidence) if is_to_raise else target.max_id
    if args.json:
        write_json({**document, "raised": is_to_raise, "max_id": None if max_id is None else str(max_id)})
    elif is_there:
        write_line(f"{printable(args.tag)} is above them: nothing was changed")
    elif is_to_raise:
        write_line(f"{printable(args.tag)}: max_id is {max_id}{f' at {target.host}' if target.host else ''}")
    else:
        write_line("Nothing was changed: --yes raises the tag")
    return 0 if is_there or is_to_raise else FINDINGS


def margin_of(args: Namespace, evidence: Evidence) -> int:
    """Returns how many ids are left free above those that were found."""
    if args.margin is not None:
        return int(args.margin)
    return 0 if evidence.is_of_series else MARGIN


def above_all(evidence: Evidence, rows: list[Row], margin: int) -> int:
    """Returns the id above which the tag is free: the store's own rows are exact, so that no margin is above them."""
    stored = {row.where for row in rows}
    return max((highest + (0 if where in stored else margin) for where, highest in evidence.found), default=0)


def differing(args: Namespace, rows: list[Row]) -> bool:
    """Returns whether hosts that can be changed have something else, and none is named."""
    states = {(row.max_id, row.why) for row in rows if row.can_be_changed}
    return not args.host and len(states) > 1


def row_to_change(args: Namespace, rows: list[Row]) -> Row | None:
    """Returns the row that is to be raised: at the host that is named, or the first that can be changed."""
    return next((row for row in rows if row.can_be_changed and args.host in (None, row.host)), None)


def show(args: Namespace, evidence: Evidence, margin: int) -> None:
    """Prints what was found and what was not."""
    with segments(place_of(args, args.url, "LEAFMINT_URL"), option_values(args)) as ids:
        write_line(f"{printable(args.tag)} of {ids.scope}\n")
    if evidence.found:
        write_table(["found", "highest id"], evidence.found, right=(1,))
        write_line()
    for where, why in evidence.not_found:
        write_line(f"not found  {where}: {printable(why)}")
    if margin:
        write_line(f"left free  {counted(margin, 'id')}: processes may have leased them since")
    if evidence.not_found or margin:
        write_line()


def refuse(args: Namespace, evidence: Evidence, rows: list[Row]) -> None:
    """Refuses what could repeat an id."""
    if differing(args, rows):
        hosts = " or ".join(f"--host {row.host}" for row in rows if row.can_be_changed)
        raise Refusal("hosts_differ", f"the hosts differ: name the one that the processes use, {hosts}")
    row = row_to_change(args, rows)
    if row is None:
        raise Refusal("store_unavailable", "no host can be changed: see why above")
    if row.why == NO_TABLE and not args.create_table:
        text = "the table is missing: if it was renamed or moved, undo that. If it was dropped, --create-table makes it"
        raise Refusal("missing_table", text)
    stored = {each.where for each in rows}
    if all(where in stored for where, _ in evidence.found):
        text = (
            "nothing but the store itself is known, which cannot tell what was leased before: give --rows TABLE.COLUMN,"
        )
        raise Refusal("nothing_known", f"{text} --prometheus URL or --reported ID")
    if evidence.is_of_series and not evidence.is_reported and args.margin is None:
        text = "numbers of a series may be leased and not stored yet: give the highest one by --reported, or --margin N"
        raise Refusal("nothing_reported", text)


def confirmed(args: Namespace, row: Row, above: int) -> bool:
    """Returns whether the tag is to be raised: by --yes, or by what is typed at a terminal."""
    if args.yes:
        return True
    if args.json or not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        verb = "raised" if row.max_id is not None else "created"
        if not args.json:
            write_line(f"{printable(args.tag)} would be {verb} above {above}")
        return False
    write(f"Raise {printable(args.tag)} above {above}? Type yes: ")
    return sys.stdin.readline().strip() == "yes"


def change(args: Namespace, row: Row, above: int, evidence: Evidence) -> int:
    """Raises the tag, or creates it above this id, and returns its max_id."""
    with segments(row.place, option_values(args)) as ids:
        if row.why == NO_TABLE:
            ids.init_schema()
        if row.max_id is None and not ids._draws_from_sequences:
            create(args, ids, above, evidence)
        return ids.raise_tag_above(args.tag, above)


def create(args: Namespace, ids: SegmentGenerator, above: int, evidence: Evidence) -> None:
    """Creates the row, above this id from the first moment on."""
    bits = args.gene_bits if args.gene_bits is not None else asked_gene_bits(args, evidence)
    if not 0 <= bits <= MOST_GENE_BITS:
        raise InvalidArgumentError(f"--gene-bits {bits} is out of range (0 to {MOST_GENE_BITS})")
    step = args.step or (1 if evidence.is_of_series else 1000)
    ids.create_tag(args.tag, step=step, start=(above >> bits) + 1, gene_bits=bits)


def asked_gene_bits(args: Namespace, evidence: Evidence) -> int:
    """Returns the gene bits of a tag whose row is gone: 0, unless something else is typed at a terminal."""
    if args.yes or not is_terminal(sys.stdin) or evidence.is_of_series:
        return 0
    write("Bits of each id for a gene (default: 0): ")
    text = sys.stdin.readline().strip() or "0"
    if not text.isdigit():
        raise InvalidArgumentError("write a number of bits")
    return int(text)
