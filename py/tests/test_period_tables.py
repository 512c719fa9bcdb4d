"""The tables that hold a span of time. `test_id_vectors.py` has their names."""

from datetime import datetime, timedelta, timezone

import leafmint
import pytest

NOVEMBER = datetime(2026, 11, 1, tzinfo=timezone.utc)


def test_the_table_of_an_id_is_that_of_its_time() -> None:
    leaf = leafmint.Layout("leaf")
    id = leaf.compose(NOVEMBER, worker_id=7, sequence=42)
    assert leafmint.period_table("orders_{year}{month}", leaf.decode(id).timestamp) == "orders_202611"
    assert (
        leafmint.period_table("orders_{year}{month}", leaf.decode(id).timestamp, zone="America/New_York")
        == "orders_202610"
    )
    assert id in leaf.id_range(NOVEMBER, NOVEMBER + timedelta(days=1))
    assert id not in leaf.id_range(NOVEMBER - timedelta(days=1), NOVEMBER)


def test_utc_needs_no_database_of_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zoneinfo.ZoneInfo", None)
    assert leafmint.period_table("{year}", NOVEMBER) == leafmint.period_table("{year}", NOVEMBER, zone="UTC") == "2026"


def test_times_without_a_zone_and_other_types_are_refused() -> None:
    naive = datetime(2026, 11, 1)
    with pytest.raises(leafmint.InvalidArgumentError, match="has no time zone"):
        leafmint.period_tables("{year}", naive, NOVEMBER)
    with pytest.raises(leafmint.InvalidArgumentError, match="Atlantis"):
        leafmint.period_table("{year}", NOVEMBER, zone="Atlantis")
    with pytest.raises(leafmint.InvalidArgumentError, match="9999"):
        leafmint.period_table("{year}", 2**70)
    for wrong in ("2026", None, True):
        with pytest.raises(TypeError, match="at must be"):
            leafmint.period_table("{year}", wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pattern must be a str"):
        leafmint.period_tables(7, NOVEMBER, NOVEMBER)  # type: ignore[arg-type]
