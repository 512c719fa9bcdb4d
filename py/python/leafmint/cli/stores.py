"""The generators of the commands: from what they are opened, and with which options."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import InvalidConfigError
from .parser import unicode

if TYPE_CHECKING:
    from .._core import _Place

URL_HELP = (
    "URL of the store (default: LEAFMINT_URL). Other users of this host can see the arguments of a process: give a URL "
    "with a password in the environment"
)
MAY_HAVE_PASSWORD = re.compile(r"//.*:.*@|passw|secret", re.IGNORECASE | re.DOTALL)
FLAKES_HELP = "URL of the holder of worker ids (default: LEAFMINT_SNOWFLAKE_URL, then LEAFMINT_URL)"


class Place:
    """What a command reads from, and the options that an application has for both kinds of generators on it.

    A variable that has one shows no password.
    """

    def __init__(
        self,
        source: _Place,
        options: Mapping[str, Any] | None = None,
        snowflake_options: Mapping[str, Any] | None = None,
    ) -> None:
        self.source: _Place = source
        self.options: Mapping[str, Any] = options or {}
        self.snowflake_options: Mapping[str, Any] = snowflake_options or {}


def add_store(parser: ArgumentParser, text: str = URL_HELP) -> None:
    """Adds the arguments that open a generator."""
    parser.add_argument("--url", type=unicode, help=text)
    parser.add_argument(
        "-o", "--option", action="append", default=[], type=option, metavar="NAME=VALUE",
        help="an option of the generator, see `leafmint options`; may be repeated",
    )  # fmt: skip
    parser.add_argument("--host", metavar="HOST", type=unicode, help="this host alone of those that the URL lists")


def option(text: str) -> tuple[str, str]:
    """Reads the name and the value of an option."""
    name, equals, value = unicode(text).partition("=")
    if not equals:
        raise ArgumentTypeError("write NAME=VALUE")
    if name == "url":
        raise ArgumentTypeError("give the URL by --url")
    if name == "password":
        raise ArgumentTypeError("give the password in LEAFMINT_URL: arguments are visible to other users of this host")
    return name, value


def place_of(args: Namespace, given: str | None, *variables: str) -> Place:
    """Returns the URL that is given, or what the application or the environment has for the first variable."""
    if given:
        return Place(given)
    for variable in variables:
        if variable in args.application:
            place: Place = args.application[variable]
            return place
        if url := os.environ.get(variable):
            return Place(as_unicode(variable, url))
    raise InvalidConfigError(f"no URL: set {' or '.join(variables)}, or give one by --url")


def is_named(args: Namespace, variable: str) -> bool:
    """Returns whether the application or the environment has a value for a variable."""
    return variable in args.application or bool(os.environ.get(variable))


def as_unicode(variable: str, url: str) -> str:
    """Returns the value of an environment variable as the text that it is in UTF-8, whatever the locale."""
    try:
        return unicode(url)
    except ArgumentTypeError:
        raise InvalidConfigError(f"{variable} is not UTF-8") from None


def options_of_place(args: Namespace) -> list[tuple[str, str]]:
    """Returns the options that name the same store for another command, without a password."""
    found = [("--url", without_password(args.url))] if getattr(args, "url", None) else []
    found += [("-o", f"{name}={value}") for name, value in getattr(args, "option", [])]
    return found + ([("--host", args.host)] if getattr(args, "host", None) else [])


def without_password(url: str) -> str:
    """Returns a URL, or if it may have a password the word that its place is named by."""
    return "URL" if MAY_HAVE_PASSWORD.search(url) else url


def option_values(args: Namespace) -> dict[str, Any]:
    """Returns the options that are given."""
    return dict(args.option)
