"""Something that is read again when it is old, by a thread of its own, for any number of callers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
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

    def __init__(self, name: str, read: Callable[[], T], least_age: float) -> None:
        """Takes the name of the thread, what it does, and for how many seconds the result is good at least."""
        self._name, self._read, self._least_age = name, read, least_age
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

    def _begin_anew(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._current = None
        self._ended = None
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
        self._good_until = ended + (age if failure is None else min(age, PAUSE))
        self._ended = begun
        if failure is None:
            begun.set_result(found)  # type: ignore[arg-type]
        else:
            begun.set_exception(failure)
