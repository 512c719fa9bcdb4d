"""The statistics of generators."""

from datetime import timedelta

import leafmint


def test_stats_account_for_every_leased_id(ids: leafmint.SegmentGenerator) -> None:
    ids.tag("order").next_ids(10)
    stats = ids.stats()
    figures = stats.tags["order"]
    assert stats.scope == ids.scope
    assert "the processes that share that file" in ids.scope
    assert figures.issued == 10
    assert figures.leased == figures.issued + figures.unused
    assert figures.last_error is None


def test_stats_report_the_holder_and_how_far_ahead_time_is_reserved(flakes: leafmint.SnowflakeGenerator) -> None:
    flakes.next_id()
    stats = flakes.stats()
    assert stats.scope == flakes.scope
    assert stats.holder == "local"
    assert stats.horizon is not None
    assert timedelta() < stats.horizon < timedelta(seconds=10)
    assert stats.waits >= 1
    assert stats.leases_lost == 0
    assert stats.last_error is None
