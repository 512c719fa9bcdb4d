"""The status document has the keys of its example, and what cannot be read takes no other part away."""

import json
import sqlite3
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

import leafmint
from leafmint._internal.status import Status
from testing import UNREACHABLE, VECTORS

EXAMPLE = json.loads((VECTORS / "status.json").read_text())


def keys(value: Any) -> Any:
    """Return the keys of a document with those of each part; of a list, those of its items."""
    if isinstance(value, dict):
        return {name: keys(each) for name, each in value.items()}
    if isinstance(value, list):
        found = [keys(each) for each in value]
        assert all(each == found[0] for each in found), found
        return found[:1]
    return None


def test_a_status_has_the_keys_of_the_example(tmp_path: Path, server_url: str) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (7000)")
    url = f"sqlite:///{tmp_path}/shop.db"
    options: dict[str, Any] = {"namespace": f"status-{uuid.uuid4()}", "state_files": False, "auto_create": True}
    with (
        leafmint.SegmentGenerator(url) as ids,
        leafmint.SnowflakeGenerator(server_url, **options) as flakes,
    ):
        ids.tag("order").next_ids(3)
        ids.series("invoice", period="year", zone="Europe/Madrid", format="{year}/{number:4}").next()
        flakes.next_id()
        status = Status()
        status.add_store(ids)
        status.add_holder(flakes)
        status.add_audit(lambda: leafmint.audit(url, tags={"orders": "order"}))
        status.add_process([ids, flakes])
        status.fail("series", leafmint.InvalidConfigError("example"))
    found = json.loads(json.dumps(status.document))
    found["process"]["tags"].pop("invoice@year")
    assert keys(found) == keys({**EXAMPLE, "store": {**EXAMPLE["store"], "hosts": None}})
    assert [tag["name"] for tag in found["tags"]] == ["order"]
    assert (found["not_shown"], found["store"]["host"]) == (1, None)
    # One number is used, and up to two are leased ahead of need.
    assert found["series"][0]["left"] in ("9998", "9997", "9996")
    assert found["holder"]["free_workers"] == 1023
    assert [finding["kind"] for finding in found["findings"]] == ["tag_behind"]


def test_a_store_that_is_away_is_asked_once_and_the_holder_is_still_read(local: str) -> None:
    status = Status()
    with leafmint.SegmentGenerator(UNREACHABLE, timeout=1) as ids:
        status.add_store(ids)
    with leafmint.SnowflakeGenerator(local) as flakes:
        status.add_holder(flakes)
    document = status.document
    assert [(error["part"], error["code"]) for error in document["errors"]] == [("store", "store_unavailable")]
    assert (document["store"]["answered"], document["tags"], document["keys"]) == (None, [], None)
    assert document["holder"]["free_workers"] == 1024


def test_numbers_that_pass_2_to_the_53_are_strings(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("order", start=2**60)
    ids.tag("order").next_id()
    status = Status()
    status.add_store(ids)
    status.add_process([ids])
    assert int(status.document["tags"][0]["max_id"]) > 2**60
    assert int(status.document["process"]["tags"]["order"]["highest_leased"]) > 2**60
