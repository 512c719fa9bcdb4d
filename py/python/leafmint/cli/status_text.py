"""A status document as text of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from .output import Columns, columns_of, counted, printable
from .words import ago, lasting, moment, shortened

WIDTH = 80
NAMES = 12
"""Columns that a name has at least."""
SHOWN = 10
"""Rows of each table, unless all are to be shown."""
LEAST_SHOWN = 1
"""The share of its range in percent, from which on a key is shown."""
PARTS = {"store": ("store", "tags", "series"), "holder": ("holder", "workers"), "keys": ("keys",)}
"""Where the errors of parts are shown."""


class Rates:
    """The ids that are leased per second of each tag, from one look to the next."""

    def __init__(self) -> None:
        """Begins without a look."""
        self.before: dict[str, int] = {}
        self.at: float = 0.0

    def since_last(self, document: dict[str, Any], now: float) -> dict[str, float]:
        """Returns the rates since the last look, of the tags that both have."""
        found = {tag["name"]: int(tag["max_id"]) for tag in document["tags"] if tag["max_id"] is not None}
        passed = max(now - self.at, 1e-3)
        rates = {name: (number - self.before[name]) / passed for name, number in found.items() if name in self.before}
        if found:
            self.before, self.at = found, now
        return rates


def lines_of(document: dict[str, Any], most: int | None, rates: dict[str, float]) -> Iterator[str]:
    """Yields the lines of a status, with at most this number of rows of each table."""
    now = moment(document["read"])
    errors = document["errors"]
    for part, show in (("store", store_lines), ("holder", holder_lines), ("keys", key_lines)):
        failed = [error for error in errors if error["part"] in PARTS[part]]
        if document[part] is not None or failed:
            yield from show(document, now, most, rates)
            said: dict[str, list[str]] = {}
            for error in failed:
                said.setdefault(f"{error['code']}: {error['message']}", []).append(error["part"])
            for text, parts in said.items():
                yield from wrapped("error", f"{', '.join(parts)}: {text}")
            yield ""
    yield f"read {document['read']}"


def plain_lines(document: dict[str, Any], rates: dict[str, float]) -> Iterator[str]:
    """Yields a line for each tag that was changed last, and for each error, for a log."""
    for tag in latest(document["tags"])[:SHOWN]:
        rate = rate_text(rates.get(tag["name"]))
        yield f"{document['read']}  {printable(tag['name'])}  max_id {printable(tag['max_id'])}  {rate} ids/s"
    for error in document["errors"]:
        yield f"{document['read']}  error  {error['part']}: {error['code']}: {printable(error['message'])}"


def store_lines(document: dict[str, Any], now: datetime, most: int | None, rates: dict[str, float]) -> Iterator[str]:
    """Yields the store, its tags and its series."""
    store = document["store"]
    yield from wrapped("store", store["scope"])
    if store["answered"] is not None:
        at = f" at {store['host']}" if store["host"] else ""
        state = "there is no table yet: the first use makes it" if store["is_new"] else ""
        yield from wrapped("", "; ".join(filter(None, [f"answered in {store['answered'] * 1000:.0f} ms{at}", state])))
    for host in store["hosts"] or []:
        yield from wrapped("host", host_line(host, store["host"]))
    if tags := latest(document["tags"]):
        yield ""
        titles = ["tag", "max_id", "step", "changed", *(["ids/s"] if rates else [])]
        rows = [
            [tag["name"], tag["max_id"], tag["step"], ago(tag["update_time"], now)]
            + ([rate_text(rates.get(tag["name"]))] if rates else [])
            for tag in tags[:most]
        ]
        yield from table(titles, rows, (1, 2, 4))
        yield from more(len(tags), most, "tag")
        for tag in [tag for tag in tags if tag["problem"]][:most]:
            yield from wrapped("error", f"{tag['name']} cannot be used: {tag['problem']}")
    if series := document["series"]:
        yield ""
        rows = [
            [each["name"], each["latest"] or "-", each["max_id"], each["left"], ago(each["ends"], now)]
            for each in series[:most]
        ]
        yield from table(["series", "latest", "max_id", "left", "ends"], rows, (2, 3))
        yield from more(len(series), most, "series")


def host_line(host: dict[str, Any], answered_by: str | None) -> str:
    """Says how one host of a list is."""
    answered = None if host["answered"] is None else f"{host['answered'] * 1000:.0f} ms"
    behind, ahead = (counted(host[name] or 0, "tag") for name in ("behind", "ahead"))
    differs = [
        f"{behind} behind {answered_by}" if host["behind"] else None,
        f"{ahead} ahead of {answered_by}, which lacks those leases" if host["ahead"] else None,
    ]
    return f"{host['host']}: " + "; ".join(filter(None, [answered, host["problem"], *differs]))


def holder_lines(document: dict[str, Any], now: datetime, most: int | None, _: dict[str, float]) -> Iterator[str]:
    """Yields the holder and its worker ids: those that are held first."""
    holder = document["holder"]
    yield from wrapped("ids of", holder["scope"])
    if holder["workers"] is not None:
        free = f"{holder['free_workers']:,} of {holder['workers']:,} worker ids are free"
        yield from wrapped("", f"{free}; time bits end in {moment(holder['runs_out']).year}")
    if workers := sorted(document["workers"], key=lambda it: not it["held"]):
        yield ""
        rows = [
            [
                worker["worker_id"],
                worker["endpoint"],
                "yes" if worker["held"] else "no",
                ago(worker["horizon"], now),
                # One that came after the look began, or by a clock that is ahead, is one of now.
                ago(worker["updated"] and min(worker["updated"], document["read"]), now),
            ]
            for worker in workers[:most]
        ]
        yield from table(["worker id", "endpoint", "held", "reserved until", "last heartbeat"], rows, (0,), names=1)
        yield from more(len(workers), most, "worker id")


def key_lines(document: dict[str, Any], _: datetime, most: int | None, __: dict[str, float]) -> Iterator[str]:
    """Yields the keys that run out, and what is wrong."""
    every = document["keys"] or []
    keys = every if most is None else [key for key in every if share(key) >= LEAST_SHOWN]
    hidden = len(every) - len(keys)
    rest = f", {hidden:,} of them used to less than {LEAST_SHOWN} %: use --all" if hidden else ""
    yield from wrapped("keys", f"{counted(len(every), 'key')}{rest}")
    if keys:
        yield ""
        rows = [
            [f"{key['table']}.{key['column']}", key["data_type"], f"{share(key):.1f} %", days(key["days_left"])]
            for key in keys[:most]
        ]
        yield from table(["key", "type", "used", "lasts"], rows, (2,))
        yield from more(len(keys), most, "key")
    for finding in (document["findings"] or [])[:most]:
        yield from wrapped(finding["severity"], f"{finding['table']}.{finding['column']}: {finding['text']}")


def latest(tags: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns tags, the one that was changed last first."""
    return sorted(tags, key=lambda tag: tag["update_time"] or "", reverse=True)


