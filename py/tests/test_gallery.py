"""The gallery's rows are proved: a loud one by an error that says enough, a right one by its own assertions."""

from collections.abc import Callable

import pytest
from gallery import TYPED_IDS, loud, right, row


def raising(error: Exception) -> Callable[[], None]:
    """Return the test of a loud row whose library raises this."""

    @row(TYPED_IDS, "some", "writes", loud, "`TypeError` names `OrderId`", match="OrderId")
    def test() -> None:
        raise error from error.__cause__

    return test


def test_a_loud_row_needs_an_error_that_matches_itself_or_by_its_cause() -> None:
    raising(TypeError("no OrderId here"))()
    wrapped = RuntimeError("it failed")
    wrapped.__cause__ = TypeError("no OrderId here")
    raising(wrapped)()
    for other in (TypeError("it failed"), AssertionError("OrderId")):
        with pytest.raises(type(other), match=str(other)):
            raising(other)()


def test_a_loud_row_that_is_silent_fails() -> None:
    @row(TYPED_IDS, "some", "reads", loud, "refused", match="OrderId")
    def test() -> None: ...

    with pytest.raises(pytest.fail.Exception, match="some, reads: was to fail, and nothing was raised"):
        test()


def test_a_row_names_what_its_error_says_if_it_is_loud_and_only_then() -> None:
    with pytest.raises(AssertionError, match="a loud row has a pattern"):
        row(TYPED_IDS, "some", "writes", loud, "refused")
    with pytest.raises(AssertionError, match="another has none"):
        row(TYPED_IDS, "some", "writes", right, "the text", match="OrderId")
