"""Waits on an asyncio event loop, without a thread: one descriptor wakes all calls of a loop."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections import deque
from contextvars import Context
from typing import Any, Generic, TypeVar

from .. import _core

_T = TypeVar("_T")

_SHORTEST_DELAY = 0.001
"""Seconds. The timers of a loop are no more precise, and some loops spin if a delay is shorter."""
_LONGEST_DELAY = 86_400.0
_POLLED_AT_ONCE = 128
"""Number of calls that are polled before the loop runs something else. Each answer wakes a task."""


async def wait(call: _core._Call[_T]) -> _T:
    """Wait until a call ends, and return its answer. Cancelling the wait ends the call."""
    waiters = _waiters_of(_running_loop())
    waiter = waiters.add(call)
    try:
        return await waiter.answer
    finally:
        waiters.remove(waiter)


def _running_loop() -> asyncio.AbstractEventLoop:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "no event loop of asyncio runs here, for which this call could wait: call the method without `_async`"
            " (`close` for `aclose`) in a thread, under trio `await trio.to_thread.run_sync(tag.next_id)`"
        ) from None


class _Waiter(Generic[_T]):
    """A call that waits, and the future of its answer."""

    def __init__(self, loop: asyncio.AbstractEventLoop, context: Context, call: _core._Call[_T], number: int) -> None:
        self.answer: asyncio.Future[_T] = loop.create_future()
        self.number = number
        self._loop = loop
        self._context = context
        self._call = call
        self._timer: asyncio.Handle | None = None
        self._timer_at = 0.0
        """The time of the timer. uvloop's handle of one that is due at once has no `when`."""

    def poll(self) -> None:
        """Poll the call. Its answer wakes the task that waits."""
        if self.answer.done():
            return
        try:
            answer = self._call.poll()
            if isinstance(answer, _core._Call):
                self._set_timer()
                return
        except Exception as error:
            # An error that is raised here would leave the other calls that were woken unpolled.
            self.answer.set_exception(error)
        else:
            self.answer.set_result(answer)

    def _set_timer(self) -> None:
        due = self._call.due()
        if due is None:
            return
        when = self._loop.time() + min(max(due, _SHORTEST_DELAY), _LONGEST_DELAY)
        if self._timer is None or when < self._timer_at - _SHORTEST_DELAY:
            self._cancel_timer()
            self._timer = self._loop.call_at(when, self._poll_when_due, context=self._context)
            self._timer_at = when

    def _poll_when_due(self) -> None:
        self._timer = None
        self.poll()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self) -> None:
        """End the call, with or without an answer."""
        self._call.end()
        self._cancel_timer()
        # Its exception refers to this object, by the frame of `poll`.
        del self.answer


class _Waiters:
    """The calls that wait on one loop, which watches their descriptor while there are any."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._process: int = os.getpid()
        # Empty: a loop keeps the context of a reader, and for a while that of a cancelled timer.
        self._context = Context()
        self._queue: _core._WakeQueue | None = None
        self._waiting: dict[int, _Waiter[Any]] = {}
        self._last_number = 0
        self._woken: deque[int] = deque()
        self._polls_soon: asyncio.Handle | None = None

    def add(self, call: _core._Call[_T]) -> _Waiter[_T]:
        """Begin to wait for a call."""
        try:
            queue = self._open_queue()
        except BaseException:
            call.end()
            raise
        self._last_number += 1
        waiter = _Waiter(self.loop, self._context, call, self._last_number)
        self._waiting[waiter.number] = waiter
        call.wake(queue, waiter.number)
        # What changed before that woke nothing.
        waiter.poll()
        return waiter

    def remove(self, waiter: _Waiter[Any]) -> None:
        """End the wait for a call."""
        waiter.end()
        del self._waiting[waiter.number]
        if not self._waiting:
            self._close_queue()

    def _open_queue(self) -> _core._WakeQueue:
        if self._queue is None:
            queue = _core._WakeQueue()
            self._context.run(self.loop.add_reader, queue.fileno(), self._poll_woken)
            self._queue = queue
        return self._queue

    def _close_queue(self) -> None:
        queue, self._queue = self._queue, None
        # A forked child shares the selector: the parent would no longer be woken.
        if queue is not None and not self.loop.is_closed() and os.getpid() == self._process:
            self.loop.remove_reader(queue.fileno())

    def _poll_woken(self) -> None:
        if self._queue is None:
            return
        self._woken.extend(self._queue.take())
        if self._polls_soon is None:
            self._poll_some()

    def _poll_some(self) -> None:
        self._polls_soon = None
        for _ in range(min(len(self._woken), _POLLED_AT_ONCE)):
            waiter = self._waiting.get(self._woken.popleft())
            if waiter is not None:
                waiter.poll()
        if self._woken:
            self._polls_soon = self.loop.call_soon(self._poll_some)


class _OfThisThread(threading.local):
    """The waiters of the loop that ran last in this thread. They live as long as a call waits."""

    waiters: weakref.ref[_Waiters] | None = None


_of_this_thread = _OfThisThread()


def _waiters_of(loop: asyncio.AbstractEventLoop) -> _Waiters:
    last = _of_this_thread.waiters
    waiters = last() if last is not None else None
    if waiters is None or waiters.loop is not loop:
        waiters = _Waiters(loop)
        _of_this_thread.waiters = weakref.ref(waiters)
    return waiters
