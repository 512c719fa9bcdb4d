"""Runs a command: reads its arguments, and turns what happens into an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

from .. import LeafmintError, __version__
from .._core import _read_by
from . import (
    audit,
    auto_increment,
    check,
    decode,
    files,
    formats,
    gapless,
    leaf,
    mint,
    options,
    public,
    report,
    schema,
    series,
    status,
    tags,
    workers,
)
from .failure import Refusal, code_of, exit_code
from .output import as_json, drop_output, printable, write_error
from .parser import Parser, add_group
from .stores import Place, options_of_place

INTERRUPTED = 128 + signal.SIGINT

PROGRAM = "leafmint"

DESCRIPTION = """\
Mints and decodes ids, and shows what a store and a holder have leased.

The store is named by --url, or by the environment: LEAFMINT_URL for segments, LEAFMINT_SNOWFLAKE_URL for
snowflakes (by default the same). Use the environment for a URL with a password.
"""
EPILOG = """\
exit codes: 0 success, 1 something to fix, or the store or the holder cannot serve, 2 wrong usage or
configuration
"""


def build_parser(program: str = PROGRAM) -> Parser:
    """Returns the parser of all commands."""
    parser = Parser(prog=program, description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"leafmint {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for group in (
        decode,
        formats,
        public,
        mint,
        schema,
        status,
        report,
        check,
        audit,
        tags,
        series,
        gapless,
        workers,
        options,
        files,
    ):
        group.add(commands)
    moves = add_group(commands, "migrate", "prepare a move to leafmint; writes nothing")
    for move in (leaf, auto_increment):
        move.add(moves)
    return parser


def main(
    arguments: Sequence[str] | None = None,
    application: Mapping[str, Place] | None = None,
    program: str = PROGRAM,
    init: str | None = None,
    columns: Mapping[str, list[tuple[str, str]]] | None = None,
) -> int:
    """Runs a command and returns its exit code. A wrong usage exits with 2.

    An application may have places instead of variables of the environment, by their names, a program of its own that
    runs these commands, a command that creates the tables in its place, and tables and columns with the ids of its
    tags.
    """
    Parser.given = sys.argv[1:] if arguments is None else arguments
    prepare_streams()
    known = Namespace(application=application or {}, columns=columns or {})
    args = build_parser(program).parse_args(arguments, known)
    named = options_of_place(args)
    _read_by(program, None if named else init, named)
    try:
        with closing_at_sigterm():
            return run(args)
    finally:
        _read_by(program, init, [])


def run(args: Namespace) -> int:
    """Runs the command that was read, and returns its exit code."""
    try:
        return args.run(args) or 0
    except (LeafmintError, Refusal) as error:
        return print_error(args, error)
    except BrokenPipeError:
        drop_output()
        return 0
    except OSError as error:
        drop_output()
        return print_error(args, error)
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


def print_error(args: Namespace, error: LeafmintError | Refusal | OSError) -> int:
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
