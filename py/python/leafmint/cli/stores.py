"""The generators of the commands: which URL and which options they get."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any

from .. import InvalidConfigError, SegmentGenerator, SnowflakeGenerator
from .parser import unicode

URL_HELP = (
    "URL of the store (default: LEAFMINT_URL). Other users of this host can see the arguments of a process: give a URL "
    "with a password in the environment"
)
FLAKES_HELP = "URL of the holder of worker ids (default: LEAFMINT_SNOWFLAKE_URL, then LEAFMINT_URL)"


def add_store(parser: ArgumentParser, text: str = URL_HELP) -> None:
    """Adds the arguments that open a generator."""
    parser.add_argument("--url", type=unicode, help=text)
    parser.add_argument(
        "-o", "--option", action="append", default=[], type=option, metavar="NAME=VALUE",
        help="an option of the generator, see `leafmint options`; may be repeated",
    )  # fmt: skip


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


def url_of(given: str | None, *variables: str) -> str:
    """Returns the URL that is given, or that of the first variable that is set."""
    if given:
        return given
    for variable in variables:
        if url := os.environ.get(variable):
            return as_unicode(variable, url)
    raise InvalidConfigError(f"no URL: set {' or '.join(variables)}, or give one by --url")


def as_unicode(variable: str, url: str) -> str:
    """Returns the value of an environment variable as the text that it is in UTF-8, whatever the locale."""
    try:
        return unicode(url)
    except ArgumentTypeError:
        raise InvalidConfigError(f"{variable} is not UTF-8") from None


def option_values(args: Namespace) -> dict[str, Any]:
    """Returns the options that are given."""
    return dict(args.option)


def segments(args: Namespace) -> SegmentGenerator:
    """Opens the generator of segments that the arguments name."""
    return SegmentGenerator(url_of(args.url, "LEAFMINT_URL"), **option_values(args))


def snowflakes(args: Namespace) -> SnowflakeGenerator:
    """Opens the generator of snowflakes that the arguments name."""
    return SnowflakeGenerator(url_of(args.url, "LEAFMINT_SNOWFLAKE_URL", "LEAFMINT_URL"), **option_values(args))
