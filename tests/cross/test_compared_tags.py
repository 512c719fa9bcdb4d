"""`leafmint check --prometheus` on a real Prometheus: a tag is called new only if every process was seen."""

from __future__ import annotations

import re
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path

import leafmint
import pytest
from leafmint.cli import main
from leafmint.prometheus import LeafmintCollector
from prometheus import Prometheus
from prometheus_client import CollectorRegistry, start_http_server
from sqlalchemy import create_engine
from throwaway import free_port

Check = Callable[..., tuple[int, list[str]]]


class Process:
    """Mints, and shows its metrics."""

    def __init__(self, folder: Path, stack: ExitStack, ids: leafmint.SegmentGenerator | None = None) -> None:
        self.url, self.port, self.path = f"sqlite:///{folder}/ids.db", free_port(), folder / "ids.db"
        self.ids = stack.enter_context(ids or leafmint.SegmentGenerator(self.url))
        self.registry = CollectorRegistry()
        self.web, _ = start_http_server(self.port, "127.0.0.1", self.registry)
        stack.callback(self.end)

    def show(self, prometheus: Prometheus, *tags: str, max_tags: int = 100) -> None:
        """Mints from these tags, and waits until Prometheus has seen it."""
        for tag in tags:
            self.ids.tag(tag).next_ids(5)
        self.registry.register(LeafmintCollector(self.ids, max_tags=max_tags))
        prometheus.wait_until("count(leafmint_ids_highest_leased > 0)", min(len(tags), max_tags))

    def sql(self, script: str) -> None:
        """Does what another program does to the database."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.executescript(script)

    def end(self) -> None:
        """Shows nothing any more."""
        self.web.shutdown()
        self.web.server_close()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What a test has begun, which ends with it."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def process(tmp_path: Path, stack: ExitStack) -> Process:
    """A process."""
    return Process(tmp_path, stack)


@pytest.fixture
def check(process: Process, capsys: pytest.CaptureFixture[str]) -> Check:
    """Runs the command, and returns its exit code and its lines about metrics and tags."""

    def run(prometheus: Prometheus, *arguments: str) -> tuple[int, list[str]]:
        for _ in range(300):
            code = main(["check", "--url", process.url, "--prometheus", prometheus.url, *arguments])
            shown = capsys.readouterr().out
            # On a busy machine a process that runs may have answered Prometheus too late.
            down = re.findall(r"127\.0\.0\.1:(\d+)", shown.partition(" down: ")[2].partition("\n")[0])
            if not any(listens(int(port)) for port in down):
                break
            time.sleep(0.2)
        return code, [line for line in shown.splitlines() if "  store" not in line]

    return run


def listens(port: int) -> bool:
    """Returns whether a process takes connections on a port of 127.0.0.1."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def test_without_any_metrics_nothing_can_be_told(
    process: Process, check: Check, stack: ExitStack, capsys: pytest.CaptureFixture[str]
) -> None:
    prometheus = stack.enter_context(Prometheus(process.port))
    process.ids.tag("order").next_id()
    prometheus.wait_until("count(up)", 1)
    code, (metrics, tag) = check(prometheus, "--tag", "parcel")
    assert (code, metrics[:4], "tags create" in tag) == (2, "fail", False)
    assert "cannot tell what processes have leased" in metrics
    assert "has no metrics of leafmint's processes of the last 30 days" in metrics
    assert "cannot tell whether a process has leased from it" in tag
    for arguments in ([], ["--tag", "order"]):
        assert check(prometheus, *arguments)[0] == 1
    process.sql("DELETE FROM leaf_alloc")
    assert main(["tags", "recover", "order", "--url", process.url, "--prometheus", prometheus.url, "--yes"]) == 1
    assert "not found  Prometheus: http://127.0.0.1:" in capsys.readouterr().out


def test_a_target_that_is_down_may_have_leased(
    process: Process, check: Check, stack: ExitStack, capsys: pytest.CaptureFixture[str]
) -> None:
    prometheus = stack.enter_context(Prometheus(process.port, dead := free_port()))
    process.show(prometheus, "order")
    prometheus.wait_until("count(up)", 2)
    for tag, expected in (("order", 1), ("parcel", 2)):
        code, (metrics, of_tag) = check(prometheus, "--tag", tag)
        assert (code, f"1 target of Prometheus is down: 127.0.0.1:{dead}" in metrics) == (expected, True)
        assert "tags create" not in of_tag
    # It is raised above what was seen, and the margin is for what was not.
    assert main(["tags", "recover", "order", "--url", process.url, "--prometheus", prometheus.url, "--yes"]) == 0
    shown = capsys.readouterr().out
    assert f"not found  Prometheus: 1 target of Prometheus is down: 127.0.0.1:{dead}" in shown
    assert "left free  10,000,000 ids" in shown


