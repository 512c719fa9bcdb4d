"""Compares the tags of a store with what must exist, and with what processes have leased."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from .. import TagInfo
from .._core import _command
from .failure import UNAVAILABLE, USAGE
from .finding import Finding
from .output import counted
from .reported import EXACT, LeftOut, NotReportedError, Reports
from .stores import without_password


class Leased(NamedTuple):
    """What processes report of tags."""

    place: str
    highest: Mapping[str, int | None]
    """The highest id of each tag; None if no process reports one."""
    doubts: Mapping[str, str | None]
    """Why one may have leased from such a tag all the same."""
    gap: str | None
    """Why processes may have leased more than is reported."""
    left_out: LeftOut | None = None
    """Tags of other stores."""


def leased_of(reports: Reports, tags: Iterable[str]) -> Leased:
    """Reads what processes report of these tags; of all, if there are none."""
    try:
        highest = {tag: reports.highest(tag) for tag in tags} or reports.every()
        doubts = {tag: reports.doubt(tag) for tag, number in highest.items() if number is None}
        return Leased(reports.place, highest, doubts, reports.gap, reports.left_out)
    except NotReportedError as error:
        return Leased(reports.place, {}, {}, str(error))


def tag_findings(
    tags: list[str], stored: Mapping[str, TagInfo], leased: Leased | None, prometheus: str | None
) -> Iterator[Finding]:
    """Judges the tags that must exist; all that processes have leased from, if none is named."""
    if leased is not None:
        yield comparison(leased)
    for tag in tags or sorted(leased.highest if leased else ()):
        finding = tag_finding(tag, stored.get(tag), leased, recover_command(tag, prometheus))
        if tags or finding.status != "ok":
            yield finding


def comparison(leased: Leased) -> Finding:
    """Says with what the tags are compared, or why that shows too little."""
    left_out = f"; {leased.left_out}" if leased.left_out else ""
    figures = {"tags": len(leased.highest), "left_out": leased.left_out.tags if leased.left_out else 0}
    if leased.gap is not None:
        text = f"cannot tell what processes have leased: {leased.gap}{left_out}"
        return Finding("metrics", "fail", text, figures, UNAVAILABLE)
    text = f"{counted(len(leased.highest), 'tag')} compared with {leased.place}{left_out}"
    return Finding("metrics", "ok", text, figures)


def recover_command(tag: str, prometheus: str | None) -> str:
    """Returns the command that makes or raises a tag above what processes report."""
    options = [("--prometheus", without_password(prometheus))] if prometheus else []
    return _command("tags recover", [tag], options)


def tag_finding(tag: str, stored: TagInfo | None, leased: Leased | None, recover: str) -> Finding:
    """Judges a tag that must exist, and above what processes report."""
    problem = stored.problem if stored is not None else why_missing(tag, leased, recover)
    if problem is not None:
        return Finding("tag", "fail", f"{tag}: {problem}", {"tag": tag}, USAGE)
    reported = leased.highest.get(tag) if leased else None
    if stored is not None and stored.max_id is not None and reported and is_behind(stored, reported):
        text = f"processes have leased up to {reported}, and the store leases {stored.max_id} next: {recover}"
        return Finding("tag", "fail", f"{tag}: {text}", {"tag": tag}, UNAVAILABLE)
    return Finding("tag", "ok", f"{tag}: can be leased", {"tag": tag})


def why_missing(tag: str, leased: Leased | None, recover: str) -> str:
    """Says what to do about a tag that the store does not have. Created again, a tag would repeat its ids."""
    missing = "the store has no such tag"
    if leased is None:
        return f"{missing}. To see whether a process has leased from it, add --prometheus URL"
    if reported := leased.highest.get(tag):
        return f"{missing}, and processes have leased up to {reported}. To make it, run {recover}"
    if doubt := leased.doubts.get(tag, leased.gap):
        text = f"{missing}, and leafmint cannot tell whether a process has leased from it: {doubt}"
        return f"{text}. If one has, run {recover}"
    return f"{missing}, and no process has leased from it. To make it, run {_command('tags create', [tag], [])}"


def is_behind(stored: TagInfo, reported: int) -> bool:
    """Returns whether the next lease has ids that were leased before. Prometheus rounds large numbers."""
    least = reported if reported < EXACT else reported - 2 * int(math.ulp(float(reported)))
    return least >= (stored.max_id or 0) << (stored.gene_bits or 0)
