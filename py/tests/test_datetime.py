"""Times: aware datetimes and Unix milliseconds, and everything else is refused."""

from datetime import date, datetime, timedelta, timezone
from typing import Any

import leafmint
import pytest

UTC = timezone.utc

LEAF = leafmint.Layout()

ID = 2116681624581046272

AT = datetime(2026, 11, 1, tzinfo=UTC)


def test_times_are_exact_to_the_millisecond_up_to_the_last_one() -> None:
    late = leafmint.Layout("leaf", epoch=251203277544447)
    assert late.runs_out == datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC)
    epoch = 251_203_277_544_447
    for millis in (*range(epoch, epoch + 2000), 251_203_277_544_999, 253_402_300_799_998):
        decoded = late.decode(late.min_id(millis))
        assert decoded.timestamp_millis == millis
        assert late.compose(decoded.timestamp, worker_id=0, sequence=0) == decoded.id
        assert decoded.timestamp.microsecond == millis % 1000 * 1000


def test_a_time_is_the_same_in_every_zone() -> None:
    zones = [timezone(timedelta(hours=hours)) for hours in (-12, -3.5, 0, 8, 14)]
    assert {LEAF.min_id(AT.astimezone(zone)) for zone in zones} == {ID}
    assert {LEAF.max_id(AT.astimezone(zone)) for zone in zones} == {ID + 2**22 - 1}
    assert {LEAF.compose(AT.astimezone(zone), worker_id=3, sequence=9) for zone in zones} == {ID + (3 << 12) + 9}


@pytest.mark.parametrize("naive", [datetime(2026, 11, 1), datetime(1970, 1, 1), datetime.max, datetime.min])
def test_a_time_without_a_zone_is_an_invalid_argument(naive: datetime) -> None:
    for call in (LEAF.min_id, LEAF.max_id, lambda time: LEAF.compose(time, worker_id=0, sequence=0)):
        with pytest.raises(leafmint.InvalidArgumentError, match="no time zone"):
            call(naive)


@pytest.mark.parametrize(
    "at",
    [
        datetime(2010, 11, 4, 1, 42, 54, 656999, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
        datetime(2080, 7, 10, 17, 30, 30, 209000, tzinfo=UTC),
        -1,
        2**63,
        -(2**70),
        10**5000,
    ],
    ids=lambda at: str(at)[:30] if isinstance(at, datetime) else f"{at.bit_length()} bits",
)
def test_a_time_outside_the_layout_is_an_invalid_argument(at: datetime | int) -> None:
    for call in (LEAF.min_id, LEAF.max_id):
        with pytest.raises(leafmint.InvalidArgumentError, match="its ids are stamped from"):
            call(at)
    with pytest.raises((leafmint.InvalidArgumentError, leafmint.IdSpaceExhaustedError), match="tick="):
        LEAF.compose(at, worker_id=0, sequence=0)


@pytest.mark.parametrize(
    "wrong", [1793491200.0, "2026-11-01", date(2026, 11, 1), None, True, timedelta(1), b"1", object()]
)
def test_a_time_of_a_wrong_type_is_a_type_error(wrong: Any) -> None:
    for call in (LEAF.min_id, LEAF.max_id, lambda time: LEAF.compose(time, worker_id=0, sequence=0)):
        with pytest.raises(TypeError, match="must be an aware datetime, or an int of Unix milliseconds, not"):
            call(wrong)
