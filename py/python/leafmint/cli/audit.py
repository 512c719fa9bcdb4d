"""The command `audit`: how far the keys of a database are used."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from .. import AuditFinding, AuditReport, InvalidConfigError, KeyUse, Layout
from .. import audit as read
from .._internal.json_records import days_left, finding_record, key_record, time_text
from .decode import EPOCH
from .failure import FINDINGS
from .hosts import first_answer
from .opened import store_place
from .output import counted, printable, write_json, write_line, write_table
from .parser import Commands, add_command, unicode
from .stores import add_store, option_values

LEAST_SHOWN = 1
"""The share of its range in percent, from which on a key without a finding is shown."""
LONGEST = 3650
"""Days from which on the number is not shown."""
FAILURES = (
    "problem",
    "note",
    "runs_out",
    "narrow_reference",
    "counter_behind",
    "tag_behind",
    "rounded_in_json",
    "clock_ahead",
    "mixed_layouts",
)
UNREAD = "this account may not read it, or it is locked or damaged"
SEES_NONE = "this account sees no table: grant it SELECT, or name the database that has them"
URL_HELP = "URL of the database (default: LEAFMINT_URL); give a URL with a password in the environment"


def add(commands: Commands) -> None:
    """Adds the command."""
    audit = add_command(
        commands, "audit", run, "say which keys of a database run out, lie behind or are too narrow; writes nothing",
        "leafmint audit --url sqlite:///shop.db",
    )  # fmt: skip
    add_tables(audit)
    audit.add_argument(
        "--ignore", action="append", default=[], type=unicode, metavar="GLOB[:KIND]",
        help="leave out findings of these tables, or only those of this kind or severity; may be repeated",
    )  # fmt: skip
    audit.add_argument("--layout", metavar="TEXT", help="preset or bits, to decode keys above 2^53")
    audit.add_argument("--epoch", metavar="TIME", help=EPOCH)
    audit.add_argument(
        "--since", type=Path, metavar="FILE", help="an earlier report (--json), to compute the days left"
    )
    audit.add_argument(
        "--fail-on", action="append", choices=FAILURES, metavar="KIND",
        help="kind or severity of findings that end with 1 (default: problem); may be repeated",
    )  # fmt: skip
    audit.add_argument("--all", action="store_true", help="also show keys of which less than 1 %% is used")
    add_store(audit, URL_HELP)


def add_tables(parser: ArgumentParser) -> None:
    """Adds the arguments that choose tables and their tags."""
    parser.add_argument(
        "--table", action="append", default=[], type=unicode, metavar="GLOB",
        help="only these tables, with * and ?; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--tag", action="append", default=[], type=mapping, metavar="TABLE=TAG",
        help="the tag of a table, if it has another name; may be repeated",
    )  # fmt: skip


def mapping(text: str) -> tuple[str, str]:
    """Reads a table and its tag."""
    table, equals, tag = unicode(text).partition("=")
    if not (table and equals and tag):
        raise ArgumentTypeError("write TABLE=TAG")
    return table, tag


def run(args: Namespace) -> int:
    """Prints what was found. Returns 1 if something has to be done, or was not read."""
    since = earlier(args.since) if args.since else None
    place = store_place(args)
    layout = Layout(args.layout, epoch=args.epoch) if args.layout else None
    request = {"tables": args.table, "tags": dict(args.tag), "ignore": args.ignore, "layout": layout, "since": since}
    options = {**place.options, **option_values(args), **request}
    host, report = first_answer(place, lambda alone: read(alone.source, **options))
    if args.json:
        write_json({**document(report), "host": host})
    else:
        show(report, is_whole=args.all)
    fail_on = set(args.fail_on or ["problem"])
    fails = any(fail_on & {finding.severity, finding.kind} for finding in report.findings)
    return FINDINGS if fails or report.unread else 0


def document(report: AuditReport) -> dict[str, Any]:
    """Returns a report as JSON has it, with numbers that may be large as strings."""
    return {
        "scope": report.scope,
        "read_at": time_text(report.read_at),
        "ok": report.ok,
        "keys": [key_record(key) for key in report.keys],
        "findings": [finding_record(it) for it in report.findings],
        "unread": report.unread,
    }


def earlier(path: Path) -> AuditReport:
    """Reads the document of an earlier report, as far as a later one needs it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        at = datetime.fromisoformat(found["read_at"].replace("Z", "+00:00"))
        keys = tuple(
            KeyUse(
                table=key["table"],
                column=key["column"],
                data_type=key["data_type"],
                used=int(key["used"]),
                largest=int(key["largest"]),
                time_left=None,
            )
            for key in found["keys"]
        )
        return AuditReport(scope=str(found["scope"]), read_at=at, keys=keys, findings=(), unread=())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidConfigError(f"{path} is no report of `leafmint audit --json`: {error}") from error


def show(report: AuditReport, *, is_whole: bool) -> None:
    """Prints a report for people."""
    found = {(finding.table, finding.column) for finding in report.findings}
    keys = [key for key in report.keys if is_whole or share(key) >= LEAST_SHOWN or (key.table, key.column) in found]
    write_line(f"{report.scope}, read {time_text(report.read_at)}\n")
    if keys:
        write_table(["table", "column", "type", "highest", "used", "days left"], rows_of(keys), right=(3, 4, 5))
        write_line()
    for line in found_lines(report):
        write_line(line)
    gap = "\n" if report.findings or report.unread else ""
    hidden = len(report.keys) - len(keys)
    rest = f" {counted(hidden, 'key')} of less than {LEAST_SHOWN} % not shown: use --all." if hidden else ""
    write_line(f"{gap}{counted(len(report.keys), 'key')}, {summary(report)}. Nothing was written.{rest}")


def found_lines(report: AuditReport) -> Iterator[str]:
    """Yields a line for each finding, and for each table that was not read."""
    for finding in report.findings:
        yield f"{finding.severity:7}  {printable(named(finding))}: {printable(finding.text)}"
    for table in report.unread:
        yield f"unread   {printable(table)}: {SEES_NONE if table == '*' else UNREAD}"


def rows_of(keys: list[KeyUse]) -> list[tuple[object, ...]]:
    """Returns the cells of each key."""
    return [(key.table, key.column, key.data_type, f"{key.used:,}", f"{share(key):.1f} %", days(key)) for key in keys]


def share(key: KeyUse) -> float:
    """Returns the share of its range that a key has used, in percent."""
    return key.used / key.largest * 100


def days(key: KeyUse) -> str | None:
    """Returns the days left, if they are worth counting."""
    left = days_left(key)
    if left is None:
        return None
    return f"{left:,.0f}" if left < LONGEST else f"over {LONGEST:,}"


def named(finding: AuditFinding) -> str:
    """Returns the name of what a finding is about."""
    return f"{finding.table}.{finding.column}" if finding.column else finding.table


def summary(report: AuditReport) -> str:
    """Counts the findings."""
    problems = sum(finding.severity == "problem" for finding in report.findings)
    return f"{counted(problems, 'problem')}, {counted(len(report.findings) - problems, 'note')}"
