"""The command `status`: a store, its worker ids and its keys on one screen."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from shutil import get_terminal_size
from typing import Any

from .. import SegmentGenerator, SnowflakeGenerator, audit
from .._internal.status import Status
from .failure import exit_code
from .hosts import first_answer
from .opened import options_of_both, places, segments, snowflakes
from .output import write, write_json, write_line
from .parser import Commands, add_command
from .progress import is_terminal
from .status_text import SHOWN, Rates, lines_of, plain_lines
from .store_hosts import StoreHosts
from .stores import Place, add_store

CLEARED = "\x1b[H\x1b[2J"
"""What clears a terminal."""
LONGEST_PAUSE = 3600
DECISIVE = ("store", "holder", "keys")
"""Parts whose failure is that of the command. The others are what an account need not be allowed to read."""


def add(commands: Commands) -> None:
    """Adds the command."""
    status = add_command(
        commands, "status", run, "show the store, its tags and series, worker ids and keys on one screen",
        "leafmint status",
    )  # fmt: skip
    add_parts(status)
    status.add_argument("--all", action="store_true", help="show every tag, series, worker id and key")
    status.add_argument(
        "--watch", nargs="?", const=2.0, type=seconds, metavar="SECONDS",
        help="repeat until Ctrl-C, by default every 2 seconds, and show ids leased per second",
    )  # fmt: skip
    add_store(status)


def add_parts(parser: ArgumentParser) -> None:
    """Adds the arguments that say what is read, and for how long."""
    parser.add_argument("--audit", action="store_true", help="also show keys that run out, which reads the schema")
    parser.add_argument("--snowflake", action="store_true", help="also show the worker ids in that database")
    parser.add_argument("--timeout", default="3s", metavar="TIME", help="longest wait for each answer (default: 3s)")


def seconds(text: str) -> float:
    """Reads a number of seconds, up to an hour."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number <= LONGEST_PAUSE:
        raise ArgumentTypeError(f"write a number of seconds, up to {LONGEST_PAUSE}")
    return number


def run(args: Namespace) -> int:
    """Shows the status once, or again and again. Returns whether the last one is fine."""
    looks = Looks(args)
    if args.watch is None:
        status = looks.read()
        show(args, status.document, {})
        return code_of(status)
    rates = Rates()
    while True:
        status = looks.read()
        show_again(args, status.document, rates.since_last(status.document, time.monotonic()))
        time.sleep(args.watch)


def code_of(status: Status) -> int:
    """Returns the exit code for what could not be read."""
    return max((exit_code(error) for part, error in status.failures if part in DECISIVE), default=0)


class Looks:
    """Reads a status again and again, with the same connections."""

    def __init__(self, args: Namespace) -> None:
        """Opens what the arguments and the environment name, without connecting.

        Connections are not closed at the exit: a close waits for the server too.
        """
        self.store: Place | None
        self.holder: Place | None
        self.of_store: dict[str, Any]
        self.store, self.holder = places(args)
        self.of_store, of_holder = options_of_both(args, self.store, self.holder, timeout=args.timeout)
        apart = {"close_at_exit": False}
        self.ids: SegmentGenerator | None = segments(self.store, self.of_store | apart) if self.store else None
        self.flakes: SnowflakeGenerator | None = snowflakes(self.holder, of_holder | apart) if self.holder else None
        self.hosts: StoreHosts = StoreHosts(self.store, self.of_store | apart)
        self.audits: bool = args.audit

    def read(self) -> Status:
        """Reads one status."""
        status = Status()
        if self.ids:
            status.add_store(self.ids)
            self.hosts.add_to(status)
        if self.flakes:
            status.add_holder(self.flakes)
        if self.audits and self.store:
            place, options = self.store, {**self.store.options, **self.of_store}
            status.add_audit(lambda: first_answer(place, lambda alone: audit(alone.source, **options))[1])
        return status


def show(args: Namespace, document: dict[str, Any], rates: dict[str, float]) -> None:
    """Prints a document."""
    if args.json:
        write_json(document)
        return
    for line in lines_of(document, None if args.all else SHOWN, rates):
        write_line(line)


def show_again(args: Namespace, document: dict[str, Any], rates: dict[str, float]) -> None:
    """Prints a document in place of the one before; in lines of their own, if the output is not a terminal."""
    if args.json:
        write_json(document)
    elif is_terminal(sys.stdout):
        write(CLEARED + "\n".join(fitting(args, document, rates)) + "\n")
    else:
        for line in plain_lines(document, rates):
            write_line(line)


def fitting(args: Namespace, document: dict[str, Any], rates: dict[str, float]) -> list[str]:
    """Returns the lines of a status with as many rows of each table as fit the terminal, one at least."""
    height = get_terminal_size().lines - 1
    for most in (None,) if args.all else range(SHOWN, 0, -1):
        lines = list(lines_of(document, most, rates))
        if len(lines) <= height:
            break
    return lines
