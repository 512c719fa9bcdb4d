"""The sample applications: no failed request while their database is frozen or dead, no id twice over both.

No order number comes twice, and the invoices have no gap, although two of three transactions that bill roll back.

`LEAFMINT_OUTAGE_SECONDS` sets how long the database is dead; 5 by default.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from id_texts import number_of
from invoices import bill_each_order_several_times, check_invoices, check_order_numbers, today
from mariadb import MariaDb
from shops import APPS, Clients, Shop, database_of, django_shop, fastapi_shop, leafmint
from strangers import FIRST_ID, Crawler

OUTAGE = float(os.environ.get("LEAFMINT_OUTAGE_SECONDS", "5"))
TAG = "shop_order"
PAGES_OF_DJANGO = ["/orders/{id}/invoice", "/parcels", "/orders/7/invoice"]
ORDERS = "SELECT number FROM shop_orders UNION ALL SELECT number FROM shop_order"
INVOICES = "SELECT number FROM shop_invoices UNION ALL SELECT number FROM shop_invoice"
"""The numbers in the tables of both samples, which share the series."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., list[Shop]]]:
    """Starts both samples on one database, and ends them after the test."""
    shops: list[Shop] = []

    def start(database: str, first: int = 1) -> list[Shop]:
        assert leafmint("init", "--url", database).returncode == 0
        created = leafmint("tags", "create", TAG, "--step", "200", "--start", str(first), "--url", database)
        assert created.returncode == 0, created.stderr
        shops.extend(starter(database, tmp_path) for starter in (fastapi_shop, django_shop))
        return shops

    yield start
    for shop in shops:
        for process in shop.processes:
            process.kill()
            process.wait()


def check_loop(shops: list[Shop], when: str) -> None:
    """Checks that the event loop goes on, even on a busy machine: each outage has lasted for 5 s by then."""
    lag = max(value for _ in range(8) for value in shops[0].figures("shop_event_loop_lag_seconds")[0])
    print(f"{when}: longest time for which an event loop did not run {lag:.3f} s")
    assert lag < 4.5, "an event loop waited as long as the outage lasts"


def report(shops: list[Shop], orders: Clients, numbers: Clients) -> None:
    """Checks that no request failed, and prints how long requests took at most."""
    logs = "".join(f"\n{shop.name}:\n{shop.output()[-8000:]}" for shop in shops)
    assert orders.failures + numbers.failures == [], logs
    print(f"longest request with a row {orders.longest:.1f} s, without {numbers.longest:.2f} s")


def by_worker(shop: Shop, metric: str) -> dict[float, float]:
    """Returns the sum of a metric of each worker that has answered, by the time at which the worker was started."""
    found: dict[float, float] = {}
    for _ in range(8):
        (worker,), values = shop.figures("process_start_time_seconds", metric)
        found[worker] = max(found.get(worker, 0), sum(values))
    return found


def issued(shop: Shop) -> dict[float, float]:
    """Returns the ids that each worker has issued."""
    return by_worker(shop, "leafmint_ids_issued_total")


def failed_refills(shop: Shop) -> dict[float, float]:
    """Returns the failed refills of each worker."""
    return by_worker(shop, "leafmint_refill_failures_total")


def have_risen(now: dict[float, float], before: dict[float, float]) -> bool:
    """Returns whether a worker counts more than before. On a busy machine one worker may answer all scrapes."""
    return any(count > before.get(worker, 0) for worker, count in now.items())


def wait_until_metrics_show_the_outage(shops: list[Shop], before: list[dict[float, float]]) -> None:
    """Waits until a worker counts more failed refills than before.

    Its supply decides when it has to refill next, so this comes before any request waits.
    """
    deadline = time.monotonic() + 60
    while True:
        now = [failed_refills(shop) for shop in shops]
        if any(map(have_risen, now, before)):
            return
        assert time.monotonic() < deadline, f"failed refills by worker: {now}, before the outage {before}"
        time.sleep(0.2)


def packed(shops: list[Shop], orders: int) -> list[int]:
    """Returns the ids of the parcels that Celery's workers have packed, once all orders have one."""
    deadline = time.monotonic() + 180
    while True:
        ids = [number_of(id) for id in json.loads(shops[1].get("/parcels"))["ids"]]
        if len(ids) >= orders:
            return ids
        assert time.monotonic() < deadline, f"{len(ids)} parcels of {orders} orders"
        time.sleep(0.2)


def some_of(orders: Clients, shops: list[Shop]) -> list[tuple[Shop, int]]:
    """Returns some orders of each sample."""
    return [(shop, id) for shop in shops for id in orders.by_shop[shop.name][:6]]


def outlast(seconds: float, database: str) -> None:
    """Waits while the store does not answer, and checks that the command line says so."""
    began = time.monotonic()
    assert leafmint("check", "--url", database, "--timeout", "1").returncode == 1
    time.sleep(max(0.0, began + seconds - time.monotonic()))