def share(key: dict[str, Any]) -> float:
    """Returns the share of its range that a key has used, in percent."""
    return int(key["used"]) / int(key["largest"]) * 100


def days(left: float | None) -> str | None:
    """Returns in words how long a key lasts."""
    return None if left is None else lasting(timedelta(days=min(left, 36_500)))


def rate_text(rate: float | None) -> str:
    """Returns a number of ids per second."""
    return "-" if rate is None else f"{rate:,.1f}" if abs(rate) < 10 else f"{rate:,.0f}"


def more(number: int, most: int | None, noun: str) -> Iterator[str]:
    """Yields how many rows are not shown, if there are any."""
    if most is not None and number > most:
        rest = number - most
        yield f"and {rest:,} more {noun if noun == 'series' or rest == 1 else f'{noun}s'}: use --all"


def table(titles: Sequence[str], rows: Sequence[Sequence[object]], right: tuple[int, ...], names: int = 0) -> list[str]:
    """Returns rows under their titles, in 80 columns: what is too long is cut, the column `names` first."""
    columns = Columns(titles, right)
    columns.fit(rows)
    used = sum(columns.widths) - columns.widths[names] + 2 * (len(titles) - 1)
    columns.widths[names] = max(min(columns.widths[names], WIDTH - used), min(NAMES, columns.widths[names]))
    widths = columns.widths
    cut = [[shortened(cell, width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return [shortened(columns.line(cells), WIDTH) for cells in (titles, *cut)]


def wrapped(head: str, text: str) -> list[str]:
    """Returns a text behind a head, in lines of 80 columns."""
    lines = textwrap.wrap(printable(text), WIDTH - 9, break_long_words=True, break_on_hyphens=False)
    if any(columns_of(line) > WIDTH - 9 for line in lines):
        lines = textwrap.wrap(printable(text), (WIDTH - 9) // 2, break_long_words=True, break_on_hyphens=False)
    return [f"{head if index == 0 else '':8} {line}".rstrip() for index, line in enumerate(lines)]
