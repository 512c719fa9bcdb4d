"""Time zones: what their calendars show, also where clocks change over midnight."""

from typing import Any
from zoneinfo import ZoneInfo

import leafmint
import pytest
from leafmint import testing
from testing import vector


@pytest.mark.parametrize("case", vector("periods")["cases"], ids=lambda case: f"{case['zone']} {case['group']}")
def test_a_period_begins_and_ends_by_the_calendar_of_its_zone(
    case: dict[str, Any],
) -> None:
    clock = testing.Clock()
    groups = []
    with testing.segments(clock) as ids:
        series = ids.series("invoice", period=case["period"], zone=case["zone"])
        for time in (case["begins"] - 1, case["begins"], case["ends"] - 1, case["ends"]):
            clock.move_to(time)
            groups.append(series.next().group)
    assert groups[1:3] == [case["group"]] * 2
    assert case["group"] not in (groups[0], groups[3])


def test_a_zone_may_be_an_object_and_utc_needs_no_database_of_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    with leafmint.SegmentGenerator("memory://zones") as ids:
        assert ids.series("tokyo", period="day", zone=ZoneInfo("Asia/Tokyo")).zone == "Asia/Tokyo"
        monkeypatch.setattr("zoneinfo.ZoneInfo", None)
        assert ids.series("utc", period="day", zone="UTC").next().number == 1
