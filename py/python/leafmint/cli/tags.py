"""The commands `tags create`, `list`, `set` and `raise`."""

from __future__ import annotations

from argparse import Namespace

from .output import printable, write_json, write_line
from .parser import Commands, add_command, add_group, unicode
from .stores import add_store, segments


def add(commands: Commands) -> None:
    """Adds the commands."""
    tags = add_group(commands, "tags", "show and change the tags of a store")
    create = add_command(
        tags, "create", run_create, "insert a tag, unless it exists", "leafmint tags create order --step 2000"
    )
    create.add_argument("tag", metavar="TAG", type=unicode, help="its name")
    create.add_argument("--step", type=int, default=1000, metavar="N", help="ids of a segment (default: 1000)")
    create.add_argument("--start", type=int, default=1, metavar="N", help="first id (default: 1)")
    create.add_argument("--description", type=unicode, default="", metavar="TEXT", help="up to 256 characters")
    create.add_argument("--gene-bits", type=int, default=0, metavar="N", help="bits of each id for a gene (default: 0)")
    add_store(create)


def run_create(args: Namespace) -> None:
    """Inserts a tag."""
    with segments(args) as ids:
        created = ids.create_tag(args.tag, args.step, args.start, args.description, args.gene_bits)
    if args.json:
        write_json({"tag": args.tag, "created": created})
    else:
        write_line(f"{printable(args.tag)}: {'created' if created else 'exists already, and was not changed'}")
