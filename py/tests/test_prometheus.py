"""The Prometheus collector, scraped over HTTP."""

import doctest
import re
import sqlite3
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import leafmint
import leafmint.prometheus
import pytest
from leafmint import late_binding
from leafmint._core import _IdKeys
from leafmint.prometheus import LeafmintCollector
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from testing import KEYS, SENTINEL, UNREACHABLE, run_python, vector

Scrape = Callable[..., str]


@pytest.fixture
def scrape() -> Iterator[Scrape]:
    """Return a function that scrapes generators over HTTP, each time from the same server."""
    registry = CollectorRegistry(auto_describe=True)
    server, thread = start_http_server(0, "127.0.0.1", registry)

    def read(
        *generators: leafmint.SegmentGenerator | leafmint.SnowflakeGenerator,
        accept: str = "text/plain",
        **options: Any,
    ) -> str:
        if generators:
            registry.register(LeafmintCollector(*generators, **options))
        request = urllib.request.Request(f"http://127.0.0.1:{server.server_port}/metrics", headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=60) as response:
            return str(response.read(), "utf-8")

    yield read
    server.shutdown()
    server.server_close()
    thread.join()


def samples(text: str) -> dict[str, Sample]:
    """Return the last sample of each name."""
    return {sample.name: sample for family in text_string_to_metric_families(text) for sample in family.samples}


def test_a_scrape_has_every_meter_with_its_type_labels_and_meaning(
    scrape: Scrape, ids: leafmint.SegmentGenerator, mysql_url: str, url: str
) -> None:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as shop:
        shop.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    flakes = leafmint.SnowflakeGenerator(mysql_url, auto_create=True, state_files=False, namespace=f"p{uuid.uuid4()}")
    ids.tag("order").next_ids(1000)
    flakes.next_id()
    time.sleep(0.02)
    ids.tag("order").next_id()
    ids.series("invoice", period="year", zone="UTC", format="{year}-{number:5}").next()
    with late_binding.override(keys=_IdKeys(KEYS)):
        text = scrape(ids, flakes, store_every=timedelta(hours=1), audit=lambda: leafmint.audit(url))
        deadline = time.monotonic() + 60
        while "leafmint_worker_ids{" not in text or "leafmint_key_used_ratio{" not in text:
            assert time.monotonic() < deadline
            text = scrape()
    flakes.close()
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


def test_prometheus_itself_gets_the_same_samples_in_its_own_format(
    scrape: Scrape, ids: leafmint.SegmentGenerator
) -> None:
    ids.tag('a "tag"\\').next_id()
    text = scrape(ids)
    open_metrics = scrape(accept="application/openmetrics-text; version=1.0.0")
    assert open_metrics.endswith("# EOF\n")
    expected = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    families = openmetrics.text_string_to_metric_families(open_metrics)  # type: ignore[no-untyped-call]
    found = [sample for family in families for sample in family.samples]
    assert [(sample.name, sample.labels) for sample in found] == [(sample.name, sample.labels) for sample in expected]
    assert {sample.labels.get("tag") for sample in found} == {'a "tag"\\', None}


def test_registering_asks_no_generator_and_a_second_collector_is_refused(ids: leafmint.SegmentGenerator) -> None:
    registry = CollectorRegistry()
    registry.register(LeafmintCollector(ids))
    with pytest.raises(ValueError, match="leafmint_ids_issued"):
        registry.register(LeafmintCollector(ids))


def test_a_scrape_shows_an_outage_and_waits_for_nothing(scrape: Scrape, url: str) -> None:
    with leafmint.SegmentGenerator(url, timeout="20s", connect_timeout="100ms") as ids:
        order = ids.tag("order")
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
        deadline = time.monotonic() + 30
        while (during := samples(scrape()))["leafmint_refill_failures_total"].value < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert not drawn
        assert during["leafmint_segment_waits_total"].value > before["leafmint_segment_waits_total"].value
        assert during["leafmint_ids_unused"].value == 0
        assert during["leafmint_supply_seconds"].value == 0
        lock.close()
        caller.join(30)
        assert drawn
        after = samples(scrape())
        assert after["leafmint_refills_total"].value > during["leafmint_refills_total"].value
        assert after["leafmint_ids_unused"].value > 0


def test_a_scrape_shows_no_password(scrape: Scrape) -> None:
    with leafmint.SegmentGenerator(UNREACHABLE, timeout="2s") as ids:
        with pytest.raises(leafmint.SegmentUnavailableError):
            ids.tag("order").next_id()
        text = scrape(ids)
        assert re.search(r"leafmint_refill_failures_total\{.*\} [1-9]", text)
        assert SENTINEL not in text


def test_forked_workers_serve_their_own_figures_and_not_those_of_their_parent(tmp_path: Path) -> None:
    script = """
        import os, signal, sys, urllib.request
        import leafmint
        from leafmint.prometheus import LeafmintCollector
        from prometheus_client import REGISTRY, start_http_server

        leafmint.configure(f"sqlite:///{sys.argv[1]}/ids.db")
        REGISTRY.register(LeafmintCollector())
        order = leafmint.tag("order")
        order.next_ids(5)

        def serve():
            for port in range(20464, 20480):
                try:
                    start_http_server(port, "127.0.0.1")
                    return port
                except OSError:
                    continue

        children = []
        for count in (10, 20):
            ready, written = os.pipe()
            if (child := os.fork()) == 0:
                signal.alarm(300)
                port = serve()
                order.next_ids(count)
                os.write(written, str(port).encode())
                signal.pause()
            children.append(child)
            url = f"http://127.0.0.1:{os.read(ready, 10).decode()}/metrics"
            text = urllib.request.urlopen(url, timeout=60).read().decode()
            print(*[line for line in text.splitlines() if line.startswith("leafmint_ids_issued_total")])
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    """
    assert run_python(script, str(tmp_path)).splitlines() == [
        f'leafmint_ids_issued_total{{generator="segments",tag="order"}} {count}.0' for count in (10, 20)
    ]


def test_a_multiprocess_collector_shows_nothing_of_custom_collectors(tmp_path: Path) -> None:
    script = """
        import os, sys
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = sys.argv[1]
        import leafmint
        from leafmint.prometheus import LeafmintCollector
        from prometheus_client import REGISTRY, CollectorRegistry, Counter, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        ids = leafmint.SegmentGenerator("memory:")
        REGISTRY.register(LeafmintCollector(ids))
        ids.tag("order").next_id()
        Counter("requests", "Requests.").inc()
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
        text = generate_latest(registry).decode()
        print("requests_total 1.0" in text, "leafmint" in text)
    """
    assert run_python(script, str(tmp_path)).strip() == "True False"


def test_the_examples_of_the_module_run() -> None:
    result = doctest.testmod(leafmint.prometheus)
    assert result.attempted
    assert result.failed == 0
