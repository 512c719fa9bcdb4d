"""The gauges of what holders and audits say: read in the background, at their pace, and never by a scrape."""

import gc
import logging
import sqlite3
import threading
import time
import uuid
import weakref
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from typing import Any

import leafmint
import pytest
from audited import Audited
from leafmint._internal import store_gauges
from leafmint._internal.meters import METERS, Sources
from leafmint._internal.store_gauges import StoreGauges
from leafmint.prometheus import LeafmintCollector
from prometheus_client import CollectorRegistry, generate_latest
from testing import SENTINEL, UNREACHABLE, run_python

HOUR = timedelta(hours=1)
MOMENT = timedelta(milliseconds=1)
Values = dict[tuple[str, tuple[str, ...]], float]


def gauges(*generators: leafmint.SnowflakeGenerator, every: timedelta | None = HOUR, **options: Any) -> StoreGauges:
    """Return the gauges of generators."""
    options = {"audit": None, "most_keys": 100} | options
    return StoreGauges(Sources(generators, {}), every, options["audit"], options["most_keys"])


def scrape(store: StoreGauges) -> Values:
    """Return the value of each gauge, without the prefix of its name."""
    return {(meter.name.removeprefix("leafmint."), labels): value for meter, labels, value in store.read(*METERS)}


def until(store: StoreGauges, is_so: Callable[[Values], bool]) -> Values:
    """Scrape until something holds."""
    deadline = time.monotonic() + 60
    while not is_so(found := scrape(store)):
        assert time.monotonic() < deadline, found
        time.sleep(0.01)
    return found


def has(name: str, *labels: str) -> Callable[[Values], bool]:
    """Return a condition: the gauge is there."""
    return lambda found: (name, labels) in found


FREE = "worker_ids.free", ("snowflakes",)


@pytest.fixture(params=["local", "mysql"])
def holder(request: pytest.FixtureRequest) -> str:
    """Return the URL of a directory, or of a namespace of a server, with ten worker ids."""
    if request.param == "local":
        return f"{request.getfixturevalue('local')}?workers=0-9&timeout=60s"
    url = request.getfixturevalue("mysql_url")
    return f"{url}?auto_create=true&state_files=false&namespace=gauges-{uuid.uuid4().hex}&workers=0-9&timeout=60s"


def test_the_worker_ids_of_a_holder_and_its_clock_are_read_once_per_interval(holder: str) -> None:
    with leafmint.SnowflakeGenerator(holder) as flakes, leafmint.SnowflakeGenerator(holder) as other:
        flakes.next_id()
        store = gauges(flakes)
        found = until(store, has(*FREE[:1], "snowflakes"))
        assert (found["worker_ids", ("snowflakes",)], found[FREE]) == (10, 9)
        if holder.startswith("mysql"):
            skew = flakes.check().clock_skew
            assert skew is not None
            assert abs(found["clock_skew", ("snowflakes",)] - skew.total_seconds()) < 0.5
        else:
            assert ("clock_skew", ("snowflakes",)) not in found
        other.next_id()
        aged = until(store, lambda now: now["store.read.age", ("holder",)] > 0.2)
        assert aged[FREE] == 9
        assert until(gauges(flakes), has(*FREE[:1], "snowflakes"))[FREE] == 8


def test_a_short_interval_follows_the_holder(holder: str) -> None:
    with leafmint.SnowflakeGenerator(holder) as flakes, leafmint.SnowflakeGenerator(holder) as other:
        flakes.next_id()
        store = gauges(flakes, every=MOMENT)
        until(store, lambda found: found.get(FREE) == 9)
        other.next_id()
        until(store, lambda found: found.get(FREE) == 8)


@pytest.mark.parametrize("kind", ["sqlite", "mysql"])
def test_the_fullest_keys_of_an_audit_are_shown(kind: str, request: pytest.FixtureRequest, tmp_path: Any) -> None:
    shop = Audited(kind, "" if kind == "sqlite" else request.getfixturevalue("mysql_url"), tmp_path)
    statements = ["CREATE TABLE empty (id INTEGER PRIMARY KEY)"]
    for table, highest in (("few", 10), ("half", 2**30), ("most", 2_000_000_000)):
        column = "id INT PRIMARY KEY" if kind == "mysql" else "id INTEGER PRIMARY KEY"
        statements += [f"CREATE TABLE {table} ({column})", f"INSERT INTO {table} VALUES ({highest})"]
    shop.run(*statements)
    try:
        store = gauges(every=None, audit=lambda: leafmint.audit(shop.url), most_keys=2)
        found = until(store, has("key.used", "id", "most"))
        shown = {labels: value for (name, labels), value in found.items() if name == "key.used"}
        assert set(shown) == {("id", "most"), ("id", "half")}
        largest = {key.table: key.largest for key in leafmint.audit(shop.url).keys}
        assert shown["id", "most"] == 2_000_000_000 / largest["most"]
        assert shown["id", "half"] == 2**30 / largest["half"]
        assert ("store.read.age", ("holder",)) not in found
    finally:
        if kind != "sqlite":
            shop.drop()


