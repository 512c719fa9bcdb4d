"""The commands `tags list`, `create`, `set` and `raise`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from .. import InvalidConfigError
from .output import counted, printable, time_text, write_json, write_line, write_table
from .parser import Commands, Parser, add_command, add_group, unicode
from .series import series_of
from .stores import add_store, segments

if TYPE_CHECKING:
    from .. import SegmentGenerator, TagInfo


def add(commands: Commands) -> None:
    """Adds the commands."""
    tags = add_group(commands, "tags", "show and change the tags of a store")
    listing = add_command(tags, "list", run_list, "list the tags, and what is leased of them", "leafmint tags list")
    listing.add_argument("--all", action="store_true", help="list the tags of series too, one for each key and period")
    add_store(listing)
    create = add_command(
        tags, "create", run_create, "insert a tag, unless it exists", "leafmint tags create order --step 2000"
    )
    add_tag(create)
    create.add_argument("--step", type=int, default=1000, metavar="N", help="ids of a segment (default: 1000)")
    create.add_argument("--start", type=int, default=1, metavar="N", help="first id (default: 1)")
    create.add_argument("--description", type=unicode, default="", metavar="TEXT", help="up to 256 characters")
    create.add_argument("--gene-bits", type=int, default=0, metavar="N", help="bits of each id for a gene (default: 0)")
    change = add_command(
        tags, "set", run_set, "change the step or the description of a tag", "leafmint tags set order --step 5000"
    )
    add_tag(change)
    change.add_argument("--step", type=int, metavar="N", help="ids of a segment; in effect within about a minute")
    change.add_argument("--description", type=unicode, metavar="TEXT", help="up to 256 characters")
    rise = add_command(
        tags,
        "raise",
        run_raise,
        "raise the max_id of a tag, never lower it",
        "leafmint tags raise order --above-id 999999",
    )
    add_tag(rise)
    to = rise.add_mutually_exclusive_group(required=True)
    to.add_argument("--above-id", metavar="ID", type=int, help="the highest id in use: the next ids are above it")
    to.add_argument("max_id", metavar="MAX_ID", type=int, nargs="?", help="the next number to lease, without a gene")


def add_tag(parser: Parser) -> None:
    """Adds the name of a tag, and its store."""
    parser.add_argument("tag", metavar="TAG", type=unicode, help="its name")
    add_store(parser)


def run_list(args: Namespace) -> None:
    """Lists the tags."""
    with segments(args) as ids:
        every, scope = ids.list_tags(), ids.scope
        periods = {} if args.all else periods_of(ids)
    tags = [tag for tag in every if tag.problem or not series_of(tag.biz_tag, periods)]
    not_shown = len(every) - len(tags)
    if args.json:
        write_json({"scope": scope, "tags": [as_document(tag) for tag in tags], "not_shown": not_shown})
        return
    write_line(f"{scope}\n")
    titles = ["tag", "max_id", "step", "gene_bits", "update_time", "description"]
    rows = [(tag.biz_tag, tag.max_id, tag.step, tag.gene_bits, time_of(tag), tag.description) for tag in tags]
    write_table(titles, rows, right=range(1, 4))
    for tag in tags:
        if tag.problem:
            write_line(f"\n{printable(tag.biz_tag)} cannot be used: {printable(tag.problem)}")
    if not_shown:
        write_line(f"\n{counted(not_shown, 'tag')} of series not shown: see leafmint series list, or use --all")


def periods_of(ids: SegmentGenerator) -> dict[str, str]:
    """Returns the periods of the series that the account may read: of a Leaf's database it may read the tags only."""
    try:
        return {series.name: series.period for series in ids.list_series()}
    except InvalidConfigError:
        return {}


def time_of(tag: TagInfo) -> str | None:
    """Returns when a tag was changed."""
    return time_text(tag.update_time) if tag.update_time else None


def as_document(tag: TagInfo) -> dict[str, Any]:
    """Returns a tag for JSON, with ids as strings."""
    max_id = None if tag.max_id is None else str(tag.max_id)
    return {**tag._asdict(), "max_id": max_id, "update_time": time_of(tag)}


def run_create(args: Namespace) -> None:
    """Inserts a tag."""
    with segments(args) as ids:
        created = ids.create_tag(args.tag, args.step, args.start, args.description, args.gene_bits)
    done(args, "created" if created else "exists already, and was not changed", created=created)


def run_set(args: Namespace) -> None:
    """Changes a tag."""
    with segments(args) as ids:
        ids.set_tag(args.tag, step=args.step, description=args.description)
    done(args, "changed")


def run_raise(args: Namespace) -> None:
    """Raises the max_id of a tag."""
    with segments(args) as ids:
        if args.above_id is None:
            max_id, asked = ids.raise_tag(args.tag, args.max_id), args.max_id
        else:
            max_id, asked = ids.raise_tag_above(args.tag, args.above_id), None
    note = "" if asked in (None, max_id) else ", which is higher, and was not changed"
    done(args, f"max_id is {max_id}{note}", max_id=str(max_id))


def done(args: Namespace, text: str, **document: Any) -> None:
    """Prints what was done to a tag."""
    if args.json:
        write_json({"biz_tag": args.tag, **document})
    else:
        write_line(f"{printable(args.tag)}: {text}")
