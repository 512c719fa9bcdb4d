"""The commands `tags list`, `create`, `set` and `raise`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from .. import UnknownTagError
from .._core import _command
from .._internal.json_records import tag_record
from .._internal.series_tags import own_tags
from . import recover
from .hosts import answered_by, check_agreement, heading
from .opened import segments, store, store_place
from .output import counted, printable, write_json, write_line, write_table
from .parser import Commands, Parser, add_command, add_group, unicode
from .stores import Place, add_store, option_values
from .tag_rows import series_of

if TYPE_CHECKING:
    from .. import SegmentGenerator


def add(commands: Commands) -> None:
    """Adds the commands."""
    tags = add_group(commands, "tags", "show and change the tags of a store")
    listing = add_command(tags, "list", run_list, "list the tags, and what is leased of them", "leafmint tags list")
    listing.add_argument("--all", action="store_true", help="also list the tags of series, one for each key and period")
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
        "raise a tag above an id, never lower it",
        "leafmint tags raise order --above-id 999999",
    )
    add_tag(rise)
    rise.add_argument(
        "--above-id", metavar="ID", type=int, required=True, help="the highest id in use; the next ids are above it"
    )

    recover.add(tags)


def add_tag(parser: Parser) -> None:
    """Adds the name of a tag, and its store."""
    parser.add_argument("tag", metavar="TAG", type=unicode, help="its name")
    add_store(parser)


def run_list(args: Namespace) -> None:
    """Lists the tags."""
    with store(args) as ids:
        every = ids.list_tags()
        tags = own_tags(every, [] if args.all else series_of(ids))
    not_shown = len(every) - len(tags)
    if args.json:
        write_json(
            {
                "scope": ids.scope,
                "host": ids.stats().host,
                "tags": [tag_record(tag) for tag in tags],
                "not_shown": not_shown,
            }
        )
        return
    write_line(f"{heading(ids)}\n")
    titles = ["tag", "max_id", "step", "gene_bits", "update_time", "description"]
    rows = [[tag_record(tag)[title] for title in ("name", *titles[1:])] for tag in tags]
    write_table(titles, rows, right=range(1, 4))
    for tag in tags:
        if tag.problem:
            write_line(f"\n{printable(tag.name)} cannot be used: {printable(tag.problem)}")
    if not_shown:
        see = _command("series list", [], [])
        write_line(f"\n{counted(not_shown, 'tag')} of series not shown: use --all, or {see}")


def run_create(args: Namespace) -> None:
    """Inserts a tag."""
    with agreed(args) as ids:
        created = ids.create_tag(
            args.tag, step=args.step, start=args.start, description=args.description, gene_bits=args.gene_bits
        )
    done(args, ids, "created" if created else "exists already, and was not changed", created=created)


def run_set(args: Namespace) -> None:
    """Changes a tag."""
    with agreed(args) as ids:
        ids.set_tag(args.tag, step=args.step, description=args.description)
    done(args, ids, "changed")


def run_raise(args: Namespace) -> None:
    """Raises a tag above an id."""
    with agreed(args) as ids:
        max_id = ids.raise_tag_above(args.tag, args.above_id)
    done(args, ids, f"max_id is {max_id}", max_id=str(max_id))


def agreed(args: Namespace) -> SegmentGenerator:
    """Opens a store whose hosts agree about the tag."""
    place = store_place(args)
    check_agreement(args, place, f"the tag {printable(args.tag)}", lambda alone: number_at(args, alone))
    return segments(place, option_values(args))


def number_at(args: Namespace, place: Place) -> str:
    """Says what one host has of the tag."""
    with segments(place, option_values(args)) as ids:
        try:
            return f"max_id {ids._next_number(args.tag)}"
        except UnknownTagError:
            return "no such tag"


def done(args: Namespace, ids: SegmentGenerator, text: str, **document: Any) -> None:
    """Prints what was done to a tag."""
    if args.json:
        write_json({"name": args.tag, "host": ids.stats().host, **document})
    else:
        write_line(f"{printable(args.tag)}: {text}{answered_by(ids)}")
