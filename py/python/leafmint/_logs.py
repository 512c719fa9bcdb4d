"""Logs what the core tells of, on the logger "leafmint"."""

import logging

from . import _core

_logger = logging.getLogger("leafmint")
# A program that has not set logging up is told nothing, as of any library.
if not any(isinstance(handler, logging.NullHandler) for handler in _logger.handlers):
    _logger.addHandler(logging.NullHandler())
_LEVELS = {"ERROR": logging.ERROR, "WARN": logging.WARNING, "INFO": logging.INFO}


def log(events: list[tuple[str, str, str]]) -> None:
    """Log events, each with its name as the attribute `event` of its record."""
    for name, level, text in events:
        try:
            _logger.log(_LEVELS[level], "%s", text, extra={"event": name})
        except Exception:
            # A filter or handler of the program's: there is nobody to tell.
            continue


def drain() -> None:
    """Log what there is: the life of a thread."""
    while events := _core._take_events():
        try:
            log(events)
        finally:
            _core._events_logged()


_core._deliver_to(log, drain)
