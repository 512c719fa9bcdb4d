"""The Prometheus collector, scraped over HTTP."""

import doctest
import re
import sqlite3
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator

import leafmint
import leafmint.prometheus
import pytest
from leafmint.prometheus import LeafmintCollector
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from testing import SENTINEL, UNREACHABLE, vector

Scrape = Callable[..., str]


@pytest.fixture
def scrape() -> Iterator[Scrape]:
    """Return a function that scrapes generators over HTTP, each time from the same server."""
    registry = CollectorRegistry(auto_describe=True)
    server, thread = start_http_server(0, "127.0.0.1", registry)

    def read(*generators: leafmint.SegmentGenerator | leafmint.SnowflakeGenerator) -> str:
        if generators:
            registry.register(LeafmintCollector(*generators))
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/metrics", timeout=10) as response:
            return str(response.read(), "utf-8")

    yield read
    server.shutdown()
    server.server_close()
    thread.join()


def samples(text: str) -> dict[str, Sample]:
    """Return the last sample of each name."""
    return {sample.name: sample for family in text_string_to_metric_families(text) for sample in family.samples}


def test_a_scrape_has_every_meter_with_its_type_labels_and_meaning(
    scrape: Scrape, ids: leafmint.SegmentGenerator, flakes: leafmint.SnowflakeGenerator
) -> None:
    ids.biz_tag("order").next_ids(1000)
    flakes.next_id()
    time.sleep(0.02)
    ids.biz_tag("order").next_id()
    text = scrape(ids, flakes)
    for meter in vector("meters"):
        name = meter["prometheus"]
        assert f"# TYPE {name} {meter['type']}\n" in text
        assert f"# HELP {name} {meter['meaning']}\n" in text
    found = samples(text)
    assert {name: list(sample.labels) for name, sample in found.items()} == {
        meter["prometheus"]: meter["labels"] for meter in vector("meters")
    }
    assert found["leafmint_ids_issued_total"].value == 1001
    assert found["leafmint_ids_issued_total"].labels == {"generator": "segments", "tag": "order"}
    assert found["leafmint_worker_id"].labels == {"generator": "snowflakes"}


def test_registering_asks_no_generator_and_a_second_collector_is_refused(ids: leafmint.SegmentGenerator) -> None:
    registry = CollectorRegistry()
    registry.register(LeafmintCollector(ids))
    with pytest.raises(ValueError, match="leafmint_ids_issued"):
        registry.register(LeafmintCollector(ids))


def test_a_scrape_shows_an_outage_and_waits_for_nothing(scrape: Scrape, url: str) -> None:
    with leafmint.SegmentGenerator(url, timeout="20s", connect_timeout="100ms") as ids:
        order = ids.biz_tag("order")
        order.next_ids(500)
        time.sleep(0.02)
        before = samples(scrape(ids))
        assert before["leafmint_refill_failures_total"].value == 0
        lock = sqlite3.connect(url.removeprefix("sqlite:///"))
        lock.execute("BEGIN EXCLUSIVE")
        while order.try_next_id() is not None:
            pass
        drawn: list[int] = []
        caller = threading.Thread(target=lambda: drawn.append(order.next_id()))
        caller.start()
        deadline = time.monotonic() + 10
        while (during := samples(scrape()))["leafmint_refill_failures_total"].value < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert not drawn
        assert during["leafmint_waits_total"].value > before["leafmint_waits_total"].value
        assert during["leafmint_ids_unused"].value == 0
        assert during["leafmint_supply_seconds"].value == 0
        lock.close()
        caller.join(10)
        assert drawn
        after = samples(scrape())
        assert after["leafmint_refills_total"].value > during["leafmint_refills_total"].value
        assert after["leafmint_ids_unused"].value > 0


def test_a_scrape_shows_no_password(scrape: Scrape) -> None:
    with leafmint.SegmentGenerator(UNREACHABLE, timeout="50ms") as ids:
        with pytest.raises(leafmint.SegmentUnavailableError):
            ids.biz_tag("order").next_id()
        text = scrape(ids)
        assert re.search(r"leafmint_refill_failures_total\{.*\} [1-9]", text)
        assert SENTINEL not in text


def test_the_examples_of_the_module_run() -> None:
    result = doctest.testmod(leafmint.prometheus)
    assert result.attempted
    assert result.failed == 0
