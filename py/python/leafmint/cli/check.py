"""The command `check`, a probe: can the store and the holder serve."""

from __future__ import annotations

import re
import socket
from argparse import Namespace
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from .. import (
    InvalidConfigError,
    LeafmintError,
    SegmentGenerator,
    SnowflakeGenerator,
)
from .._internal.json_records import time_text
from .._internal.series_tags import by_series, series_record
from .failure import UNAVAILABLE, code_of, exit_code
from .finding import Finding
from .hosts import answered_by
from .opened import options_of_both, places, segments, snowflakes
from .output import counted, printable, write_json, write_line
from .parser import Commands, add_command, unicode
from .reported import Reports
from .stores import add_store
from .tag_findings import leased_of, recover_command, tag_findings

if TYPE_CHECKING:
    from .. import SeriesInfo, SnowflakeCheck, TagInfo

DAYS_OF_A_YEAR = 365.2425

MILLISECOND = timedelta(milliseconds=1)


def add(commands: Commands) -> None:
    """Adds the command."""
    check = add_command(
        commands, "check", run, "say whether the store and the holder can serve; a probe", "leafmint check --timeout 2s"
    )
    check.add_argument("--tag", action="append", default=[], type=unicode, metavar="TAG", help="a tag that must exist")
    check.add_argument(
        "--prometheus",
        type=unicode,
        metavar="URL",
        help="compare these tags, or else all of this store, with what processes report to this Prometheus",
    )
    check.add_argument("--snowflake", action="store_true", help="also check the worker ids in that database")
    check.add_argument(
        "--series", action="store_true", help="check whether a format of a series ends before its period"
    )
    check.add_argument(
        "--timeout", default="3s", metavar="TIME", help="longest wait for the store, and for the holder (default: 3s)"
    )
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
    store, holder = places(args)
    of_store, of_holder = options_of_both(args, store, holder, timeout=args.timeout, close_at_exit=False)
    if args.tag and not store:
        raise InvalidConfigError("--tag names a tag of a store, and no store is checked: set LEAFMINT_URL")
    if args.prometheus and not store:
        raise InvalidConfigError("--prometheus is compared with a store, and none is checked: set LEAFMINT_URL")
    if store:
        yield from checked("store", lambda: store_findings(segments(store, of_store), args))
    if holder:
        yield from checked("worker ids", lambda: holder_findings(snowflakes(holder, of_holder)))


def checked(name: str, find: Callable[[], list[Finding]]) -> list[Finding]:
    """Returns what a check finds, or its failure."""
    try:
        return find()
    except LeafmintError as error:
        figures = {"code": code_of(error), "retryable": error.retryable}
        return [Finding(name, "fail", f"{error.code}: {error}", figures, exit_code(error))]


def store_findings(ids: SegmentGenerator, args: Namespace) -> list[Finding]:
    """Checks a store, its tags and its series.

    Its connections are closed only if it answers: a close waits for the server too.
    """
    found = ids.check()
    # Before the tags are read: a process may lease in between.
    # A tag that is named may be reported under another name of this store.
    scope = None if args.tag else found.scope
    leased = leased_of(Reports(args.prometheus, scope), args.tag) if args.prometheus else None
    tags = ids.list_tags() if leased or args.tag or args.series else []
    series = ids.list_series() if args.series else []
    ids.close()
    stored = {tag.name: tag for tag in tags}
    new = ", new: its first use makes it" if found.is_new else f": {counted(found.tags, 'tag')}"
    is_empty = not (found.is_new or found.tags or leased)
    millis = found.round_trip / MILLISECOND
    figures = {name: getattr(found, name) for name in ("scope", "is_new", "tags", "creates_tags")}
    figures |= {"host": ids.stats().host, "round_trip_millis": millis}
    text = f"{found.scope}{new}, answered in {millis:.0f} ms{answered_by(ids)}"
    if is_empty:
        text += f". If there were tags, make them again: {recover_command('TAG', args.prometheus)}"
    of_tags = tag_findings(args.tag, stored, leased, args.prometheus)
    return [Finding("store", "warn" if is_empty else "ok", text, figures), *of_tags, *series_findings(series, tags)]


def series_findings(series: list[SeriesInfo], tags: list[TagInfo]) -> Iterator[Finding]:
    """Says how full the formats of series are. One that ends early is a warning: it serves until then."""
    now, tags_of = datetime.now(timezone.utc), by_series(tags, series)
    for each in series:
        document = series_record(each, tags_of[each.name], now)
        if document["left"] is None:
            continue
        left, ends, latest = int(document["left"]), document["ends"], document["latest"] or "all time"
        text = f"{each.name}: {counted(left, 'number')} of {latest} left that {each.format} has room for"
        if ends is not None:
            text += f"; at this pace the last one is leased at {ends}: give the format one more digit"
        figures = {name: document[name] for name in ("name", "format", "latest", "left", "ends")}
        yield Finding("series", "ok" if left and ends is None else "warn", text, figures)


def holder_findings(flakes: SnowflakeGenerator) -> list[Finding]:
    """Checks a holder, the clocks and the time bits of the layout."""
    found = flakes.check()
    is_served = found.free_workers > 0 or has_one(flakes)
    flakes.close()
    text = f"{found.scope}: {found.free_workers:,} of {found.workers:,} worker ids are free{answered_by(flakes)}"
    figures = {name: getattr(found, name) for name in ("scope", "holder", "is_new", "workers", "free_workers")}
    figures["host"] = flakes.stats().host
    status = "ok" if found.free_workers else "warn" if is_served else "fail"
    if status == "warn":
        text += ", so that no other process can start: a rolling update needs a free one for each extra pod"
    elif status == "fail":
        text += ", so that no process of this host can start"
    free = Finding("worker ids", status, text, figures, 0 if is_served else UNAVAILABLE)
    return [free, time_bits(found), clock(found)]


def has_one(flakes: SnowflakeGenerator) -> bool:
    """Returns whether a process of this host has a worker id, as in a running pod, whose probe must not fail then."""
    of_this_host = re.compile(f"{re.escape(socket.gethostname())}-[0-9]+-[0-9a-f]+")
    return any(worker.held and of_this_host.fullmatch(worker.endpoint) for worker in flakes.list_workers())


def clock(found: SnowflakeCheck) -> Finding:
    """Compares the clocks, if the holder has one."""
    if found.clock_skew is None:
        return Finding("clock", "ok", "not checked, there is no database to compare with", {"clock_skew_millis": None})
    millis = found.clock_skew // MILLISECOND
    text = f"the clock of the database is {millis:+,} ms from that of this host"
    return Finding("clock", "ok", text, {"clock_skew_millis": millis})


def time_bits(found: SnowflakeCheck) -> Finding:
    """Says how long the layout lasts."""
    years = (found.runs_out - datetime.now(timezone.utc)).days / DAYS_OF_A_YEAR
    text = f"layout {in_words(found.layout)} lasts until {time_text(found.runs_out)}, for {years:.1f} years"
    figures = {"layout": found.layout, "runs_out": time_text(found.runs_out)}
    return Finding("time bits", "ok" if years > 1 else "warn", text, figures)


def in_words(layout: str) -> str:
    """Returns the text of a layout with its epoch as a time."""
    name, separator, millis = layout.rpartition("epoch:")
    return f"{name}{separator}{time_text(datetime.fromtimestamp(int(millis) / 1000, timezone.utc))}"
