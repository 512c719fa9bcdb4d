"""Calls the application's supplier of credentials, on a native thread of leafmint."""

from collections.abc import Callable

from .. import _core


def ask(supplier: Callable[[], object]) -> tuple[str, str] | str:
    """Return user and password, or what is wrong with them. It repeats nothing that the supplier returned."""
    try:
        supplied = supplier()
    except BaseException as error:
        # The supplier may raise anything, and this thread has no caller.
        return _described(error)
    if isinstance(supplied, tuple | list) and len(supplied) == 2 and all(isinstance(part, str) for part in supplied):
        return supplied[0], supplied[1]
    return f"it returned {_kind(supplied)}, not a tuple of user and password, both str"


def _kind(supplied: object) -> str:
    if isinstance(supplied, tuple | list):
        return f"a {type(supplied).__name__} of {[type(part).__name__ for part in supplied[:3]]}"
    return "None" if supplied is None else f"a {type(supplied).__name__}"


def _described(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:
        return type(error).__name__


_core._ask_with(ask)
