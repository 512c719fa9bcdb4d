"""The parser of the arguments, which never repeats a password or a key."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NoReturn

KEY_DIGITS = re.compile("[0-9a-fA-F]{32}")
"""What only a key of public ids has."""

Run = Callable[[argparse.Namespace], "int | None"]
Commands = Any  # argparse gives the type of add_subparsers() no public name.


class Parser(argparse.ArgumentParser):
    """A parser whose errors repeat no argument that may hold a password, such as a URL, or a key."""

    given: ClassVar[Sequence[str]] = ()
    """The arguments of the command."""

    def __init__(self, **settings: Any) -> None:
        """Makes a parser that accepts no abbreviated options, so that later versions may add some."""
        super().__init__(**settings, allow_abbrev=False, formatter_class=formatter)

    def error(self, message: str) -> NoReturn:
        """Prints what is wrong, and exits with 2."""
        super().error(without_secrets(message, Parser.given))


def formatter(prog: str) -> argparse.HelpFormatter:
    """Returns a formatter with room for the longest option."""
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=40)


def without_secrets(message: str, arguments: Sequence[str]) -> str:
    """Returns a message without the arguments that it repeats, as far as they may hold a password or a key."""
    for argument in arguments:
        if ":" in argument or "@" in argument or "password" in argument or KEY_DIGITS.search(argument):
            shown = re.sub(r"^(-[\w-]*=?)?.*", r"\1…", argument, flags=re.DOTALL)
            for form in (argument, repr(argument)[1:-1]):
                message = message.replace(form, shown)
            if argument.startswith("-") and (value := argument.partition("=")[2]):
                # A message has the value of an option without the option.
                message = message.replace(repr(value)[1:-1], "…")
    return message


def add_command(commands: Commands, name: str, run: Run, summary: str, example: str, *, json: bool = True) -> Parser:
    """Adds a command with its example to the help, and returns its parser."""
    parser: Parser = commands.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", epilog=f"example:\n  {example}"
    )
    parser.set_defaults(run=run)
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON, with ids as strings")
    return parser


def add_group(commands: Commands, name: str, summary: str) -> Commands:
    """Adds a command that has commands of its own."""
    group = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    return group.add_subparsers(dest=f"{name}_command", metavar="COMMAND", required=True)


def unicode(text: str) -> str:
    """Returns an argument as the text that it is in UTF-8, whatever the locale."""
    try:
        return os.fsencode(text).decode()
    except UnicodeError:
        raise argparse.ArgumentTypeError("is not UTF-8") from None