def test_all_tags_that_processes_have_leased_from_are_compared_if_none_is_named(
    process: Process, check: Check, stack: ExitStack
) -> None:
    prometheus = stack.enter_context(Prometheus(process.port))
    process.ids.series("invoice", period="year", zone="UTC").next()
    process.show(prometheus, "order", "user", "item")
    prometheus.wait_until('count(leafmint_ids_highest_leased{tag="invoice@year"} > 0)', 1)
    assert check(prometheus) == (0, [f"ok    metrics     3 tags compared with {prometheus.url}"])
    code, (_, tag) = check(prometheus, "--tag", "parcel")
    makes = f"no process has leased from it. To make it, run leafmint tags create parcel --url {process.url}"
    assert (code, tag.endswith(makes)) == (2, True)
    code, (_, tag) = check(prometheus, "--tag", "invoice@1999")
    assert (code, "one number for all keys and periods of a series" in tag, "tags create" in tag) == (2, True, False)
    highest = process.ids.tag("order").stats().highest_leased
    process.sql("DELETE FROM leaf_alloc WHERE biz_tag = 'order'; UPDATE leaf_alloc SET max_id = 1")
    code, lines = check(prometheus)
    assert (code, [line.split()[:3] for line in lines[1:]]) == (
        2,
        [["fail", "tag", "item:"], ["fail", "tag", "order:"], ["fail", "tag", "user:"]],
    )
    makes = f"no such tag, and processes have leased up to {highest}. To make it, run leafmint tags recover order"
    assert lines[2].endswith(f"{makes} --prometheus {prometheus.url} --url {process.url}")
    assert "and the store leases 1 next: leafmint tags recover item" in lines[1]


def test_tags_of_other_stores_are_left_out_if_none_is_named(
    tmp_path: Path, process: Process, check: Check, stack: ExitStack
) -> None:
    (tmp_path / "other").mkdir()
    other = Process(tmp_path / "other", stack)
    prometheus = stack.enter_context(Prometheus(process.port, other.port, dead := free_port()))
    other.show(prometheus, "order", "parcel")
    left_out = f"2 tags of 1 other store left out: {other.ids.scope}"
    code, lines = check(prometheus)
    assert (code, len(lines), left_out in lines[0]) == (1, 1, True)
    assert "has no metrics of this store's processes of the last 30 days" in lines[0]
    process.show(prometheus, "order")
    prometheus.wait_until("count(leafmint_ids_highest_leased > 0)", 3)
    prometheus.wait_until("count(up == 0)", 1)
    code, (metrics,) = check(prometheus)
    assert (code, f"1 target of Prometheus is down: 127.0.0.1:{dead}" in metrics) == (1, True)
    with start_http_server(dead, "127.0.0.1", CollectorRegistry())[0]:
        prometheus.wait_until("count(up == 1)", 3)
        assert check(prometheus) == (0, [f"ok    metrics     1 tag compared with {prometheus.url}; {left_out}"])
        process.sql("UPDATE leaf_alloc SET max_id = 1")
        code, (metrics, tag) = check(prometheus)
        assert (code, metrics[:2], "order: processes have leased up to" in tag) == (1, "ok", True)


def test_a_table_on_a_server_is_the_same_store_by_another_host_and_through_an_engine(
    tmp_path: Path, database: str, stack: ExitStack, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = create_engine(database.replace("mysql://", "mysql+pymysql://").replace("127.0.0.1", "localhost"))
    stack.callback(engine.dispose)
    here = Process(tmp_path, stack, leafmint.SegmentGenerator(engine))
    other = Process(tmp_path, stack, leafmint.SegmentGenerator(database, table="other_alloc"))
    prometheus = stack.enter_context(Prometheus(here.port, other.port))
    for process, tag in ((here, "order"), (other, "parcel")):
        process.ids.init_schema()
        process.ids.create_tag(tag)
        process.show(prometheus)
        process.ids.tag(tag).next_id()
    prometheus.wait_until("count(leafmint_ids_highest_leased > 0)", 2)
    check = ["check", "--url", database, "--prometheus", prometheus.url]
    assert main(check) == 0
    left_out = f"1 tag of 1 other store left out: {other.ids.scope}"
    assert f"1 tag compared with {prometheus.url}; {left_out}" in capsys.readouterr().out
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE leaf_alloc SET max_id = 1")
    assert main(check) == 1
    assert "order: processes have leased up to" in capsys.readouterr().out


def test_a_tag_without_its_own_series_may_have_been_leased(process: Process, check: Check, stack: ExitStack) -> None:
    prometheus = stack.enter_context(Prometheus(process.port))
    process.show(prometheus, "order", "user", max_tags=1)
    prometheus.wait_until('leafmint_ids_highest_leased{tag="other"}', 1)
    process.sql("DELETE FROM leaf_alloc WHERE biz_tag = 'user'")
    code, (_, tag) = check(prometheus, "--tag", "user")
    assert (code, 'only together, as the tag "other"' in tag, "tags create" in tag) == (2, True, False)


def test_a_recovery_of_a_series_names_the_highest_number_that_is_reported(
    process: Process, stack: ExitStack, capsys: pytest.CaptureFixture[str]
) -> None:
    prometheus = stack.enter_context(Prometheus(process.port))
    process.ids.series("invoice", period="year", zone="UTC").next_many(5, on=date(2026, 11, 30))
    process.show(prometheus)
    prometheus.wait_until('count(leafmint_ids_highest_leased{tag="invoice@year"} > 0)', 1)
    highest = process.ids.stats().tags["invoice@year"].highest_leased
    recover = ["tags", "recover", "invoice@2026", "--url", process.url, "--prometheus", prometheus.url]
    assert main(recover) == 1
    said = f"it has one number for all keys and periods of a series, {highest} at the last scrape: give --reported"
    assert said in capsys.readouterr().out
