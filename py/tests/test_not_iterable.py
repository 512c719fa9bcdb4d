"""Tags and generators are not iterable: `in` and `list()` would never end, and would use up the shared ids."""

from collections.abc import Callable
from typing import Any

import leafmint
import pytest
from testing import run_python

LOOKS: list[Callable[[Any], object]] = [
    iter,
    next,
    list,
    tuple,
    set,
    sum,
    lambda minting: 7 in minting,
    lambda minting: [*minting],
]


@pytest.fixture(params=["tag", "segments", "snowflakes"])
def minting(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    """Return a tag, or a generator of either mode."""
    segments = leafmint.SegmentGenerator("memory://not_iterable")
    if request.param == "snowflakes":
        return leafmint.SnowflakeGenerator(f"local:{tmp_path}")
    return segments if request.param == "segments" else segments.tag("order")


@pytest.mark.parametrize("look", LOOKS)
def test_iteration_raises_a_type_error_at_once(minting: Any, look: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match=r"iterable|iterator"):
        look(minting)


def test_inspecting_a_tag_takes_no_id(url: str) -> None:
    script = """
        import collections.abc as abc, sys, leafmint
        ids = leafmint.SegmentGenerator(sys.argv[1])
        order = ids.tag("order")
        order.next_id()
        # Django's migration writer checks in this way whether a value is a sequence.
        assert not isinstance(order, (abc.Iterable, abc.Iterator, abc.Container, abc.Sized))
        try:
            5 in order
        except TypeError:
            print(order.next_id())
    """
    assert run_python(script, url) == "2\n"
