"""Logs the core's events on the logger "leafmint"."""

import logging

from . import _core

_logger = logging.getLogger("leafmint")
# A program that has not set logging up sees nothing, as with any library.
if not any(isinstance(handler, logging.NullHandler) for handler in _logger.handlers):
    _logger.addHandler(logging.NullHandler())
_LEVELS = {"ERROR": logging.ERROR, "WARN": logging.WARNING, "INFO": logging.INFO}


def drain() -> None:
    """Log what there is, each event with its name as the attribute `event` of its record."""
    while events := _core._take_events():
        for name, level, text in events:
            try:
                _logger.log(_LEVELS[level], "%s", text, extra={"event": name})
            except BaseException:
                # A filter or handler of the program's may throw anything, and nobody is there to catch it.
                continue


def give_up() -> None:
    """Take handlers that hang out of logging's shutdown, which would wait for their locks for ever."""
    for reference in list(getattr(logging, "_handlerList", ())):
        handler = reference()
        lock = getattr(handler, "lock", None)
        if lock is None:
            continue
        if lock.acquire(timeout=0.02):
            lock.release()
        else:
            for name in ("acquire", "release", "flush", "close"):
                setattr(handler, name, lambda: None)


_core._deliver_to(drain, give_up)
