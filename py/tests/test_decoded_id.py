"""Decoded ids: the parts of an id."""

from datetime import datetime, timedelta, timezone

import leafmint

UTC = timezone.utc

LEAF = leafmint.Layout()

ID = 2116681624581046272

AT = datetime(2026, 11, 1, tzinfo=UTC)


def test_a_decoded_id_shows_its_parts() -> None:
    decoded = LEAF.decode(ID + (7 << 12) + 42)
    assert decoded.timestamp == AT
    assert decoded.timestamp.tzinfo is UTC
    assert decoded.timestamp_millis == 1793491200000
    assert (decoded.id, decoded.datacenter_id, decoded.worker_id, decoded.sequence, decoded.gene) == (
        ID + 28714,
        0,
        7,
        42,
        0,
    )
    assert repr(decoded) == (
        f"<leafmint.DecodedId id={ID + 28714} timestamp=2026-11-01T00:00:00+00:00 "
        "datacenter_id=0 worker_id=7 sequence=42 gene=0>"
    )


def test_a_snowflake_contains_its_time_and_worker_id(flakes: leafmint.SnowflakeGenerator) -> None:
    before = datetime.now(timezone.utc)
    decoded = flakes.decode(flakes.next_id())
    assert timedelta(milliseconds=-1) <= decoded.timestamp - before < timedelta(seconds=5)
    assert decoded.worker_id == flakes.worker_id == flakes.stats().worker_id == 0
    assert flakes.layout == leafmint.Layout("leaf")
    assert flakes.layout.decode(decoded.id) == decoded
    assert flakes.layout.min_id(decoded.timestamp) <= decoded.id <= flakes.layout.max_id(decoded.timestamp)
