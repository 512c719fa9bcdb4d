"""The alert rules fire for what they are for, and are quiet otherwise: promtool evaluates them over made-up scrapes."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from packages import need
from programs import TOP

RULES = TOP / "py/python/leafmint/files/alerts.yaml"
ALERTS: dict[str, dict[str, Any]] = {
    rule["alert"]: rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]
}
LABELS = {
    meter["prometheus"]: set(meter["labels"]) | {"job", "instance"}
    for meter in json.loads((TOP / "tests/vectors/meters.json").read_text())
}

RUNBOOKS = (TOP / "docs/runbooks.md").read_text()

SECONDS = 15
"""The interval of the scrapes."""

PROCESS = 'job="shop",instance="a:9464"'
SEGMENTS, FLAKES, FIXED = (f'{PROCESS},generator="{name}"' for name in ("segments", "snowflakes", "fixed"))
KEY = f'{PROCESS},table="order_items",column="id"'
ORDER = f'{SEGMENTS},tag="order"'
SCOPE = 'scope="mysql://db/shop, namespace default (scope: everyone on that database)",version="0.1.0"'

QUIET = {
    f"leafmint_store_up{{{SEGMENTS}}}": "1x400",
    f"leafmint_supply_seconds{{{ORDER}}}": "900x400",
    f"leafmint_segment_calls_failed_total{{{ORDER}}}": "3x400",
    f"leafmint_segment_waits_total{{{ORDER}}}": "1x400",
    f'leafmint_store_failures_total{{{SEGMENTS},reason="store_regressed"}}': "0x400",
    f'leafmint_store_failures_total{{{SEGMENTS},reason="unknown_tag"}}': "2x400",
    f'leafmint_store_failures_total{{{SEGMENTS},reason="store_unavailable"}}': "7x400",
    f"leafmint_series_numbers_left{{{ORDER}}}": "500-1x400",
    f"leafmint_series_numbers_last_seconds{{{ORDER}}}": "90000x400",
    f"leafmint_holder_up{{{FLAKES}}}": "1x400",
    f"leafmint_worker_id{{{FLAKES}}}": "7x400",
    f"leafmint_horizon_seconds{{{FLAKES}}}": "590x400",
    f"leafmint_leases_lost_total{{{FLAKES}}}": "1x400",
    f"leafmint_snowflake_calls_failed_total{{{FLAKES}}}": "1x400",
    f"leafmint_clock_lead_seconds{{{FLAKES}}}": "0x400",
    f"leafmint_info{{{FLAKES},{SCOPE}}}": "1x400",
    f"leafmint_worker_ids{{{FLAKES}}}": "1024x400",
    f"leafmint_worker_ids_free{{{FLAKES}}}": "103x400",
    # It may take its own worker id only.
    f"leafmint_worker_ids{{{FIXED}}}": "1x400",
    f"leafmint_worker_ids_free{{{FIXED}}}": "0x400",
    f"leafmint_clock_skew_seconds{{{FLAKES}}}": "-0.9x400",
    f"leafmint_key_used_ratio{{{KEY}}}": "0.8x400",
    f'leafmint_store_read_age_seconds{{{PROCESS},part="holder"}}': "0+15x400",
}
"""The scrapes of a process in a quiet hour and a half. What it counts, it counted before."""


class Case(NamedTuple):
    """What differs from a quiet hour from the 80th scrape on, after 20 minutes, and after how many seconds it fires."""

    alert: str
    series: dict[str, str]
    fires_after: int


def turns(series: str, before: object, after: str) -> dict[str, str]:
    """Returns a series that has one value, and from the 80th scrape on others."""
    return {series: f"{before}x79 {after}"}


CASES = [
    Case("LeafmintStoreDown", turns(f"leafmint_store_up{{{SEGMENTS}}}", 1, "0x300"), 75),
    Case(
        "LeafmintSupplyEnds",
        turns(f"leafmint_store_up{{{SEGMENTS}}}", 1, "0x300")
        | turns(f"leafmint_supply_seconds{{{ORDER}}}", 900, "45x300"),
        15,
    ),
    Case("LeafmintCallsFail", turns(f"leafmint_segment_calls_failed_total{{{ORDER}}}", 3, "4+1x300"), 15),
    Case("LeafmintCallsFail", turns(f"leafmint_snowflake_calls_failed_total{{{FLAKES}}}", 1, "2+1x300"), 15),
    # A process that never had an id: its first scrape shows failed calls.
    Case(
        "LeafmintCallsFail", turns(f'leafmint_segment_calls_failed_total{{{SEGMENTS},tag="new"}}', "_x1 _", "1x300"), 15
    ),
    Case(
        "LeafmintStoreRegressed",
        turns(f'leafmint_store_failures_total{{{SEGMENTS},reason="store_regressed"}}', 0, "1x300"),
        15,
    ),
    Case("LeafmintRefused", turns(f'leafmint_store_failures_total{{{SEGMENTS},reason="unknown_tag"}}', 2, "3x300"), 15),
    Case(
        "LeafmintNoWorkerId",
        turns(f"leafmint_holder_up{{{FLAKES}}}", 1, "0x300") | turns(f"leafmint_worker_id{{{FLAKES}}}", 7, "stale"),
        45,
    ),
    # In Java the worker id is then not a number.
    Case(
        "LeafmintNoWorkerId",
        turns(f"leafmint_holder_up{{{FLAKES}}}", 1, "0x300")
        | turns(f"leafmint_worker_id{{{FLAKES}}}", 7, " ".join(["NaN"] * 20)),
        45,
    ),
    Case("LeafmintHeartbeatsFail", turns(f"leafmint_holder_up{{{FLAKES}}}", 1, "0x300"), 75),
    Case(
        "LeafmintSnowflakesEnd",
        turns(f"leafmint_holder_up{{{FLAKES}}}", 1, "0x300")
        | turns(f"leafmint_horizon_seconds{{{FLAKES}}}", 590, "59-15x4 0x300"),
        15,
    ),
    Case("LeafmintLeaseLost", turns(f"leafmint_leases_lost_total{{{FLAKES}}}", 1, "2x300"), 15),
    Case(
        "LeafmintSameWorkerId",
        turns(f"leafmint_worker_id{{{FLAKES.replace('a:', 'b:')}}}", 3, "7x300")
        | {f"leafmint_info{{{FLAKES.replace('a:', 'b:')},{SCOPE}}}": "1x400"},
        135,
    ),
    Case("LeafmintClockSetBack", turns(f"leafmint_clock_lead_seconds{{{FLAKES}}}", 0, "60x300"), 75),
    Case("LeafmintCallsWait", turns(f"leafmint_segment_waits_total{{{ORDER}}}", 1, "1+30x300"), 630),
    Case("LeafmintFormatFull", turns(f"leafmint_series_numbers_left{{{ORDER}}}", 500, "0x300"), 15),
    Case("LeafmintFormatFull", turns(f"leafmint_series_numbers_last_seconds{{{ORDER}}}", 90000, "500x300"), 15),
    Case("LeafmintWorkerIdsEnd", turns(f"leafmint_worker_ids_free{{{FLAKES}}}", 103, "102x300"), 615),
    Case("LeafmintKeyFull", turns(f"leafmint_key_used_ratio{{{KEY}}}", 0.8, "0.81x300"), 15),
    Case("LeafmintClockSkew", turns(f"leafmint_clock_skew_seconds{{{FLAKES}}}", -0.9, "-1.1x300"), 615),
    Case("LeafmintClockSkew", turns(f"leafmint_clock_skew_seconds{{{FLAKES}}}", -0.9, "1.1x300"), 615),
    Case(
        "LeafmintStoreReadOld",
        turns(f'leafmint_store_read_age_seconds{{{PROCESS},part="holder"}}', 14400, "14415+15x300"),
        15,
    ),
]


def firing(alert: str, second: int, is_firing: bool) -> dict[str, Any]:
    """Expects that an alert fires at this second, or that it does not."""
    return {
        "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}}) > 0',
        "eval_time": f"{second}s",
        "exp_samples": [{"labels": "{}", "value": 1}] if is_firing else [],
    }


def evaluate(directory: Path, series: dict[str, str], expected: list[dict[str, Any]]) -> None:
    """Asserts what promtool sees in these scrapes."""
    need(["promtool"], ["prometheus"], "")
    test = {
        "interval": f"{SECONDS}s",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": expected,
    }
    file = directory / "test.yaml"
    document = {"rule_files": [str(RULES)], "evaluation_interval": f"{SECONDS}s", "tests": [test]}
    file.write_text(yaml.safe_dump(document))
    ran = subprocess.run(["promtool", "test", "rules", str(file)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.alert)
def test_an_alert_fires_in_time_and_not_before(case: Case, tmp_path: Path) -> None:
    begins = 80 * SECONDS
    expected = [
        firing(case.alert, begins - SECONDS, is_firing=False),
        firing(case.alert, begins + case.fires_after, is_firing=True),
    ]
    evaluate(tmp_path, QUIET | case.series, expected)


def test_no_alert_fires_in_quiet_hours(tmp_path: Path) -> None:
    quiet = [firing(alert, minute * 60, is_firing=False) for alert in ALERTS for minute in (20, 30, 60, 95)]
    evaluate(tmp_path, QUIET, quiet)


def test_one_worker_id_in_two_namespaces_or_on_two_hosts_with_directories_of_their_own_is_no_alarm(
    tmp_path: Path,
) -> None:
    other = FLAKES.replace("a:", "b:")
    local = (
        'scope="local:/workers/default (scope: the processes of this host that share that directory)",version="0.1.0"'
    )
    for one, two in [(SCOPE, SCOPE.replace("default", "billing")), (local, local)]:
        series = {
            f"leafmint_worker_id{{{FLAKES}}}": "7x400",
            f"leafmint_worker_id{{{other}}}": "7x400",
            f"leafmint_info{{{FLAKES},{one}}}": "1x400",
            f"leafmint_info{{{other},{two}}}": "1x400",
        }
        evaluate(tmp_path, series, [firing("LeafmintSameWorkerId", 1800, is_firing=False)])


def test_each_alert_is_tried_and_asks_for_metrics_and_labels_that_are_exported() -> None:
    assert {case.alert for case in CASES} == set(ALERTS)
    for rule in ALERTS.values():
        metrics = set(re.findall(r"leafmint_\w+", rule["expr"]))
        assert metrics
        for metric, matchers in re.findall(r"(leafmint_\w+)(?:\{([^}]*)\})?", rule["expr"]):
            assert set(re.findall(r"(\w+)[=!]", matchers)) <= LABELS[metric], rule["alert"]
        assert set(rule["annotations"]) == {"summary", "runbook", "description"}
        assert f"\n## {rule['annotations']['runbook']}\n" in RUNBOOKS, rule["alert"]
        assert rule["labels"]["severity"] in ("critical", "warning")


def test_the_page_lists_every_alert_with_its_severity() -> None:
    page = (TOP / "docs/reference/metrics.md").read_text()
    listed = re.findall(r"^\| `(Leafmint\w+)` \| (\w+) \|", page, re.MULTILINE)
    assert listed == [(name, rule["labels"]["severity"]) for name, rule in ALERTS.items()]