def finish(shops: list[Shop], ids: list[int]) -> None:
    """Ends the samples, and checks their ids and their logs."""
    for shop in shops:
        shop.stop()
        assert "Traceback" not in (output := shop.output()), output
    assert len(ids) == len(set(ids))
    print(f"{len(ids)} ids, none twice")


# With pauses, other tests keep the processors; without, a sample answers as many requests as it can.
PAUSES = [0.05, pytest.param(0, marks=pytest.mark.long)]


@pytest.mark.parametrize("pause", PAUSES)
def test_samples_on_mariadb_outlive_a_frozen_and_a_dead_server(
    start: Callable[[str], list[Shop]], pause: float
) -> None:
    with MariaDb() as server:
        shops, since = start(server.url), today()
        with Clients(shops, "/orders", pause=pause) as orders:
            time.sleep(2)
            server.freeze()
            outlast(5, server.url)
            check_loop(shops, "frozen")
            server.thaw()
            time.sleep(2)
        paid = some_of(orders, shops)
        bill_each_order_several_times(paid[::2])
        with Clients(shops, "/numbers", pause=pause) as numbers:
            # The supply outlives an outage as long as the tag has been in use.
            time.sleep(2 * OUTAGE)
            server.kill()
            before, failed = [issued(shop) for shop in shops], [failed_refills(shop) for shop in shops]
            outlast(OUTAGE, server.url)
            check_loop(shops, "dead")
            assert all(map(have_risen, map(issued, shops), before))
            wait_until_metrics_show_the_outage(shops, failed)
            server.start()
            time.sleep(2)
        assert leafmint("check", "--url", server.url).returncode == 0
        bill_each_order_several_times(paid[1::2])
        check_invoices(server.sql(f"USE leafmint; {INVOICES}").split())
        check_order_numbers(server.sql(f"USE leafmint; {ORDERS}").split(), since)
        report(shops, orders, numbers)
        finish(shops, orders.ids + numbers.ids + packed(shops, len(orders.by_shop["django_shop"])))


@pytest.mark.parametrize("pause", PAUSES)
def test_samples_share_a_sqlite_file_with_their_rows(
    start: Callable[[str], list[Shop]], tmp_path: Path, pause: float
) -> None:
    database = database_of(tmp_path)
    shops, since = start(database), today()
    # Rows with pauses: a file that is always locked lets some writers wait for longer than any of their deadlines.
    with Clients(shops, "/orders", pause=0.05) as orders, Clients(shops, "/numbers", threads=1, pause=pause) as numbers:
        # The supply outlives a lock as long as the tag has been in use.
        time.sleep(12)
        with closing(sqlite3.connect(tmp_path / "shop.db", timeout=120, isolation_level=None)) as writer:
            failed = [failed_refills(shop) for shop in shops]
            writer.execute("BEGIN IMMEDIATE")
            outlast(5, database)
            check_loop(shops, "locked")
            wait_until_metrics_show_the_outage(shops, failed)
            writer.execute("COMMIT")
        time.sleep(2)
    checked = leafmint("check", "--url", database, "--timeout", "60", timeout=120)
    assert checked.returncode == 0, checked.stderr
    report(shops, orders, numbers)
    bill_each_order_several_times(some_of(orders, shops))
    with closing(sqlite3.connect(tmp_path / "shop.db")) as reader:
        stored = [row[0] for row in reader.execute("SELECT id FROM shop_orders")]
        assert sorted(stored) == sorted(orders.by_shop["fastapi_shop"])
        check_invoices(row[0] for row in reader.execute(INVOICES))
        check_order_numbers([row[0] for row in reader.execute(ORDERS)], since)
        assert reader.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finish(shops, orders.ids + numbers.ids + packed(shops, len(orders.by_shop["django_shop"])))


def test_samples_show_strangers_no_number_of_a_row(start: Callable[..., list[Shop]], tmp_path: Path) -> None:
    shops = start(database_of(tmp_path), FIRST_ID)
    for shop, openapi, pages in zip(shops, ["/openapi.json", None], [[], PAGES_OF_DJANGO], strict=True):
        answers = [shop.answer_to(path) for path in ("/orders", "/numbers", "/orders")]
        order = number_of(json.loads(answers[0])["id"])
        assert order >= FIRST_ID
        bill_each_order_several_times([(shop, order)])
        crawler = Crawler(shop, openapi, answers)
        crawler.walk(pages)
        assert any(f"/orders/{json.loads(answers[0])['id']}" in path for path in crawler.pages)
        crawler.check()
    finish(shops, packed(shops, 2))


def test_the_sample_with_fastapi_does_not_start_without_keys(tmp_path: Path) -> None:
    names = {"DATABASE_URL": f"sqlite:///{tmp_path}/shop.db", "LEAFMINT_URL": f"sqlite:///{tmp_path}/shop.db"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LEAFMINT_ID_KEYS")}
    command = [sys.executable, "-m", "uvicorn", "shop:app", "--port", "0"]
    ran = subprocess.run(
        command, cwd=APPS / "fastapi_shop", env=environment | names, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode != 0
    assert "no keys for public ids" in ran.stderr
    assert "LEAFMINT_ID_KEYS" in ran.stderr
