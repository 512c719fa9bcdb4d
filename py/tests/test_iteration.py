"""`for` and `next()` have a straight way of their own, which tells as much as a call of `next_id` does."""

import gc
import itertools
import sys
from pathlib import Path
from typing import Any

import leafmint
import pytest


@pytest.fixture(params=["tag", "snowflakes"])
def minting(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Return a tag and a generator of snowflakes."""
    if request.param == "tag":
        return leafmint.SegmentGenerator("memory:").biz_tag("iterated")
    return leafmint.SnowflakeGenerator(f"local:///{tmp_path}")


def test_the_first_id_of_a_loop_is_waited_for(minting: Any) -> None:
    drawn = list(itertools.islice(minting, 10_000))
    assert drawn == sorted(set(drawn))
    assert drawn[-1] < next(minting) < minting.__next__() < minting.next_id()


def test_a_loop_over_a_closed_generator_says_so(tmp_path: Path) -> None:
    ids, flakes = leafmint.SegmentGenerator("memory:"), leafmint.SnowflakeGenerator(f"local:///{tmp_path}")
    for minting, generator in ((ids.biz_tag("closed"), ids), (flakes, flakes)):
        next(minting)
        generator.close()
        with pytest.raises(leafmint.ClosedError):
            list(minting)


def test_a_loop_over_a_tag_with_genes_asks_for_one() -> None:
    tag = leafmint.SegmentGenerator("memory:").biz_tag("genes", gene_bits=4)
    with pytest.raises(leafmint.InvalidArgumentError, match="pass a gene"):
        next(tag)


def test_a_loop_gives_up_when_no_id_comes_within_the_timeout(tmp_path: Path) -> None:
    taken = leafmint.SnowflakeGenerator(f"local:///{tmp_path}", workers="0")
    taken.next_id()
    waits = leafmint.SnowflakeGenerator(f"local:///{tmp_path}", workers="0", timeout=0.2)
    with pytest.raises(leafmint.WorkerIdUnavailableError):
        next(waits)


def test_the_class_under_it_has_no_objects_of_its_own(minting: Any) -> None:
    under: Any = type(minting).__mro__[1]
    assert under.__name__ == "Iteration"
    with pytest.raises(TypeError, match="only"):
        under()
    with pytest.raises(TypeError, match="only"):
        type("Other", (under,), {})()


def test_the_slot_refuses_an_object_of_another_class(minting: Any) -> None:
    under: Any = type(minting).__mro__[1]
    stranger = type("Stranger", (under, int), {})(7)
    with pytest.raises(TypeError, match=type(minting).__name__):
        next(stranger)
    with pytest.raises(TypeError):
        under.__next__(7)


def test_an_object_that_goes_lets_go_of_its_class_once() -> None:
    ids = leafmint.SegmentGenerator("memory:")

    def references() -> int:
        gc.collect()
        return sys.getrefcount(leafmint.BizTag)

    before = references()
    tags = [ids.biz_tag(str(number)) for number in range(100)]
    with_tags = references()
    del tags
    assert (with_tags - before, references() - before) == (100, 0)
