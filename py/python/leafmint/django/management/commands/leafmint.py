"""`manage.py leafmint`: the command line of leafmint, with the store of the project's settings."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leafmint.cli import main
from leafmint.cli.stores import Place
from leafmint.django import configuration
from leafmint.late_binding import current


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
    """Run a command of leafmint on what the project leases from."""
    places = {**named("LEAFMINT_URL", "url"), **named("LEAFMINT_SNOWFLAKE_URL", "snowflake_url")}
    return main(arguments, places, configuration.PROGRAM, configuration.init(), configuration.columns())


def named(variable: str, attribute: str) -> dict[str, Place]:
    """Return what is configured in place of a variable of the environment, if anything is."""
    bound = current()
    if getattr(bound, attribute) is None:
        return {}
    return {variable: Place(getattr(bound, attribute), looking("options"), looking("snowflake_options"))}


def looking(kind: str) -> dict[str, Any]:
    """Return the options of a kind without those that would lease ids for a command that only looks."""
    return {name: value for name, value in getattr(current(), kind).items() if name not in ("eager", "eager_tags")}


def without_settings(arguments: list[str]) -> list[str]:
    """Return the arguments without those that every command of Django takes first."""
    kept, rest = [], iter(arguments)
    for argument in rest:
        if argument in ("--settings", "--pythonpath"):
            next(rest, None)
        elif not argument.startswith(("--settings=", "--pythonpath=")):
            kept.append(argument)
    return kept
