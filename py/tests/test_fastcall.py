"""`next_id` has a fast path for calls without arguments. Otherwise it looks and behaves like any method."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import leafmint
import pytest
from testing import run_python


@pytest.fixture(params=["tag", "snowflakes"])
def minting(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Return a tag, or a generator of snowflakes."""
    if request.param == "tag":
        return leafmint.SegmentGenerator("memory:").tag("next_id")
    return leafmint.SnowflakeGenerator(f"local:{tmp_path}")


def test_every_call_of_next_id_continues_after_the_last_one(minting: Any) -> None:
    unbound: Callable[..., int] = type(minting).next_id
    drawn = [minting.next_id(), minting.next_id(timeout=5), minting.next_id(timeout=None, gene=None)]
    drawn += [unbound(minting), unbound(minting, timeout=5), minting.next_id(*(), **{})]
    assert drawn == sorted(set(drawn))


def test_wrong_arguments_of_next_id_are_a_type_error(minting: Any) -> None:
    calls: tuple[Callable[[], object], ...] = (
        lambda: minting.next_id(1),
        lambda: minting.next_id(seconds=1),
        lambda: minting.next_id(1, timeout=1),
        lambda: minting.next_id(timeout=[]),
        lambda: type(minting).next_id(),
        lambda: type(minting).next_id(object()),
    )
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_next_id_has_a_signature_and_a_docstring(minting: Any) -> None:
    assert str(inspect.signature(minting.next_id)) == "(*, timeout=None, gene=None)"
    assert minting.next_id.__doc__.startswith("Returns the next id, and waits")
    assert minting.next_id.__qualname__ == f"{type(minting).__name__}.next_id"


def test_next_id_of_a_closed_generator_raises_closed_error() -> None:
    with leafmint.SegmentGenerator("memory:") as ids:
        tag = ids.tag("closed")
        tag.next_id()
    with pytest.raises(leafmint.ClosedError):
        tag.next_id()


def test_an_attribute_that_python_code_sets_is_never_called_as_a_c_function(tmp_path: Path) -> None:
    script = """
        import sys, leafmint
        order = leafmint.SegmentGenerator("memory:").tag("order")
        flakes = leafmint.SnowflakeGenerator(sys.argv[1])
        leafmint.Tag._next_id = flakes.next_id
        print(order.next_id(timeout=10), order.next_id(), leafmint.Tag.next_id(order, timeout=10))
        fast = leafmint.Tag.next_id
        leafmint.Tag.next_id = lambda tag, timeout=None: -fast(tag, timeout=timeout)
        print(order.next_id(timeout=10), order.next_id())
    """
    assert run_python(script, f"local:{tmp_path}") == "1 2 3\n-4 -5\n"
