"""The command `check`, a probe: can the store and the holder serve."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import OPTIONS, SNOWFLAKE_OPTIONS, InvalidConfigError, LeafmintError, SegmentGenerator, SnowflakeGenerator
from .failure import code_of, exit_code
from .output import counted, printable, time_text, write_json, write_line
from .parser import Commands, add_command, unicode
from .stores import add_store, option_values, url_of

if TYPE_CHECKING:
    from .. import SnowflakeCheck

HOLDERS = ("local:", "fixed:")
"""URLs of holders that are no stores."""
DAYS_OF_A_YEAR = 365.2425


class Finding(NamedTuple):
    """One line of the report."""

    check: str
    status: str
    text: str
    figures: dict[str, Any]
    exit_code: int = 0


def add(commands: Commands) -> None:
    """Adds the command."""
    check = add_command(
        commands, "check", run, "say whether the store and the holder can serve; a probe", "leafmint check --timeout 2s"
    )
    check.add_argument("store_url", metavar="URL", nargs="?", type=unicode, help="as --url")
    check.add_argument(
        "--tag", action="append", default=[], type=unicode, metavar="TAG", help="a tag that must be there"
    )
    check.add_argument("--snowflake", action="store_true", help="check the worker ids in that database too")
    check.add_argument("--timeout", default="3s", metavar="TIME", help="longest wait for each of both (default: 3s)")
    add_store(check)


def run(args: Namespace) -> int:
    """Prints what was found, and returns the exit code for the worst of it."""
    findings = list(find(args))
    code = max(finding.exit_code for finding in findings)
    if args.json:
        checks = [{"check": it.check, "status": it.status, "text": it.text, **it.figures} for it in findings]
        write_json({"ok": code == 0, "checks": checks})
    else:
        for finding in findings:
            write_line(f"{finding.status:4}  {finding.check:10}  {printable(finding.text)}")
    return code


def find(args: Namespace) -> Iterator[Finding]:
    """Checks the store and the holder that are configured."""
    options = {**option_values(args), "timeout": args.timeout}
    store, holder = urls(args)
    known = {option.name for option in (*(OPTIONS if store else ()), *(SNOWFLAKE_OPTIONS if holder else ()))}
    if unknown := options.keys() - known:
        raise InvalidConfigError(f"unknown option {min(unknown)}: see leafmint options")
    if args.tag and not store:
        raise InvalidConfigError("--tag names a tag of a store, and no store is checked: set LEAFMINT_URL")
    if store:
        yield from checked("store", lambda: store_findings(store, choose(options, OPTIONS), args.tag))
    if holder:
        yield from checked("worker ids", lambda: holder_findings(holder, choose(options, SNOWFLAKE_OPTIONS)))


def urls(args: Namespace) -> tuple[str | None, str | None]:
    """Returns the URLs of the store and of the holder that are to be checked."""
    given = args.store_url or args.url
    snowflake_url = None if given else os.environ.get("LEAFMINT_SNOWFLAKE_URL")
    if snowflake_url and not os.environ.get("LEAFMINT_URL"):
        return None, url_of(None, "LEAFMINT_SNOWFLAKE_URL")
    url = url_of(given, "LEAFMINT_URL")
    if url.startswith(HOLDERS):
        return None, url
    return url, url_of(None, "LEAFMINT_SNOWFLAKE_URL") if snowflake_url else (url if args.snowflake else None)


def choose(options: dict[str, Any], known: tuple[Any, ...]) -> dict[str, Any]:
    """Returns the options that one of the generators has."""
    return {option.name: options[option.name] for option in known if option.name in options}


def checked(name: str, find: Callable[[], list[Finding]]) -> list[Finding]:
    """Returns what a check finds, or its failure."""
    try:
        return find()
    except LeafmintError as error:
        figures = {"code": code_of(error), "retryable": error.retryable}
        return [Finding(name, "fail", f"{error.code}: {error}", figures, exit_code(error))]


def store_findings(url: str, options: dict[str, Any], tags: list[str]) -> list[Finding]:
    """Checks a store and its tags. Its connections are closed only if it answers: a close waits for the server too."""
    ids = SegmentGenerator(url, **{**options, "close_at_exit": False})
    found = ids.check()
    stored = {tag.biz_tag: tag.problem for tag in ids.list_tags()} if tags else {}
    ids.close()
    new = ", new: its first use makes it" if found.is_new else f": {counted(found.tags, 'tag')}"
    text = f"{found.scope}{new}, answered in {found.round_trip_millis:.0f} ms"
    return [Finding("store", "ok", text, found._asdict()), *(tag_finding(tag, stored) for tag in tags)]


def tag_finding(tag: str, stored: dict[str, str | None]) -> Finding:
    """Judges a tag that must be there."""
    problem = stored.get(tag, "the store has no such tag")
    status, code = ("ok", 0) if problem is None else ("fail", 2)
    return Finding("tag", status, f"{tag}: {problem or 'can be leased'}", {"biz_tag": tag}, code)


def holder_findings(url: str, options: dict[str, Any]) -> list[Finding]:
    """Checks a holder, the clocks and the time bits of the layout."""
    flakes = SnowflakeGenerator(url, **{**options, "close_at_exit": False})
    found = flakes.check()
    flakes.close()
    text = f"{found.scope}: {found.free_workers:,} of {found.workers:,} worker ids are free"
    figures = {name: getattr(found, name) for name in ("scope", "holder", "is_new", "workers", "free_workers")}
    # Not a failure: a process that holds a worker id can serve.
    findings = [Finding("worker ids", "ok" if found.free_workers else "warn", text, figures), time_bits(found)]
    if found.clock_skew_millis is not None:
        text = f"the clock of the database is {found.clock_skew_millis:+,} ms from that of this host"
        findings.append(Finding("clock", "ok", text, {"clock_skew_millis": found.clock_skew_millis}))
    return findings


def time_bits(found: SnowflakeCheck) -> Finding:
    """Says how long the layout lasts."""
    years = (found.runs_out - datetime.now(timezone.utc)).days / DAYS_OF_A_YEAR
    text = f"layout {found.layout} lasts until {time_text(found.runs_out)}, for {years:.1f} years"
    figures = {"layout": found.layout, "runs_out": time_text(found.runs_out)}
    return Finding("time bits", "ok" if years > 1 else "warn", text, figures)
