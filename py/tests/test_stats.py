"""The statistics of generators."""

import time
from datetime import timedelta

import leafmint
import pytest


def test_stats_account_for_every_leased_id(ids: leafmint.SegmentGenerator) -> None:
    ids.tag("order").next_ids(10)
    stats = ids.stats()
    figures = stats.tags["order"]
    assert stats.scope == ids.scope
    assert "the processes that share that file" in ids.scope
    assert figures.issued == 10
    assert figures.leased == figures.issued + figures.unused
    assert figures.last_error is None
    assert figures.last_error_code is None


def test_stats_report_the_holder_and_how_far_ahead_time_is_reserved(flakes: leafmint.SnowflakeGenerator) -> None:
    flakes.next_id()
    stats = flakes.stats()
    assert stats.scope == flakes.scope
    assert stats.holder == "local"
    assert stats.horizon is not None
    assert timedelta() < stats.horizon < timedelta(seconds=10)
    assert stats.leases_lost == 0
    assert stats.last_error is None
    assert stats.last_error_code is None


def test_stats_count_the_calls_that_waited(used_up: leafmint.SnowflakeGenerator) -> None:
    before = used_up.stats().waits
    with pytest.raises(leafmint.LeafmintError):
        used_up.next_id(timeout=0.1)
    assert used_up.stats().waits == before + 1


def test_the_last_error_has_its_code() -> None:
    ids = leafmint.SegmentGenerator("memory://last_error", auto_create=False)
    with pytest.raises(leafmint.UnknownTagError) as refused:
        ids.tag("odrer").next_id()
    figures = ids.stats().tags["odrer"]
    assert (figures.last_error, figures.last_error_code) == (str(refused.value), refused.value.code)

    away = "mysql://root@127.0.0.1:1/shop"
    with leafmint.SnowflakeGenerator(away, timeout=0.3) as flakes, pytest.raises(leafmint.LeafmintError):
        flakes.next_id()
    assert flakes.stats().last_error_code == "store_unavailable"


def test_the_average_of_heartbeats_is_known_after_the_first(flakes: leafmint.SnowflakeGenerator) -> None:
    assert flakes.stats().heartbeat_duration is None
    flakes.next_id()
    deadline = time.monotonic() + 60
    while (duration := flakes.stats().heartbeat_duration) is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert timedelta() < duration < timedelta(seconds=60)
