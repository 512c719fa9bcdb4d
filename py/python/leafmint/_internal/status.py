"""The status document: what a store, a holder, an audit and this process say at one moment.

`leafmint status`, the page and the endpoints have the same document; tests/vectors/status.json has an example. A part
that cannot be read is missing, and its error is listed; the other parts are there.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from typing import Any, TypeVar

from .._core import SegmentGenerator, SnowflakeGenerator, __version__
from ..errors import InvalidConfigError, LeafmintError
from ..records import AuditReport, TagInfo
from .json_records import figures_record, finding_record, key_record, tag_record, time_text, worker_record
from .series_tags import by_series, own_tags, series_record

T = TypeVar("T")


class Status:
    """A status document while its parts are read."""

    def __init__(self) -> None:
        """Begins with no part."""
        self.document: dict[str, Any] = {
            "version": __version__,
            "read": time_text(datetime.now(timezone.utc)),
            "store": None,
            "tags": [],
            "not_shown": 0,
            "series": [],
            "holder": None,
            "workers": [],
            "keys": None,
            "findings": None,
            "process": None,
            "errors": [],
        }
        self.tags: list[TagInfo] | None = None
        """All tags of the store, also those of series; None if they were not read."""
        self.failures: list[tuple[str, LeafmintError]] = []

    def add_store(self, ids: SegmentGenerator) -> None:
        """Adds a store with its tags and its series. It leases nothing."""
        store: dict[str, Any] = {"scope": ids.scope, "host": None, "answered": None, "is_new": None, "hosts": None}
        self.document["store"] = store
        found = self.attempt("store", ids.check)
        if found is not None:
            answered = found.round_trip.total_seconds()
            store |= {"host": ids.stats().host, "answered": answered, "is_new": found.is_new}
        if not (found.is_new if found else self.is_away()):
            # Tags first: each series whose tag is listed is listed too.
            self.tags = self.attempt("tags", ids.list_tags)
            tags = self.tags or []
            series = self.attempt("series", ids.list_series) or []
            now, tags_of, shown = datetime.now(timezone.utc), by_series(tags, series), own_tags(tags, series)
            self.document["tags"] = [tag_record(tag) for tag in shown]
            self.document["not_shown"] = len(tags) - len(shown)
            self.document["series"] = [series_record(each, tags_of[each.name], now) for each in series]

    def add_holder(self, flakes: SnowflakeGenerator) -> None:
        """Adds a holder with its worker ids. It takes none."""
        holder: dict[str, Any] = {"scope": flakes.scope, **dict.fromkeys(HOLDER)}
        self.document["holder"] = holder
        found = self.attempt("holder", flakes.check)
        if found is not None:
            skew = None if found.clock_skew is None else found.clock_skew.total_seconds()
            holder |= {name: getattr(found, name) for name in HOLDER}
            holder |= {"runs_out": time_text(found.runs_out), "clock_skew": skew}
        if not (found.is_new if found else self.is_away()):
            workers = self.attempt("workers", flakes.list_workers) or []
            self.document["workers"] = [worker_record(worker) for worker in workers]

    def add_audit(self, read: Callable[[], AuditReport]) -> None:
        """Adds the keys of a database and what is wrong with them."""
        report = self.attempt("keys", read)
        if report is not None:
            self.document["keys"] = [key_record(key) for key in report.keys]
            self.document["findings"] = [finding_record(finding) for finding in report.findings]

    def add_process(self, generators: Iterable[SegmentGenerator | SnowflakeGenerator]) -> None:
        """Adds the figures of generators of this process. It asks no store."""
        process: dict[str, Any] = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "store_up": None,
            "failures": None,
            "tags": {},
            "snowflake": None,
        }
        for generator in generators:
            if isinstance(generator, SnowflakeGenerator):
                process["snowflake"] = figures_record(generator.stats())
            else:
                stats = generator.stats()
                process["store_up"] = stats.store_up and process["store_up"] is not False
                before = process["failures"] or {}
                process["failures"] = {code: before.get(code, 0) + count for code, count in stats.failures.items()}
                process["tags"] |= {name: figures_record(tag) for name, tag in stats.tags.items()}
        self.document["process"] = process

    def attempt(self, part: str, read: Callable[[], T]) -> T | None:
        """Reads a part; None if that failed, which is noted."""
        try:
            return read()
        except LeafmintError as error:
            self.fail(part, error)
            return None

    def fail(self, part: str, error: LeafmintError) -> None:
        """Notes why a part could not be read."""
        self.failures.append((part, error))
        self.document["errors"].append({"part": part, "code": error.code, "message": str(error)})

    def is_away(self) -> bool:
        """Returns whether the last failure was of a kind that the next call would have too, after as long a wait."""
        return not isinstance(self.failures[-1][1], InvalidConfigError)


HOLDER = ("holder", "is_new", "layout", "runs_out", "workers", "free_workers", "clock_skew")
"""What a check says of a holder."""
