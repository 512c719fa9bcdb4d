"""The command `mint`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator

from .. import InvalidArgumentError, SnowflakeGenerator, Tag
from .opened import holder, store
from .output import write
from .parser import Commands, add_command, unicode
from .progress import Progress
from .stores import add_store

BATCH = 128
"""Ids taken at a time. Their lines fit the 4,096 bytes that a pipe takes all at once or not at all, so that an
interrupted command never leaves half an id; and few are lost."""


def add(commands: Commands) -> None:
    """Adds the command."""
    mint = add_command(commands, "mint", run, "mint ids, one per line", "leafmint mint order --count 3")
    mint.add_argument("tag", metavar="TAG", nargs="?", type=unicode, help="the tag whose ids are minted")
    mint.add_argument("--snowflake", action="store_true", help="mint snowflakes instead")
    mint.add_argument("-n", "--count", type=int, default=1, metavar="N", help="number of ids (default: 1)")
    mint.add_argument("--gene", type=int, metavar="N", help="the gene of the ids, for a tag or layout with gene bits")
    mint.add_argument("--gene-bits", type=int, default=0, metavar="N", help="the gene bits of the tag (default: 0)")
    mint.add_argument("--timeout", metavar="TIME", help="longest wait for ids, as in 500ms (default: 5s)")
    mint.add_argument("--progress", action="store_true", help="show the progress on the standard error")
    add_store(mint)


def run(args: Namespace) -> None:
    """Mints ids and prints each on a line."""
    check(args)
    with holder(args) if args.snowflake else store(args) as generator:
        source = (
            generator
            if isinstance(generator, SnowflakeGenerator)
            else generator.tag(args.tag, gene_bits=args.gene_bits)
        )
        template = '{{"id": "{}"}}\n' if args.json else "{}\n"
        with Progress(args.count, args.progress) as progress:
            for ids in batches(source, args):
                write("".join(map(template.format, ids)))
                progress.add(len(ids))


def check(args: Namespace) -> None:
    """Refuses arguments that do not fit each other, before anything is opened."""
    if args.snowflake == (args.tag is not None):
        raise InvalidArgumentError("name a tag, or --snowflake" if args.tag is None else "--snowflake takes no tag")
    if args.count < 0:
        raise InvalidArgumentError("--count is negative")


def batches(source: Tag | SnowflakeGenerator, args: Namespace) -> Iterator[list[int]]:
    """Yields the ids in batches."""
    draw: Callable[[int], list[int]] = lambda count: source.next_ids(count, timeout=args.timeout)  # noqa: E731
    if args.gene is not None:
        draw = lambda count: [source.next_id(timeout=args.timeout, gene=args.gene) for _ in range(count)]  # noqa: E731
    for start in range(0, args.count, BATCH):
        yield draw(min(BATCH, args.count - start))
