"""Imports NumPy so that no fork cuts the import in two.

A child would inherit the lock of a module that is half imported, and wait for it for ever. NumPy is not imported with
leafmint: that would cost each program's start a tenth of a second. So a fork waits for the first import instead.
"""

from __future__ import annotations

import os
import threading
from typing import Any, ClassVar

from .. import _core

_LONGEST_WAIT = 10
"""Seconds that a fork waits: the import may itself wait for the thread that forks."""


class _Importing:
    """Held by the thread that imports NumPy, and by one that forks."""

    lock = threading.RLock()
    forking: ClassVar[set[int]] = set()
    """The threads that hold it for a fork."""


def _before_fork() -> None:
    if _Importing.lock.acquire(timeout=_LONGEST_WAIT):
        _Importing.forking.add(threading.get_ident())


def _after_fork() -> None:
    if threading.get_ident() in _Importing.forking:
        _Importing.forking.discard(threading.get_ident())
        _Importing.lock.release()


def _after_fork_in_child() -> None:
    _Importing.lock = threading.RLock()
    _Importing.forking.clear()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)


def _import_numpy() -> Any:
    """Returns NumPy, or raises ImportError."""
    with _Importing.lock:
        import numpy

        return numpy


_core._import_numpy_with(_import_numpy)
