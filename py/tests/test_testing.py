"""`leafmint.testing`: generators for the tests of applications."""

import doctest

from leafmint import testing


def test_the_examples_of_the_module_run() -> None:
    result = doctest.testmod(testing)
    assert result.attempted
    assert result.failed == 0


def test_segments_begin_again_with_each_context() -> None:
    for _ in range(3):
        with testing.segments() as ids:
            assert ids.biz_tag("order").next_ids(2) == [1, 2]
            assert ids.biz_tag("user").next_id() == 1


def test_segments_side_by_side_share_nothing() -> None:
    with testing.segments() as one, testing.segments(default_start=100) as other:
        assert [one.biz_tag("order").next_id(), other.biz_tag("order").next_id()] == [1, 100]
        assert [one.biz_tag("order").next_id(), other.biz_tag("order").next_id()] == [2, 101]
