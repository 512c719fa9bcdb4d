"""The OpenTelemetry instruments, read by the SDK."""

import doctest
import logging
import sqlite3
import time
import uuid
from contextlib import closing
from datetime import timedelta
from typing import Any

import leafmint
import leafmint.opentelemetry
import pytest
from leafmint import late_binding
from leafmint._core import _IdKeys
from leafmint.opentelemetry import create_instruments
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader, Metric
from testing import KEYS, UNREACHABLE, vector


def collect(reader: InMemoryMetricReader) -> dict[str, Metric]:
    """Return what the SDK would export, by name."""
    data = reader.get_metrics_data()
    assert data is not None
    [resource] = data.resource_metrics
    [scope] = resource.scope_metrics
    assert (scope.scope.name, scope.scope.version) == ("leafmint", leafmint.__version__)
    return {metric.name: metric for metric in scope.metrics}


def points(metric: Metric) -> list[tuple[dict[str, Any], float]]:
    """Return the attributes and the value of each data point."""
    return [(dict(point.attributes or {}), getattr(point, "value", 0)) for point in metric.data.data_points]


@pytest.fixture
def reader() -> InMemoryMetricReader:
    """Return a reader of the SDK."""
    return InMemoryMetricReader()


@pytest.fixture
def provider(reader: InMemoryMetricReader) -> MeterProvider:
    """Return a provider of the SDK."""
    return MeterProvider([reader], shutdown_on_exit=False)


def test_the_sdk_reads_every_meter_with_its_unit_attributes_and_meaning(
    reader: InMemoryMetricReader,
    provider: MeterProvider,
    ids: leafmint.SegmentGenerator,
    mysql_url: str,
    url: str,
) -> None:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as shop:
        shop.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    flakes = leafmint.SnowflakeGenerator(mysql_url, auto_create=True, state_files=False, namespace=f"o{uuid.uuid4()}")
    every, audit = timedelta(hours=1), lambda: leafmint.audit(url)
    create_instruments(ids, flakes, meter_provider=provider, store_every=every, audit=audit)
    ids.tag("order").next_ids(1000)
    flakes.next_id()
    time.sleep(0.02)
    ids.tag("order").next_id()
    ids.series("invoice", period="year", zone="UTC", format="{year}-{number:5}").next()
    deadline = time.monotonic() + 60
    with late_binding.override(keys=_IdKeys(KEYS)):
        while not {"leafmint.worker_ids", "leafmint.clock_skew", "leafmint.key.used"} <= set(found := collect(reader)):
            assert time.monotonic() < deadline
    flakes.close()
    for meter in vector("meters"):
        metric = found[meter["name"]]
        assert (metric.unit, metric.description) == (meter["unit"], meter["meaning"])
        assert getattr(metric.data, "is_monotonic", False) == (meter["type"] == "counter")
        assert all(list(attributes) == meter["labels"] for attributes, _ in points(metric))
    issued = [({"generator": "segments", "tag": tag}, count) for tag, count in (("invoice@year", 1), ("order", 1001))]
    assert points(found["leafmint.ids.issued"]) == issued
    assert points(found["leafmint.worker_id"]) == [({"generator": "snowflakes"}, 0)]


def test_each_read_has_the_present_values(reader: InMemoryMetricReader, provider: MeterProvider) -> None:
    ids = leafmint.SegmentGenerator("memory://opentelemetry-values")
    create_instruments(billing=ids, meter_provider=provider, tags=["order"])
    for issued in (1, 2):
        ids.tag("order").next_id()
        ids.tag("invoice").next_ids(10)
        assert points(collect(reader)["leafmint.ids.issued"]) == [
            ({"generator": "billing", "tag": "other"}, issued * 10),
            ({"generator": "billing", "tag": "order"}, issued),
        ]


def test_a_store_that_is_away_shows_as_failures(
    reader: InMemoryMetricReader, provider: MeterProvider, caplog: pytest.LogCaptureFixture
) -> None:
    with leafmint.SegmentGenerator(UNREACHABLE, timeout="2s") as ids:
        create_instruments(ids, meter_provider=provider)
        with pytest.raises(leafmint.SegmentUnavailableError):
            ids.tag("order").next_id()
        with caplog.at_level(logging.WARNING, "opentelemetry"):
            [(_, failures)] = points(collect(reader)["leafmint.refill.failures"])
        assert failures >= 1
        assert [record for record in caplog.records if record.name.startswith("opentelemetry")] == []


def test_the_examples_of_the_module_run() -> None:
    result = doctest.testmod(leafmint.opentelemetry)
    assert result.attempted
    assert result.failed == 0
