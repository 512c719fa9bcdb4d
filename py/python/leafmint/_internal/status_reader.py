"""Reads status documents for a web page, so that no number of clients can make a store busy."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any

from .._core import SegmentGenerator, SnowflakeGenerator
from ..errors import StoreUnavailableError
from ..records import AuditReport
from .in_background import InBackground
from .meters import Sources
from .status import Status

DEADLINE = 3.0
"""Longest wait for a store, in seconds: then the answer has what this process knows."""
LEAST_AGE = 2.0
"""A document is read again after as many seconds at the earliest."""
AUDIT_AGE = 600.0
"""And an audit after as many."""


class StatusReader:
    """Has one document at a time for all clients."""

    def __init__(self, sources: Sources, audit: Callable[[], AuditReport] | None) -> None:
        """Takes the generators that it reads from, of which it opens none, and what audits a database."""
        self._sources = sources
        self._document = InBackground("leafmint-status", self._whole, LEAST_AGE)
        self._audit = None if audit is None else InBackground("leafmint-audit", audit, AUDIT_AGE)

    def read(self) -> bytes:
        """Returns a document as JSON, after the deadline at the latest."""
        try:
            return self._document.asked().result(DEADLINE)
        except FutureTimeoutError:
            return self._unanswered()

    async def read_async(self) -> bytes:
        """Returns a document as JSON, after the deadline at the latest; the event loop runs on meanwhile."""
        reading = asyncio.wrap_future(self._document.asked())
        # Not `wait_for`, which would cancel what other clients wait for.
        await asyncio.wait([reading], timeout=DEADLINE)
        return reading.result() if reading.done() else self._unanswered()

    def _whole(self) -> bytes:
        status, generators = Status(), self._generators()
        segments = [each for each in generators if isinstance(each, SegmentGenerator)]
        snowflakes = [each for each in generators if isinstance(each, SnowflakeGenerator)]
        for ids in segments[:1]:
            status.add_store(ids)
        for flakes in snowflakes[:1]:
            status.add_holder(flakes)
        # An audit can take minutes: nothing waits for it.
        if self._audit is not None and (report := self._audit.last()) is not None:
            status.add_audit(report.result)
        return self._with_process(status)

    def _unanswered(self) -> bytes:
        status = Status()
        status.fail("store", StoreUnavailableError(f"no answer within {DEADLINE:.0f} s: only this process is shown"))
        return self._with_process(status)

    def _with_process(self, status: Status) -> bytes:
        status.add_process(self._generators())
        return json.dumps(status.document).encode()

    def _generators(self) -> list[Any]:
        return [generator for _, generator in self._sources.present()]
