"""What an operator sees of the sample on Spring Boot while one tag of its store goes back, and what ends it.

Health, page, document, log and figures say which tag fails, the others serve, and nothing is restarted.
"""

from __future__ import annotations

import json
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import started
from mariadb import MariaDb
from shops import leafmint
from spring_shops import BOOTS, TAG, SpringShop


@pytest.fixture
def server() -> Iterator[MariaDb]:
    """The database."""
    with MariaDb() as server:
        yield server


@pytest.fixture(params=[pytest.param(boot, marks=[] if boot == BOOTS[-1] else pytest.mark.long) for boot in BOOTS])
def shop(request: pytest.FixtureRequest, server: MariaDb, tmp_path: Path) -> Iterator[SpringShop]:
    """The sample."""
    shop = SpringShop(request.param, server, tmp_path)
    try:
        shop.wait()
        yield shop
    finally:
        shop.processes[0].kill()
        shop.processes[0].wait()


def status(shop: SpringShop) -> dict[str, Any]:
    """Returns the status document."""
    document: dict[str, Any] = json.loads(shop.get("/actuator/leafmint/status.json"))
    return document


def tags_of_health(shop: SpringShop) -> dict[str, Any]:
    """Returns what the health, which is up, shows of each tag."""
    up, page = shop.health()
    assert up == "UP", page
    tags: dict[str, Any] = json.loads(page)["details"]["segments"]["tags"]
    return tags


def mint_again(shop: SpringShop) -> int:
    """Asks for a number until there is one."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return shop.post("/numbers")
        except urllib.error.HTTPError:
            assert time.monotonic() < deadline, shop.output()
            time.sleep(0.2)


def test_a_tag_that_goes_back_is_named_everywhere_and_goes_on_once_it_is_raised(
    server: MariaDb, shop: SpringShop, tmp_path: Path
) -> None:
    shop.post("/orders")
    shop.post("/notes")
    server.sql(f"UPDATE leafmint.leaf_alloc SET max_id = 1 WHERE biz_tag = '{TAG}'")
    highest = shop.batch(int(shop.of_tag("leafmint_ids_unused")))[-1]
    for _ in range(20):
        with pytest.raises(urllib.error.HTTPError):
            shop.post("/numbers")
    shop.post("/notes")

    tags = tags_of_health(shop)
    assert (tags[TAG]["status"], tags["shop_note"]["status"]) == ("OUT_OF_SERVICE", "UP")
    assert "which this process has leased before" in tags[TAG]["lastError"]
    assert shop.output().count("store_regressed: ") == 1, "one line, not one for each refused call"
    document = status(shop)
    assert (document["errors"], document["store"]["is_new"]) == ([], False)
    assert document["process"]["tags"][TAG]["last_error"] == tags[TAG]["lastError"]
    with started(tmp_path / "profile") as browser:
        page = f"http://127.0.0.1:{shop.port}/actuator/leafmint/page.html"
        browser.open(page)
        browser.wait_for("td", TAG)
        browser.wait_for("td", "which this process has leased before")
        assert browser.complaints() == []
        assert {url.rsplit("/", 1)[0] for url in browser.requests() if url.startswith("http")} == {
            page.rsplit("/", 1)[0]
        }

    raised = leafmint("tags", "raise", TAG, "--above-id", str(highest), "--url", server.url)
    assert raised.returncode == 0, raised.stderr
    assert mint_again(shop) > highest
    assert tags_of_health(shop)[TAG]["status"] == "UP"
    assert shop.processes[0].poll() is None
