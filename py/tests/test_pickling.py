"""Generators and tags cannot be pickled or copied."""

import copy
import pickle
from collections.abc import Callable

import leafmint
import pytest


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_segment_generators_and_tags_cannot_be_pickled(
    ids: leafmint.SegmentGenerator, duplicate: Callable[[object], object]
) -> None:
    handles: list[tuple[object, str]] = [(ids, "SegmentGenerator"), (ids.tag("order"), "Tag")]
    for handle, name in handles:
        with pytest.raises(TypeError, match=f"a {name} cannot be pickled or copied"):
            duplicate(handle)


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_snowflake_generators_cannot_be_pickled(
    flakes: leafmint.SnowflakeGenerator, duplicate: Callable[[object], object]
) -> None:
    with pytest.raises(
        TypeError, match=r"a SnowflakeGenerator cannot be pickled or copied.* open a SnowflakeGenerator in each"
    ):
        duplicate(flakes)
