"""The rows of the page "Libraries": each is a test that runs a library which knows nothing of leafmint.

    @row(TYPED_IDS, "orjson", "`dumps`", loud, "`TypeError` names `OrderId`", match="OrderId")
    def test_orjson() -> None:
        orjson.dumps({"id": OrderId(42)})

Libraries of requirements-gallery.txt are there for `make test-all` only: their tests are marked long, and import them
themselves. `tests/lint/libraries.py` reads the rows from the sources: arguments are literals and names of this module.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest

TYPED_IDS = "Typed ids in Python"
TYPED_IDS_DJANGO = "Typed ids in Django"
KEYS_DJANGO = "Keys in Django"
KEYS_SQLALCHEMY = "Keys in SQLAlchemy"

right = "right"
"""The body of the test asserts what the library made."""

silent = "silent"
"""The body of the test asserts what the library makes instead. Nothing of ours stops it: the phrase says what to do."""

loud = "loud"
"""The body of the test raises an error that the pattern `match` finds, also in one of its causes."""

Test = TypeVar("Test", bound=Callable[..., Any])


def row(
    section: str, library: str, situation: str, outcome: str, meaning: str, *, match: str | None = None
) -> Callable[[Test], Test]:
    """Declare what a library makes of typed ids or minted keys, and run the test as its proof.

    Args:
        section: The table of the page, one of the constants above.
        library: The name of the distribution, whose version is the one that the requirements name.
        situation: What is done, in a few words.
        outcome: `right`, `loud`, or `silent`.
        meaning: What happens, in a phrase.
        match: What the error says, if the outcome is loud.
    """
    assert (outcome == loud) == (match is not None), "a loud row has a pattern, another has none"

    def declare(test: Test) -> Test:
        if outcome != loud:
            return test

        @functools.wraps(test)
        def fails(*arguments: Any, **fixtures: Any) -> None:
            refused(lambda: test(*arguments, **fixtures), f"{library}, {situation}", match or "")

        assert not inspect.iscoroutinefunction(test)
        return fails  # type: ignore[return-value]

    return declare


def refused(use: Callable[[], object], name: str, match: str) -> None:
    """Check that a use is refused by an error, of whatever class, that says what it must."""
    try:
        use()
    except Exception as error:
        if isinstance(error, AssertionError) or not any(re.search(match, said) for said in sayings(error)):
            raise
    else:
        pytest.fail(f"{name}: was to fail, and nothing was raised")


def sayings(error: BaseException | None) -> Iterator[str]:
    """Yield what an error says, and each of its causes."""
    while error is not None:
        yield f"{type(error).__name__}: {error}"
        error = error.__cause__ or error.__context__
