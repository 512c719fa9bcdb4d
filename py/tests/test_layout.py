"""Layouts: values that compare, pickle and cannot be changed, and bad input."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import leafmint
import numpy
import pytest
from testing import DUPLICATES, in_threads

UTC = timezone.utc

LEAF = leafmint.Layout()

ID = 2116681624581046272

AT = datetime(2026, 11, 1, tzinfo=UTC)


def test_the_default_layout_is_that_of_leaf() -> None:
    assert LEAF == leafmint.Layout("leaf") == leafmint.Layout(text="leaf", epoch=1288834974657)
    assert str(LEAF) == "timestamp:41,datacenter:0,worker:10,sequence:12,gene:0,unit:1ms"
    assert LEAF.runs_out == datetime(2080, 7, 10, 17, 30, 30, 209000, tzinfo=UTC)
    assert LEAF.unit == timedelta(milliseconds=1)
    assert LEAF.epoch == datetime(2010, 11, 4, 1, 42, 54, 657000, tzinfo=UTC)


@pytest.mark.parametrize(
    "epoch", [AT, AT.astimezone(timezone(timedelta(hours=8))), "2026-11-01T00:00:00Z", 1793491200000]
)
def test_an_epoch_is_a_datetime_its_text_in_utc_or_unix_milliseconds(epoch: Any) -> None:
    layout = leafmint.Layout("leaf", epoch=epoch)
    assert layout.epoch == AT
    assert repr(layout).endswith("epoch='2026-11-01T00:00:00.000Z')")
    assert eval(repr(layout)) == layout
    with leafmint.SnowflakeGenerator("fixed:7", epoch=epoch) as flakes:
        assert flakes.layout == layout


@pytest.mark.parametrize("epoch", [AT.replace(tzinfo=None), "2026-11-01", "2026-11-01T00:00:00", "November", -1])
def test_an_epoch_without_a_zone_or_before_1970_is_an_invalid_configuration(epoch: Any) -> None:
    for make in (leafmint.Layout, lambda text, epoch: leafmint.SnowflakeGenerator("fixed:7", epoch=epoch)):
        with pytest.raises(leafmint.InvalidConfigError, match="epoch"):
            make("leaf", epoch=epoch)


def test_bounds_contain_every_id_of_a_month() -> None:
    until = datetime(2026, 12, 1, tzinfo=UTC)
    lowest, first_after = LEAF.min_id(AT), LEAF.min_id(until)
    last = LEAF.compose(until - timedelta(milliseconds=1), worker_id=1023, sequence=4095)
    assert lowest <= LEAF.compose(AT, worker_id=0, sequence=0) < last < first_after
    assert LEAF.max_id(until - timedelta(microseconds=1)) == last == first_after - 1


@pytest.mark.parametrize("number", [-1, -(2**63), -(2**63) - 1, 2**63, 2**64, 2**70, -(2**70), 10**63, 10**64])
def test_an_int_that_is_not_an_id_is_an_invalid_id(number: int) -> None:
    for call in (LEAF.decode, lambda id: leafmint.gene_of_id(id, 4)):
        with pytest.raises(leafmint.InvalidIdError) as raised:
            call(number)
        assert str(number) in str(raised.value) or number >= 10**63


@pytest.mark.parametrize("number", [-1, 2**63, -(2**70)])
def test_an_int_that_is_not_an_id_is_an_invalid_id_for_a_generator(
    flakes: leafmint.SnowflakeGenerator, number: int
) -> None:
    with pytest.raises(leafmint.InvalidIdError, match=str(number)):
        flakes.decode(number)


def test_a_number_of_5000_digits_is_an_invalid_id() -> None:
    for number in (10**5000, -(10**5000)):
        with pytest.raises(leafmint.InvalidIdError, match=r"^id does not fit 64 bits$"):
            LEAF.decode(number)


@pytest.mark.parametrize("wrong", ["1", "", 1.0, b"1", None, True, False, object(), [1]])
def test_an_id_that_is_not_an_int_is_a_type_error(wrong: Any) -> None:
    for call in (LEAF.decode, lambda id: leafmint.gene_of_id(id, 4)):
        with pytest.raises(TypeError, match="id must be an int, not"):
            call(wrong)


@pytest.mark.parametrize("wrong", [1.0, b"1", object(), [1]])
def test_an_epoch_or_a_part_of_a_wrong_type_is_a_type_error(wrong: Any) -> None:
    for call in (lambda: leafmint.Layout("leaf", epoch=wrong), lambda: LEAF.compose(AT, worker_id=wrong, sequence=0)):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("wrong", ["1", AT])
def test_a_part_is_neither_text_nor_a_time(wrong: Any) -> None:
    with pytest.raises(TypeError):
        LEAF.compose(AT, worker_id=wrong, sequence=0)


def test_a_numpy_integer_is_accepted_as_an_int() -> None:
    assert LEAF.decode(numpy.int64(ID)).timestamp == AT  # type: ignore[arg-type]
    assert LEAF.min_id(numpy.int64(1793491200000)) == ID  # type: ignore[arg-type]


@pytest.mark.parametrize("epoch", [-1, 2**63, 2**70, -(2**70)])
def test_an_epoch_out_of_range_is_an_invalid_config(epoch: int) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="epoch="):
        leafmint.Layout("leaf", epoch=epoch)


def test_a_text_with_a_lone_surrogate_is_an_invalid_config() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="surrogate"):
        leafmint.Layout("leaf\ud800")


def test_layouts_and_decoded_ids_compare_by_their_meaning() -> None:
    same = leafmint.Layout("timestamp:41,worker:10,sequence:12")
    others = [leafmint.Layout("datacenter"), leafmint.Layout("leaf", epoch=0), leafmint.Layout("wide")]
    assert same == LEAF
    assert hash(same) == hash(LEAF)
    assert len({LEAF, same, *others}) == 4
    assert same.decode(5) == LEAF.decode(5)
    assert hash(same.decode(5)) == hash(LEAF.decode(5))
    assert LEAF.decode(5) != LEAF.decode(6)
    assert LEAF.decode(5) != leafmint.Layout("leaf", epoch=0).decode(5)
    assert LEAF != "leaf"
    assert LEAF.decode(5) != 5


@pytest.mark.parametrize("duplicate", DUPLICATES)
def test_layouts_and_decoded_ids_can_be_pickled_and_copied(duplicate: Callable[[Any], Any]) -> None:
    for layout in (
        LEAF,
        leafmint.Layout(" unit:1s , sequence:10,datacenter:3, gene:2,worker:8,timestamp:32 ", epoch=7),
    ):
        assert duplicate(layout) == layout
        again = duplicate(layout.decode(123456789))
        assert again == layout.decode(123456789)
        assert again.timestamp == layout.decode(123456789).timestamp


def test_the_repr_of_a_layout_makes_the_same_layout() -> None:
    layout = leafmint.Layout("javascript", epoch=0)
    bits = "timestamp:38,datacenter:0,worker:7,sequence:8,gene:0,unit:10ms"
    assert repr(layout) == f"leafmint.Layout('{bits}', epoch='1970-01-01T00:00:00.000Z')"
    assert eval(repr(layout)) == layout


def test_layouts_and_decoded_ids_cannot_be_changed() -> None:
    for value, name in ((LEAF, "epoch"), (LEAF.decode(5), "worker_id"), (LEAF.decode(5), "new")):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
    with pytest.raises(TypeError):
        type(LEAF.decode(5))()


def test_threads_share_a_layout() -> None:
    times = in_threads(8, lambda: [LEAF.decode(LEAF.min_id(AT) + i).timestamp for i in range(2000)])
    assert {time for mine in times for time in mine} == {AT}
