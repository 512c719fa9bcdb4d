"""The progress of long work, on the standard error."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from .output import write_error

FIRST_AFTER = 0.5
"""Work that is done within these seconds shows no progress."""
EVERY = 0.2
"""Seconds between two updates of a terminal."""
EVERY_LINE = 1.0
"""Seconds between two lines, if the standard error is not a terminal."""


class Progress:
    """Shows how much is done: in one line of a terminal, or with `always` in lines of its own."""

    def __init__(self, total: int, always: bool) -> None:
        """Begins; shows nothing if the standard error is no terminal, or the standard output is one too."""
        self.total = total
        self.done: int = 0
        self.terminal: bool = is_terminal(sys.stderr)
        self.shown: bool = always or (self.terminal and not is_terminal(sys.stdout))
        self.began: float = time.monotonic()
        self.next_at: float = self.began + FIRST_AFTER
        self.drawn: bool = False

    def add(self, count: int) -> None:
        """Counts what is done, and shows it now and then."""
        self.done += count
        if self.shown and (now := time.monotonic()) >= self.next_at:
            self.next_at = now + (EVERY if self.terminal else EVERY_LINE)
            self.show(now)

    def show(self, now: float) -> None:
        """Shows the progress."""
        rate = self.done / max(now - self.began, 1e-9)
        left = (self.total - self.done) / max(rate, 1e-9)
        text = f"{self.done:,} of {self.total:,} ids, {rate:,.0f} a second, {left:,.0f} s left"
        write_error(f"\r{text}\x1b[K" if self.terminal else f"{text}\n")
        self.drawn = True

    def __enter__(self) -> Progress:
        """Returns itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Ends the line of the terminal."""
        if self.shown and (self.drawn or not self.terminal):
            self.show(time.monotonic())
            if self.terminal:
                write_error("\n")


def is_terminal(stream: object) -> bool:
    """Returns whether a stream is a terminal."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())
