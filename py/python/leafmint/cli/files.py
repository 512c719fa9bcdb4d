"""The command `files`, which prints what operators put elsewhere."""

from __future__ import annotations

from argparse import Namespace
from importlib.resources import files

from .output import write, write_json
from .parser import Commands, add_command

FILES = {"alerts": "alerts.yaml", "dashboard": "dashboard.json", "page": "page.html"}
"""The files of the package, by what they are called."""


def add(commands: Commands) -> None:
    """Adds the command."""
    command = add_command(
        commands, "files", run, "print a file that operators put elsewhere", "leafmint files page > page.html"
    )
    command.add_argument(
        "name",
        choices=list(FILES),
        help="rules for Prometheus, a dashboard for Grafana, or the page for operators",
    )


def run(args: Namespace) -> None:
    """Prints the file."""
    name = FILES[args.name]
    text = (files("leafmint") / "files" / name).read_text(encoding="utf-8")
    if args.json:
        write_json({"file": name, "text": text})
    else:
        write(text)
