"""Metrics tell of an outage while it lasts: a scrape over HTTP is answered at once, whatever the database does."""

from __future__ import annotations

import statistics
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import leafmint
import pytest
from leafmint.prometheus import LeafmintCollector
from link import Link
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.parser import text_string_to_metric_families


@pytest.fixture
def link(mysql_url: str) -> Iterator[Link]:
    """A link to the server."""
    forward = Link(urlsplit(mysql_url).port or 3306)
    yield forward
    forward.close()


class Endpoint:
    """An HTTP server that answers scrapes, and how long each one took."""

    def __init__(self, *generators: leafmint.SegmentGenerator | leafmint.SnowflakeGenerator) -> None:
        registry = CollectorRegistry()
        registry.register(LeafmintCollector(*generators))
        self.server, self.thread = start_http_server(0, "127.0.0.1", registry)
        self.seconds: list[float] = []

    def scrape(self) -> dict[str, float]:
        """Returns the value of each metric."""
        began = time.monotonic()
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.server_port}/metrics", timeout=60) as response:
            text = response.read().decode()
        self.seconds.append(time.monotonic() - began)
        return {
            sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples
        }

    def until(self, name: str, above: float) -> dict[str, float]:
        """Scrapes until a metric is above a value, for at most 30 seconds."""
        deadline = time.monotonic() + 30
        while (found := self.scrape()).get(name, 0) <= above:
            assert time.monotonic() < deadline, f"{name} is {found.get(name)}"
            time.sleep(0.05)
        return found

    def settled(self, name: str) -> None:
        """Scrapes until a metric has not changed for half a second."""
        before = -1.0
        while (now := self.scrape()[name]) != before:
            before = now
            time.sleep(0.5)

    def close(self) -> None:
        """Stops the server."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def test_a_scrape_shows_a_frozen_database_while_callers_wait_for_it(database: str, link: Link, tmp_path: Path) -> None:
    parts = urlsplit(database)
    url = parts._replace(netloc=f"{parts.netloc.rpartition(':')[0]}:{link.port}").geturl()
    # The tables are made by those who may wait longer.
    with (
        leafmint.SegmentGenerator(database) as ids,
        leafmint.SnowflakeGenerator(database, state_files=False, auto_create=True) as flakes,
    ):
        ids.init_schema(), flakes.next_id()
    with (
        leafmint.SegmentGenerator(url, timeout="30s", connect_timeout="1s", auto_create=True) as ids,
        # The state file below the row reserves seconds at a time; the horizon that is shown is the row's.
        leafmint.SnowflakeGenerator(url, timeout="30s", connect_timeout="1s", state_dir=str(tmp_path)) as flakes,
    ):
        order = ids.tag("order")
        order.next_ids(500), flakes.next_id()
        endpoint = Endpoint(ids, flakes)
        endpoint.settled("leafmint_refills_total")
        link.held.set()
        before = endpoint.scrape()
        caller = threading.Thread(target=order.next_range, args=[1_000_000])
        caller.start()
        during = endpoint.until("leafmint_refill_failures_total", 1)
        assert caller.is_alive()
        assert during["leafmint_segment_waits_total"] > before["leafmint_segment_waits_total"]
        assert during["leafmint_refills_total"] == before["leafmint_refills_total"]
        assert 60 < during["leafmint_horizon_seconds"] < before["leafmint_horizon_seconds"]
        link.held.clear()
        caller.join(60)
        after = endpoint.until("leafmint_refills_total", during["leafmint_refills_total"])
        assert after["leafmint_ids_issued_total"] == before["leafmint_ids_issued_total"] + 1_000_000
        # One that waited for the database would take as long as a statement may.
        assert statistics.median(endpoint.seconds) < 0.5
        assert max(endpoint.seconds) < 10
        endpoint.close()
