"""What is read in the background: once for all callers, again when it is old, and soon after a failure."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future

import pytest
from leafmint._internal import in_background
from leafmint._internal.in_background import InBackground
from testing import in_threads


def test_callers_that_come_at_once_share_one_read() -> None:
    may_end, reads = threading.Event(), []

    def read() -> int:
        reads.append(1)
        assert may_end.wait(60)
        return len(reads)

    reader = InBackground("reading", read, 3600)
    asked = in_threads(8, reader.asked)
    may_end.set()
    assert {future.result(60) for future in asked} == {1}
    assert reader.asked().result(60) == 1


def test_what_is_old_is_shown_while_the_next_one_is_read() -> None:
    may_end, reads = threading.Semaphore(1), []

    def read() -> int:
        assert may_end.acquire(timeout=60)
        reads.append(1)
        return len(reads)

    reader = InBackground("reading", read, 0)
    assert reader.last() is None or reads
    first = shown(reader)
    assert first.result() == 1
    while reader.asked().done():  # no pause: the first read was short
        time.sleep(0.001)
    assert shown(reader).result() == 1
    may_end.release()
    assert reader.asked().result(60) == 2


def shown(reader: InBackground[int]) -> Future[int]:
    """Return what is shown, once there is something."""
    while (found := reader.last()) is None:
        time.sleep(0.001)
    return found


def test_after_a_failure_the_next_read_comes_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_background, "PAUSE", 0)
    results = iter([OSError("away"), "well"])

    def read() -> str:
        found = next(results)
        if isinstance(found, OSError):
            raise found
        return str(found)

    reader = InBackground("reading", read, 3600)
    with pytest.raises(OSError, match="away"):
        reader.asked().result(60)
    while isinstance(failed := reader.asked().exception(60), OSError):
        time.sleep(0.001)
    assert failed is None
    assert reader.asked().result(60) == "well"
