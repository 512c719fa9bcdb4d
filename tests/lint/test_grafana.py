"""The Grafana dashboard asks for metrics and labels that are really exported, and shows all of them.

What is exported is read from `tests/vectors/meters.json`, which the exporters of each language are tested against.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from programs import TOP

DASHBOARD: dict[str, Any] = json.loads((TOP / "py/python/leafmint/files/dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]]
VARIABLES = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}

OF_PROMETHEUS = {"job", "instance"}
"""The labels that Prometheus adds to every series."""

EXPORTED: dict[str, tuple[str, set[str]]] = {
    meter["prometheus"]: (meter["type"], set(meter["labels"]) | OF_PROMETHEUS)
    for meter in json.loads((TOP / "tests/vectors/meters.json").read_text())
}
"""The type and the labels of each metric."""


def selectors(query: str) -> Iterator[tuple[str, set[str], str]]:
    """Yields each metric of a query, the labels of its matchers, and the function around it."""
    for function, metric, matchers in re.findall(r"(?:(\w+)\()?(leafmint_\w+)(?:\{([^}]*)\})?", query):
        yield metric, set(re.findall(r"(\w+)=~?", matchers)), function


def test_every_query_asks_for_a_metric_and_labels_that_are_exported() -> None:
    for query in QUERIES:
        for metric, labels, _ in selectors(query):
            known = EXPORTED[metric][1]
            [grouped] = re.findall(r" by \(([^)]*)\)", query)
            assert labels <= known, query
            assert set(grouped.split(", ")) <= known, query


def test_the_dashboard_shows_every_metric_that_is_exported() -> None:
    assert {metric for query in QUERIES for metric, _, _ in selectors(query)} == set(EXPORTED)


def test_counters_are_shown_as_rates_and_gauges_as_they_are() -> None:
    for query in QUERIES:
        for metric, _, function in selectors(query):
            assert (function in ("rate", "increase")) == (EXPORTED[metric][0] == "counter"), query


def test_the_variables_are_labels_of_metrics_that_are_exported() -> None:
    used = set(re.findall(r"\$(\w+)", " ".join(QUERIES))) - {"__rate_interval"}
    assert used | {"datasource"} == set(VARIABLES)
    for name in used:
        query = VARIABLES[name]["query"]["query"]
        metrics = re.findall(r"leafmint_\w+", query)
        assert metrics
        assert query.endswith(f", {name})")
        assert all(name in EXPORTED[metric][1] for metric in metrics)


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
    text = (TOP / "py/python/leafmint/files/dashboard.json").read_text()
    assert set(re.findall(r'"uid": "([^"]*)"', text)) == {"${datasource}", "leafmint"}
    assert "http" not in text
