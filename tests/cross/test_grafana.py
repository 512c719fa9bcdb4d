"""The Grafana dashboard asks for metrics and labels that are really exported, and shows all of them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import leafmint
import pytest
from leafmint.prometheus import LeafmintCollector
from programs import TOP
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

DASHBOARD: dict[str, Any] = json.loads((TOP / "docs/grafana/leafmint.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]]
VARIABLES = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}

OF_PROMETHEUS = {"job", "instance"}
"""The labels that Prometheus adds to every series."""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, set[str]]]:
    """The type and the labels of each metric that a process with both generators exports."""
    folder = tmp_path_factory.mktemp("grafana")
    with (
        leafmint.SegmentGenerator(f"sqlite:///{folder}/ids.db") as ids,
        leafmint.SnowflakeGenerator(f"local://{folder}/workers") as flakes,
    ):
        order, registry = ids.biz_tag("order"), CollectorRegistry()
        registry.register(LeafmintCollector(ids, flakes))
        flakes.next_id()
        for _ in range(2):
            order.next_ids(1000)
            time.sleep(0.02)
        scrape = generate_latest(registry).decode()
    families = list(text_string_to_metric_families(scrape))
    return {
        sample.name: (family.type, set(sample.labels) | OF_PROMETHEUS)
        for family in families
        for sample in family.samples
    }


def selectors(query: str) -> Iterator[tuple[str, set[str], str]]:
    """Yields each metric of a query, the labels of its matchers, and the function around it."""
    for function, metric, matchers in re.findall(r"(?:(\w+)\()?(leafmint_\w+)(?:\{([^}]*)\})?", query):
        yield metric, set(re.findall(r"(\w+)=~?", matchers)), function


def test_every_query_asks_for_a_metric_and_labels_that_are_exported(
    exported: dict[str, tuple[str, set[str]]],
) -> None:
    for query in QUERIES:
        for metric, labels, _ in selectors(query):
            known = exported[metric][1]
            [grouped] = re.findall(r" by \(([^)]*)\)", query)
            assert labels <= known, query
            assert set(grouped.split(", ")) <= known, query


def test_the_dashboard_shows_every_metric_that_is_exported(exported: dict[str, tuple[str, set[str]]]) -> None:
    assert {metric for query in QUERIES for metric, _, _ in selectors(query)} == set(exported)


def test_counters_are_shown_as_rates_and_gauges_as_they_are(exported: dict[str, tuple[str, set[str]]]) -> None:
    for query in QUERIES:
        for metric, _, function in selectors(query):
            assert (function in ("rate", "increase")) == (exported[metric][0] == "counter"), query


def test_the_variables_are_labels_of_metrics_that_are_exported(exported: dict[str, tuple[str, set[str]]]) -> None:
    used = set(re.findall(r"\$(\w+)", " ".join(QUERIES))) - {"__rate_interval"}
    assert used | {"datasource"} == set(VARIABLES)
    for name in used:
        query = VARIABLES[name]["query"]["query"]
        metrics = re.findall(r"leafmint_\w+", query)
        assert metrics
        assert query.endswith(f", {name})")
        assert all(name in exported[metric][1] for metric in metrics)


def test_every_legend_names_labels_of_its_query() -> None:
    for target in (target for panel in PANELS for target in panel["targets"]):
        [grouped] = re.findall(r" by \(([^)]*)\)", target["expr"])
        assert re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]) == grouped.split(", ")


def test_panels_have_numbers_of_their_own_and_do_not_overlap() -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells = [
        (grid["x"] + dx, grid["y"] + dy)
        for grid in (panel["gridPos"] for panel in panels)
        for dx in range(grid["w"])
        for dy in range(grid["h"])
    ]
    assert len(set(cells)) == len(cells)
    assert max(x for x, _ in cells) == 23


def test_the_dashboard_names_no_data_source_and_no_host() -> None:
    text = (TOP / "docs/grafana/leafmint.json").read_text()
    assert set(re.findall(r'"uid": "([^"]*)"', text)) == {"${datasource}", "leafmint"}
    assert "http" not in text


def test_the_page_links_to_the_dashboard() -> None:
    page = (TOP / "docs/reference/metrics.md").read_text()
    [link] = re.findall(r"\]\((\S*leafmint\.json)\)", page)
    assert (TOP / "docs/reference" / Path(link)).resolve() == TOP / "docs/grafana/leafmint.json"