def test_a_scrape_waits_for_no_audit_and_one_runs_at_a_time(url: str) -> None:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    begun, goes_on = threading.Semaphore(0), threading.Event()

    def audit() -> leafmint.AuditReport:
        begun.release()
        goes_on.wait(60)
        return leafmint.audit(url)

    store = gauges(every=None, audit=audit)
    for _ in range(20):
        assert set(scrape(store)) == {("store.read.age", ("keys",))}
    assert begun.acquire(timeout=60)
    assert not begun.acquire(blocking=False)
    goes_on.set()
    until(store, has("key.used", "id", "orders"))


def test_values_stay_while_reads_fail_and_each_incident_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, url: str
) -> None:
    monkeypatch.setattr(store_gauges, "AUDIT_AGE", 0.001)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
        database.execute(f"INSERT INTO orders VALUES ({2**62})")
        database.commit()
    fails, attempts = threading.Event(), 0

    def audit() -> leafmint.AuditReport:
        nonlocal attempts
        attempts += 1
        return leafmint.audit(UNREACHABLE if fails.is_set() else url)

    def failures() -> list[str]:
        return [record.getMessage() for record in caplog.records if "could not be read" in record.getMessage()]

    store = gauges(every=None, audit=audit)
    until(store, has("key.used", "id", "orders"))

    def fail_for_a_while() -> None:
        logged, begun = len(failures()), attempts
        fails.set()
        found = until(store, lambda found: attempts >= begun + 5 and len(failures()) > logged)
        assert len(failures()) == logged + 1
        assert found["key.used", ("id", "orders")] == pytest.approx(0.5)
        fails.clear()
        age = found["store.read.age", ("keys",)]
        until(store, lambda found: found["store.read.age", ("keys",)] < age / 2)

    fail_for_a_while()
    fail_for_a_while()
    assert failures()[0].startswith("the gauges of the part keys could not be read: ")
    assert "connection refused" in failures()[0].lower()
    assert SENTINEL not in caplog.text


def test_the_text_of_a_failure_that_is_not_leafmints_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    def audit() -> leafmint.AuditReport:
        raise ValueError(f"cannot connect with {SENTINEL}")

    store = gauges(every=None, audit=audit)
    until(store, lambda found: bool(caplog.records))
    assert [record.getMessage() for record in caplog.records] == [
        "the gauges of the part keys could not be read: ValueError"
    ]


def test_a_holder_that_is_away_fails_no_scrape_and_keeps_no_generator(caplog: pytest.LogCaptureFixture) -> None:
    flakes = leafmint.SnowflakeGenerator(f"{UNREACHABLE}?connect_timeout=100ms&timeout=200ms")
    store, reference = gauges(flakes, every=MOMENT), weakref.ref(flakes)
    with caplog.at_level(logging.WARNING, "leafmint"):
        until(store, lambda found: any("part holder" in record.getMessage() for record in caplog.records))
        before = scrape(store)
        assert set(before) == {("store.read.age", ("holder",))}
        until(store, lambda found: found["store.read.age", ("holder",)] > 1)
    assert sum("part holder" in record.getMessage() for record in caplog.records) == 1
    flakes.close()
    del flakes
    deadline = time.monotonic() + 60
    while reference() is not None:
        assert time.monotonic() < deadline
        gc.collect()
        time.sleep(0.01)
    assert scrape(store) == {}


def test_a_closed_generator_shows_nothing_and_is_no_failure(
    flakes: leafmint.SnowflakeGenerator, caplog: pytest.LogCaptureFixture
) -> None:
    store = gauges(flakes, every=MOMENT)
    until(store, has(*FREE[:1], "snowflakes"))
    flakes.close()
    until(store, lambda found: FREE not in found)
    assert caplog.records == []


def test_without_the_switch_nothing_is_read(flakes: leafmint.SnowflakeGenerator) -> None:
    threads = {thread.name for thread in threading.enumerate()}
    registry = CollectorRegistry()
    registry.register(LeafmintCollector(flakes))
    for _ in range(3):
        text = generate_latest(registry).decode()
    assert "leafmint_worker_ids{" not in text
    assert "leafmint_store_read_age_seconds{" not in text
    assert {thread.name for thread in threading.enumerate()} - threads <= {"leafmint-log"}


@pytest.mark.parametrize("every", [timedelta(0), -HOUR, 300, "5m"])
def test_an_interval_that_is_no_positive_timedelta_is_refused(every: Any) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=r"store_every=.* is not a positive timedelta"):
        LeafmintCollector(store_every=every)


def test_a_forked_child_reads_for_itself(local: str) -> None:
    script = """
        import os, signal, sys, time
        from datetime import timedelta
        import leafmint
        from leafmint._internal.meters import METERS, Sources
        from leafmint._internal.store_gauges import StoreGauges

        def scrape():
            return {meter.name: value for meter, _, value in store.read(*METERS)}

        def read():
            while "leafmint.worker_ids.free" not in scrape():
                time.sleep(0.01)
            return scrape()["leafmint.worker_ids.free"]

        flakes = leafmint.SnowflakeGenerator(sys.argv[1])
        flakes.next_id()
        store = StoreGauges(Sources([flakes], {}), timedelta(hours=1), None, 100)
        print(read(), flush=True)
        if (child := os.fork()) == 0:
            signal.alarm(100)
            flakes.next_id()
            print(read(), flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print(read())
    """
    assert run_python(script, f"{local}?workers=0-9&timeout=60s").split() == ["9", "8", "9"]
