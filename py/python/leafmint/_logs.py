"""Logs the events of the core on the logger "leafmint"."""

from __future__ import annotations

import sys

from . import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from logging import Logger

_loggers: list[Logger] = []


def _prepare() -> None:
    import logging

    logger = logging.getLogger("leafmint")
    # As any library does: without a handler of the application, nothing is printed.
    if not any(isinstance(handler, logging.NullHandler) for handler in logger.handlers):
        logger.addHandler(logging.NullHandler())
    _loggers.append(logger)


def _logger() -> Logger | None:
    """Return the logger, None if the application has not imported `logging`, and so has no handler."""
    if not _loggers and "logging" in sys.modules:
        _prepare()
        # The exit calls what was registered last first, and `logging` registered the end of its handlers at its import.
        _core._close_at_exit()
    return _loggers[0] if _loggers else None


def drain() -> None:
    """Log all waiting events. The attribute `event` of a record is the name of its event."""
    while events := _core._take_events():
        logger = _logger()
        if logger is None:
            continue
        for name, level, text in events:
            try:
                logger.log(_LEVELS[level], "%s", text, extra={"event": name})
            except BaseException:
                # A filter or handler of the application may raise anything, and this thread has no caller.
                continue


_LEVELS = {"ERROR": 40, "WARN": 30, "INFO": 20}
"""The levels of `logging`."""


def give_up() -> None:
    """Disable the handlers that hang: the shutdown of logging would wait forever for their locks."""
    for reference in list(getattr(sys.modules.get("logging"), "_handlerList", ())):
        handler = reference()
        lock = getattr(handler, "lock", None)
        if lock is None:
            continue
        if lock.acquire(timeout=0.02):
            lock.release()
        else:
            for name in ("acquire", "release", "flush", "close"):
                setattr(handler, name, lambda: None)


if "logging" in sys.modules:
    _prepare()
_core._deliver_to(drain, give_up)
