"""Something that is read again when it is old, by a thread of its own, for any number of callers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Generic, TypeVar

T = TypeVar("T")

REST = 10
"""After a read, no other one begins for as many times as long as it took."""
PAUSE = 10.0
"""Longest pause after a read that failed, in seconds."""


class InBackground(Generic[T]):
    """Reads when a caller asks and what was read before is old. One read at a time; callers share it."""

    _current: Future[T] | None
    _ended: Future[T] | None
    _good_until: float

    _good: tuple[T, float] | None

    def __init__(self, name: str, read: Callable[[], T], least_age: float, pause: float | None = None) -> None:
        """Takes the name of the thread, what it does, and for how many seconds the result is good at least.

        A read that failed is repeated after as long, but after `pause` seconds at the latest, by default `PAUSE`.
        """
        self._name, self._read, self._least_age, self._pause = name, read, least_age, pause
        self._begin_anew()

    def asked(self) -> Future[T]:
        """Returns what was read lately, or is being read now."""
        with self._lock_of_this_process():
            if self._current is None or (self._current.done() and time.monotonic() >= self._good_until):
                begun: Future[T] = Future()
                threading.Thread(target=self._run, args=(begun,), name=self._name, daemon=True).start()
                self._current = begun
            return self._current

    def last(self) -> Future[T] | None:
        """Returns what the last read found, None if none has ended yet, and begins the next one if that is old."""
        current = self.asked()
        return current if current.done() else self._ended

    def last_good(self) -> tuple[T | None, float]:
        """Returns what the last read that succeeded found, None before, and for how many seconds that is so.

        Begins the next read if the last one is old. Never waits or fails.
        """
        # No thread starts while the interpreter ends.
        with suppress(RuntimeError):
            self.asked()
        found, since = self._good or (None, self._began)
        return found, time.monotonic() - since

    def _begin_anew(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._current = None
        self._ended = None
        self._good = None
        self._began = time.monotonic()
        self._good_until = 0.0

    def _lock_of_this_process(self) -> threading.Lock:
        if self._process != os.getpid():
            # The thread that reads, and the one that holds the lock, are the parent's.
            self._begin_anew()
        return self._lock

    def _run(self, begun: Future[T]) -> None:
        started = time.monotonic()
        try:
            found, failure = self._read(), None
        except BaseException as error:
            found, failure = None, error
        ended = time.monotonic()
        age = max(self._least_age, REST * (ended - started))
        pause = PAUSE if self._pause is None else self._pause
        self._good_until = ended + (age if failure is None else min(age, pause))
        self._ended = begun
        if failure is None:
            self._good = (found, ended)  # type: ignore[assignment]
            begun.set_result(found)  # type: ignore[arg-type]
        else:
            begun.set_exception(failure)
