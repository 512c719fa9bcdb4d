"""`manage.py leafmint`: the command line of leafmint, with the store of the project's settings."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode

from django.core.management.base import BaseCommand, CommandError

from leafmint.cli import main
from leafmint.django import configuration
from leafmint.late_binding import current

OPENING = ("eager", "tags")
"""Options that would lease ids for a command that only looks."""


class Command(BaseCommand):
    """Runs a command of leafmint."""

    help = "Decodes and mints ids, and shows what the store of this project has leased."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass all arguments on, `--help` too, and exit as the command does."""
        sys.exit(run(without_settings(argv[2:])))

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Accept every argument, for `call_command`."""
        parser.add_argument("arguments", nargs=argparse.REMAINDER)

    def handle(self, *args: Any, arguments: list[str], **options: Any) -> None:
        """Run the command."""
        if code := run(arguments):
            raise CommandError(f"leafmint ended with {code}", returncode=code)


def run(arguments: list[str]) -> int:
    """Run a command of leafmint with the settings of the project."""
    if configuration.store_url():
        os.environ["LEAFMINT_URL"] = joined(as_url(configuration.store_url()), parameters_of("options"))
    if current().snowflake_url:
        os.environ["LEAFMINT_SNOWFLAKE_URL"] = joined(
            as_url(current().snowflake_url), parameters_of("snowflake_options")
        )
    return main(arguments)


def without_settings(arguments: list[str]) -> list[str]:
    """Return the arguments without those that every command of Django takes first."""
    kept, rest = [], iter(arguments)
    for argument in rest:
        if argument in ("--settings", "--pythonpath"):
            next(rest, None)
        elif not argument.startswith(("--settings=", "--pythonpath=")):
            kept.append(argument)
    return kept


def as_url(url: Any) -> str:
    """Return a URL as text."""
    return url if isinstance(url, str) else str(url.render_as_string(hide_password=False))


def parameters_of(kind: str) -> str:
    """Return options that are configured as parameters of a URL."""
    # No variable has all of them, one of which may be a password.
    return urlencode(
        {
            name: as_text(value)
            for name, value in getattr(current(), kind).items()
            if value is not None and name not in OPENING
        },
        quote_via=quote,
    )


def joined(url: str, parameters: str) -> str:
    """Return a URL with parameters."""
    return url + (("&" if "?" in url else "?") + parameters if parameters else "")


def as_text(value: Any) -> str:
    """Return the value of an option as a URL has it."""
    if isinstance(value, timedelta):
        return str(value.total_seconds())
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(sorted(value)) if isinstance(value, (list, tuple, set, frozenset)) else str(value)
