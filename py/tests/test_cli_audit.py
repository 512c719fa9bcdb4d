"""The command `audit`, whose exit code a pipeline reads."""

import json
import sqlite3
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from command import leafmint
from testing import SENTINEL, UNREACHABLE

LARGEST = 2**63 - 1


@pytest.fixture
def shop(tmp_path: Path) -> str:
    """Return the URL of a database with one healthy table."""
    file = tmp_path / "shop.db"
    insert(f"sqlite:///{file}", "orders", 7)
    return f"sqlite:///{file}"


def insert(url: str, table: str, number: int) -> None:
    """Insert a row into a table, which is made if need be."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    connection.executescript(
        f"CREATE TABLE IF NOT EXISTS {table} (id INTEGER PRIMARY KEY); INSERT INTO {table} VALUES ({number})"
    )
    connection.close()


def test_a_database_without_a_problem_is_0_and_one_with_a_problem_1(shop: str) -> None:
    ran = leafmint("audit", LEAFMINT_URL=shop)
    assert (ran.code, ran.lines[-1]) == (
        0, "1 key, 0 problems, 0 notes. Nothing was written. 1 key of less than 1 % not shown: use --all.",
    )  # fmt: skip
    insert(shop, "bills", LARGEST // 10 * 9)
    insert(shop, "carts", LARGEST // 10 * 6)
    ran = leafmint("audit", "--url", shop)
    assert ran.code == 1
    table = [line.split()[:2] for line in ran.lines if " %" in line and "id " in line]
    assert table == [["bills", "id"], ["carts", "id"]], "worst first"
    assert [line.split()[:2] for line in ran.lines if line.startswith(("problem", "note"))][:2] == [
        ["problem", "bills.id:"], ["note", "carts.id:"],
    ]  # fmt: skip
    assert any(line.startswith("orders") for line in leafmint("audit", "--url", shop, "--all").lines)


def test_a_pipeline_chooses_what_fails(shop: str) -> None:
    insert(shop, "carts", 2**53 + 1)
    assert leafmint("audit", "--url", shop).code == 0
    for kind, code in (("note", 1), ("rounded_in_json", 1), ("runs_out", 0), ("problem", 0)):
        assert leafmint("audit", "--url", shop, "--fail-on", kind).code == code
    assert leafmint("audit", "--url", shop, "--fail-on", "runs_out", "--fail-on", "note").code == 1
    assert leafmint("audit", "--url", shop, "--fail-on", "note", "--table", "order?").code == 0


def test_what_a_pipeline_ignores_fails_nothing(shop: str) -> None:
    insert(shop, "bills", LARGEST // 10 * 9)
    assert leafmint("audit", "--url", shop, "--ignore", "bills:rounded_in_json").code == 1
    assert leafmint("audit", "--url", shop, "--ignore", "bills:runs_out", "--fail-on", "note").code == 1
    ran = leafmint("audit", "--url", shop, "--ignore", "b*:runs_out", "--ignore", "*:note", "--fail-on", "note")
    assert (ran.code, ran.lines[-1].split(" Nothing")[0]) == (0, "2 keys, 0 problems, 0 notes.")
    ran = leafmint("audit", "--url", shop, "--ignore", "bills:nothing")
    assert (ran.code, "cannot be ignored" in ran.err) == (2, True)


def test_the_document_has_numbers_as_strings_and_is_the_basis_of_a_later_report(shop: str, tmp_path: Path) -> None:
    insert(shop, "bills", LARGEST // 100)
    found = leafmint("audit", "--url", shop, "--json").json()
    assert (found["ok"], found["unread"], found["findings"][0]["kind"]) == (True, [], "rounded_in_json")
    assert [(key["table"], key["used"], key["largest"]) for key in found["keys"]] == [
        ("bills", str(LARGEST // 100), str(LARGEST)), ("orders", "7", str(LARGEST)),
    ]  # fmt: skip
    day_ago = datetime.now(timezone.utc) - timedelta(days=1)
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps({**found, "read_at": day_ago.isoformat().replace("+00:00", "Z")}))
    insert(shop, "bills", LARGEST // 100 * 3)
    ran = leafmint("audit", "--url", shop, "--since", str(earlier), "--json")
    bills = ran.json()["keys"][0]
    assert (ran.code, bills["table"]) == (1, "bills")
    assert bills["days_left"] == pytest.approx(48.5, rel=0.01)


def test_a_tag_is_compared_with_the_table_that_it_belongs_to(shop: str) -> None:
    leafmint("tags", "create", "order", "--start", "7", LEAFMINT_URL=shop)
    assert leafmint("audit", LEAFMINT_URL=shop).code == 0
    ran = leafmint("audit", "--tag", "orders=order", LEAFMINT_URL=shop)
    assert (ran.code, "leafmint tags raise order --above-id 7" in ran.out) == (1, True)
    leafmint("tags", "raise", "order", "--above-id", "7", LEAFMINT_URL=shop)
    assert leafmint("audit", "--tag", "orders=order", LEAFMINT_URL=shop).code == 0


def test_a_wrong_usage_is_2_and_a_server_that_is_down_1(shop: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    for text in ("", "[]", "{}", '{"read_at": 1, "keys": []}', '{"read_at": "2026-01-01T00:00:00Z", "keys": [{}]}'):
        wrong.write_text(text)
        ran = leafmint("audit", "--url", shop, "--since", str(wrong))
        assert (ran.code, "wrong.json" in ran.err) == (2, True), text
    for arguments in (
        ["--since", str(tmp_path / "none.json")], ["--fail-on", "nothing"], ["--tag", "orders"], ["-o", "no_such=1"],
    ):  # fmt: skip
        assert leafmint("audit", "--url", shop, *arguments).code == 2, arguments
    assert leafmint("audit").code == 2
    assert leafmint("audit", "--url", "memory:").code == 2
    ran = leafmint("audit", "--json", LEAFMINT_URL=UNREACHABLE)
    assert (ran.code, json.loads(ran.err)["error"]["code"]) == (1, "store_unavailable")
    assert SENTINEL not in ran.out + ran.err
