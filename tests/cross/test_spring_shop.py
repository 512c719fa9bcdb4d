"""The sample on Spring Boot, with a sample in Python on the same tag of one database.

The newest Boot by itself, and Boot 3.5, 4.0 and 4.1 together in `make test-all`: each set is one test, in whose course
the database fails and the samples end.

No request fails while the database is frozen or dead, nor at SIGTERM; no id is issued twice; the actuator reports it.
Orders have numbers of one series, and invoices have no gap.
`LEAFMINT_OUTAGE_SECONDS` sets how long the database is dead; 5 by default.
"""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest
from id_texts import order_text
from invoices import bill_each_order_several_times, check_invoices, check_order_numbers, today
from mariadb import MariaDb
from programs import TOP
from shops import Clients, Shop, fastapi_shop, leafmint
from spring_shops import BOOTS, TAG, SpringShop
from strangers import FIRST_ID, Crawler

OUTAGE = float(os.environ.get("LEAFMINT_OUTAGE_SECONDS", "5"))

PAUSE = 0.2
"""Seconds between two requests of a client: so long that a busy machine hardly changes the rate, which decides what is
in hand when the database dies."""


@dataclass
class Shops:
    """The samples, and the ids of all requests."""

    spring: dict[str, SpringShop]
    python: Shop
    ids: list[int] = field(default_factory=list)

    @property
    def all(self) -> list[SpringShop | Shop]:
        """Every sample."""
        return [*self.spring.values(), self.python]


@dataclass
class Outage:
    """What was seen while the database was frozen, and then dead."""

    failures: list[str]
    failed_refills: dict[str, float]
    """Of each Boot, by how many they rose."""
    health: dict[str, list[tuple[str, str]]]
    """Of each Boot, the status and the page while frozen, while dead, with nothing in hand, and after the outage."""


@pytest.fixture
def server() -> Iterator[MariaDb]:
    """The one database."""
    with MariaDb() as server:
        yield server


@pytest.fixture
def shops(request: pytest.FixtureRequest, server: MariaDb, tmp_path: Path) -> Iterator[Shops]:
    """Starts the sample on each Boot, and the one in Python, on one database."""
    assert leafmint("init", "--url", server.url).returncode == 0
    for tag in TAGS:
        created = leafmint("tags", "create", tag, "--step", "200", "--start", str(FIRST_ID), "--url", server.url)
        assert created.returncode == 0, created.stderr
    spring = {boot: SpringShop(boot, server, tmp_path) for boot in request.param}
    try:
        for shop in spring.values():
            shop.wait(180)
        shops = Shops(spring, fastapi_shop(server.url, tmp_path))
        yield shops
        shops.python.stop()
    finally:
        for shop in spring.values():
            shop.processes[0].kill()
            shop.processes[0].wait()


def max_id(server: MariaDb) -> int:
    """Returns the id at which the next segment begins."""
    return int(server.sql(f"SELECT max_id FROM leafmint.leaf_alloc WHERE biz_tag = '{TAG}'"))


