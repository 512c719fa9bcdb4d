"""Logs the events of the core on the logger "leafmint"."""

import logging

from .. import _core

_logger = logging.getLogger("leafmint")
# As any library does: without a handler of the application, nothing is printed.
if not any(isinstance(handler, logging.NullHandler) for handler in _logger.handlers):
    _logger.addHandler(logging.NullHandler())
_LEVELS = {"ERROR": logging.ERROR, "WARN": logging.WARNING, "INFO": logging.INFO}


def drain() -> None:
    """Log all waiting events. Each text begins with the name of its event, as formats hardly show the attribute."""
    while events := _core._take_events():
        for name, level, text in events:
            try:
                _logger.log(_LEVELS[level], "%s: %s", name, text, extra={"event": name})
            except BaseException:
                # A filter or handler of the application may raise anything, and this thread has no caller.
                continue


def give_up() -> None:
    """Disable the handlers that hang: the shutdown of logging would wait forever for their locks."""
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
