"""Runs a command: reads its arguments, and turns what happens into an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

from .. import LeafmintError, __version__
from . import audit, auto_increment, check, decode, formats, leaf, mint, options, public, schema, series, tags, workers
from .failure import code_of, exit_code
from .output import as_json, drop_output, printable, write_error
from .parser import Parser

INTERRUPTED = 128 + signal.SIGINT

DESCRIPTION = """\
Mints and decodes ids, and shows what a store and a holder have leased.

The store is named by --url, or by the environment: LEAFMINT_URL for segments, LEAFMINT_SNOWFLAKE_URL for
snowflakes (by default the same). Use the environment for a URL with a password.
"""
EPILOG = """\
exit codes: 0 success, 1 the store or the holder cannot serve or audit found a problem, 2 wrong configuration or usage
"""


def build_parser() -> Parser:
    """Returns the parser of all commands."""
    parser = Parser(prog="leafmint", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"leafmint {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    moves = (leaf, auto_increment)
    for group in (decode, formats, public, mint, schema, check, audit, tags, series, workers, options, *moves):
        group.add(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code. A wrong usage exits with 2."""
    Parser.given = sys.argv[1:] if arguments is None else arguments
    prepare_streams()
    args = build_parser().parse_args(arguments)
    with closing_at_sigterm():
        return run(args)


def run(args: Namespace) -> int:
    """Runs the command that was read, and returns its exit code."""
    try:
        return args.run(args) or 0
    except LeafmintError as error:
        return report(args, error)
    except BrokenPipeError:
        drop_output()
        return 0
    except OSError as error:
        drop_output()
        return report(args, error)
    except KeyboardInterrupt:
        drop_output()
        return INTERRUPTED
    except SystemExit:
        drop_output()
        raise


def prepare_streams() -> None:
    """Makes the standard streams take every text."""
    keep_standard_descriptors()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def closing_at_sigterm() -> Iterator[None]:
    """Lets SIGTERM end the command as Ctrl-C does; a program that runs a command gets its own handler back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def keep_standard_descriptors() -> None:
    """Occupies standard descriptors that are closed: a database must not become the standard output."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def end(number: int, frame: FrameType | None) -> NoReturn:
    """Ends the command as Ctrl-C does: the generator is closed, and gives unused ids back."""
    raise SystemExit(128 + number)


def report(args: Namespace, error: LeafmintError | OSError) -> int:
    """Prints an error, and returns the exit code that belongs to it."""
    if args.json:
        shown: dict[str, object] = {"code": code_of(error), "message": str(error), "retryable": False}
        if isinstance(error, LeafmintError):
            shown |= {"retryable": error.retryable, "reason": error.reason, "server_code": error.server_code}
        text = as_json({"error": shown})
    else:
        text = f"leafmint: {code_of(error)}: {printable(error)}"
    write_error(text + "\n")
    return exit_code(error)