def post_after_the_outage(shop: SpringShop | Shop) -> int:
    """Posts an order until the sample stores it again."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return shop.post("/orders")
        except urllib.error.HTTPError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def settle(server: MariaDb, seconds: float) -> None:
    """Waits until no process has leased for some seconds."""
    seen, since = max_id(server), time.monotonic()
    while time.monotonic() < since + seconds:
        time.sleep(0.2)
        if (now := max_id(server)) != seen:
            seen, since = now, time.monotonic()


def lease_anew(server: MariaDb, shop: SpringShop) -> None:
    """Mints until the ids that a sample has in hand are the last that were leased: only those can be given back."""
    begin = max_id(server)
    while shop.batch(1000)[-1] < begin or shop.of_tag("leafmint_ids_unused") < 100:
        settle(server, 1)
    settle(server, 1)


def use_up(shop: SpringShop) -> list[int]:
    """Mints all ids that a sample has in hand, and one more, which is refused."""
    ids = shop.batch(int(shop.of_tag("leafmint_ids_unused")))
    with pytest.raises(urllib.error.HTTPError, match="503"):
        shop.post("/numbers")
    return ids


def wait_for_supply(shop: SpringShop, seconds: float) -> None:
    """Waits until the ids that a sample has in hand last for some seconds more at the current rate."""
    deadline = time.monotonic() + 60
    while (lasts := shop.of_tag("leafmint_supply_seconds")) < seconds:
        assert time.monotonic() < deadline, f"the supply lasts for {lasts} s"
        time.sleep(0.5)


def wait_until_taken_in(shop: SpringShop, posted: list[Future[int]]) -> None:
    """Waits until the sample is at work on each request, or has answered it."""
    deadline = time.monotonic() + 60
    while True:
        active = sum(shop.figures('http_server_requests_active_seconds_count{.*method="POST".*}')[0])
        if active + sum(request.done() for request in posted) >= len(posted):
            return
        assert time.monotonic() < deadline, active
        time.sleep(0.05)


def break_the_database(server: MariaDb, shops: Shops) -> Outage:
    """Freezes the database under load, and then kills it for a while."""
    spring = shops.spring.items()
    before = {boot: shop.of_tag("leafmint_refill_failures_total") for boot, shop in spring}
    health: dict[str, list[tuple[str, str]]] = {boot: [] for boot in shops.spring}

    def note_health() -> None:
        for boot, shop in spring:
            health[boot].append(shop.health())

    with Clients(shops.all, "/orders", threads=2, pause=PAUSE) as orders:
        time.sleep(2)
        server.freeze()
        time.sleep(5)
        note_health()
        server.thaw()
        time.sleep(1)
    with Clients(shops.all, "/numbers", threads=2, pause=PAUSE) as numbers:
        # The supply outlives an outage as long as the tag has been in use. A busy machine prolongs the outage.
        time.sleep(2 * OUTAGE)
        for shop in shops.spring.values():
            wait_for_supply(shop, 3 * OUTAGE)
        server.kill()
        time.sleep(OUTAGE)
        note_health()
    with ThreadPoolExecutor() as pool:
        for ids in pool.map(use_up, shops.spring.values()):
            shops.ids += ids
    # Only now: a supply that lasts for the whole outage is not refilled during it.
    rose = {boot: shop.of_tag("leafmint_refill_failures_total") - before[boot] for boot, shop in spring}
    note_health()
    server.start()
    shops.ids += [post_after_the_outage(shop) for shop in shops.all]
    note_health()
    # Those that were refused lease at their next attempt, up to 5 s later.
    settle(server, 10)
    shops.ids += orders.ids + numbers.ids
    return Outage(orders.failures + numbers.failures, rose, health)


TAGS = [TAG, "shop_line", "shop_note"]
ROWS = [("/orders", "shop_orders"), ("/lines", "shop_lines"), ("/notes", "shop_notes")]


@pytest.mark.parametrize(
    "shops", [BOOTS[-1:], pytest.param(BOOTS, marks=pytest.mark.long)], ids=" and ".join, indirect=True
)
def test_boots_and_a_python_service_outlive_their_database_and_issue_no_id_twice(server: MariaDb, shops: Shops) -> None:
    since = today()
    for shop in shops.spring.values():
        for path, table in ROWS:
            check_that_a_way_to_a_row_stores_the_id_that_it_answers(shop, path, table, server, shops)
        check_that_a_scrape_has_the_metrics_that_python_exports_of_a_tag(shop)
        check_that_the_endpoint_shows_a_tag_and_answers_404_for_one_that_is_not_in_use(shop)
        check_that_the_audit_finds_what_is_planted_and_nothing_else(shop, server)
        check_that_the_page_shows_the_document_of_every_language(shop)
        check_that_a_client_of_a_leaf_server_needs_no_change(shop, shops)
        check_that_strangers_see_no_number_of_a_row(shop)
    outage = break_the_database(server, shops)
    assert outage.failures == [], "requests that need only ids"
    for boot in shops.spring:
        assert outage.failed_refills[boot] > 0, "the metrics count the failed refills of an outage"
        seen = outage.health[boot]
        assert [status for status, _ in seen] == ["UP", "UP", "OUT_OF_SERVICE", "UP"], f"{seen}"
    assert len(shops.ids) > 200
    assert len(shops.ids) == len(set(shops.ids))
    check_that_the_samples_share_the_numbers_of_orders_and_invoices(shops, server, since)
    for shop in shops.spring.values():
        check_that_sigterm_amid_requests_of_2_s_loses_none_and_gives_unused_ids_back(shop, server)


def check_that_a_way_to_a_row_stores_the_id_that_it_answers(
    shop: SpringShop, path: str, table: str, server: MariaDb, shops: Shops
) -> None:
    id = shop.post(path)
    assert server.sql(f"SELECT item FROM leafmint.{table} WHERE id = {id}") == "tea\n"
    if path == "/orders":
        shops.ids.append(id)


def check_that_the_samples_share_the_numbers_of_orders_and_invoices(shops: Shops, server: MariaDb, since: date) -> None:
    orders = [(shop, shop.post("/orders")) for _ in range(3) for shop in shops.all]
    bill_each_order_several_times(orders)
    check_invoices(server.sql("SELECT number FROM leafmint.shop_invoices").split())
    check_order_numbers(server.sql("SELECT number FROM leafmint.shop_orders").split(), since)
    shop, order = orders[-1]
    assert re.fullmatch(
        r"Invoice INV-\d{6}-\d for order \d{8}-\d{5}: tea", shop.get(f"/orders/{order_text(order)}/invoice")
    )


def check_that_strangers_see_no_number_of_a_row(shop: SpringShop) -> None:
    answers = [shop.answer_to(path) for path in ("/orders", "/lines", "/notes", "/numbers", "/slow_orders")]
    crawler = Crawler(shop, None, answers)
    crawler.walk(["/orders/{id}", "/orders/{id}/invoice", "/orders/7/invoice", "/orders", "/"])
    assert len(crawler.pages) > 10
    crawler.check()


def check_that_a_scrape_has_the_metrics_that_python_exports_of_a_tag(shop: SpringShop) -> None:
    page = shop.get("/actuator/prometheus")
    meters = json.loads((TOP / "tests/vectors/meters.json").read_text())
    of = ("tag", "segments", "reason", "generator", "id_key")
    expected = {meter["prometheus"]: meter["type"] for meter in meters if meter["of"] in of}
    assert dict(re.findall(r"^# TYPE (leafmint_\w+) (\w+)$", page, re.MULTILINE)) == expected
    labels = {tuple(re.findall(r"(\w+)=", label)) for label in re.findall(r"^leafmint_\w+\{(.*)\}", page, re.MULTILINE)}
    assert labels == {
        ("generator",),
        ("generator", "reason"),
        ("generator", "namespace", "scope", "version"),
        ("generator", "tag"),
        ("fingerprint", "key"),
    }


def check_that_the_endpoint_shows_a_tag_and_answers_404_for_one_that_is_not_in_use(shop: SpringShop) -> None:
    issued = json.loads(shop.get(f"/actuator/leafmint/tags/{TAG}"))["segments"]["segments"]["issued"]
    assert issued == str(int(shop.of_tag("leafmint_ids_issued_total")))
    assert set(json.loads(shop.get("/actuator/leafmint"))) == {"segments", "snowflakes"}
    with pytest.raises(urllib.error.HTTPError, match="404"):
        shop.get("/actuator/leafmint/tags/absent")


def check_that_the_audit_finds_what_is_planted_and_nothing_else(shop: SpringShop, server: MariaDb) -> None:
    found = json.loads(shop.get("/actuator/leafmintaudit"))
    assert (found["ok"], found["findings"], found["unread"]) == (True, [], [])
    assert {key["table"] for key in found["keys"]} >= {table for _, table in ROWS}
    highest = server.sql("SELECT MAX(id) FROM leafmint.shop_orders").strip()
    assert [key["used"] for key in found["keys"] if key["table"] == "shop_orders"] == [highest]
    next_id = server.sql("SELECT max_id FROM leafmint.leaf_alloc WHERE biz_tag = 'shop_note'").strip()
    server.sql(
        "CREATE TABLE leafmint.planted (id INT PRIMARY KEY); INSERT INTO leafmint.planted VALUES (2000000000);"
        f"INSERT INTO leafmint.shop_notes VALUES ({next_id}, 'tea')"
    )
    found = json.loads(shop.get("/actuator/leafmintaudit"))
    seen = [(it["kind"], it["table"], it["value"]) for it in found["findings"]]
    assert seen == [("runs_out", "planted", "2000000000"), ("tag_behind", "shop_notes", next_id)]
    server.sql(f"DROP TABLE leafmint.planted; DELETE FROM leafmint.shop_notes WHERE id = {next_id}")


def check_that_the_page_shows_the_document_of_every_language(shop: SpringShop) -> None:
    assert '"status.json"' in shop.get("/actuator/leafmint/page.html")
    found = json.loads(shop.get("/actuator/leafmint/status.json"))
    example = json.loads((TOP / "tests/vectors/status.json").read_text())
    for of_both in [(found, example), *((found[part][0], example[part][0]) for part in ("tags", "series", "keys"))]:
        assert len({frozenset(part) for part in of_both}) == 1, of_both
    assert set(found["process"]["tags"][TAG]) == set(example["process"]["tags"]["order"])
    assert (found["holder"], found["errors"]) == (None, [])


def check_that_a_client_of_a_leaf_server_needs_no_change(shop: SpringShop, shops: Shops) -> None:
    shops.ids += [int(shop.get(f"/api/segment/get/{TAG}")), int(shop.get(f"/api/segment/get/{TAG}/"))]
    assert json.loads(shop.get("/decodeSnowflakeId?snowflakeId=2116681624581074986"))["workerId"] == "7"
    for failing in ("/api/segment/get/absent", "/api/snowflake/get/no_generator"):
        with pytest.raises(urllib.error.HTTPError, match="500"):
            shop.get(failing)


def check_that_sigterm_amid_requests_of_2_s_loses_none_and_gives_unused_ids_back(
    shop: SpringShop, server: MariaDb
) -> None:
    lease_anew(server, shop)
    with ThreadPoolExecutor(8) as clients:
        posted = [clients.submit(shop.post, "/slow_orders") for _ in range(8)]
        wait_until_taken_in(shop, posted)
        leased = max_id(server)
        shop.processes[0].terminate()
        ids = [request.result() for request in posted]
    assert shop.processes[0].wait(120) == 128 + 15
    stored = server.sql(f"SELECT COUNT(*) FROM leafmint.shop_orders WHERE id IN ({str(ids)[1:-1]})")
    assert int(stored) == len(ids)
    assert max(ids) < max_id(server) < leased
