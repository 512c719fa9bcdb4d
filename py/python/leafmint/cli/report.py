"""The command `report`, which writes the page with a status in it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from .._internal.page import page_of
from .output import printable, write_error, write_json, write_line
from .parser import Commands, add_command
from .status import Looks, add_parts, code_of
from .stores import add_store


def add(commands: Commands) -> None:
    """Adds the command."""
    report = add_command(
        commands, "report", run, "write the status as a page for a browser", "leafmint report --html status.html"
    )
    report.add_argument("--html", type=Path, required=True, metavar="FILE", help="the file to write or replace")
    add_parts(report)
    add_store(report)


def run(args: Namespace) -> int:
    """Writes the page, and returns the exit code of `status`."""
    status = Looks(args).read()
    replace(args.html, page_of(status.document))
    if args.json:
        write_json({"file": str(args.html), "errors": status.document["errors"]})
        return code_of(status)
    write_line(f"{printable(args.html)}: written")
    for error in status.document["errors"]:
        write_error(f"leafmint: {error['part']}: {error['code']}: {printable(error['message'])}\n")
    return code_of(status)


def replace(file: Path, text: str) -> None:
    """Replaces a file as a whole: a reader sees the old page or the new one."""
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(file)
