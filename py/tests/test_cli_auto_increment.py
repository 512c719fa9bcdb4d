"""The commands `migrate auto-increment`, on a database with old rows, by an account that may only read."""

import json
import shlex
import time
from collections.abc import Iterator
from typing import Any

import leafmint as core
import pytest
from audited import Audited
from command import Ran, leafmint, start
from sqlalchemy import make_url

MOVE = ("migrate", "auto-increment")


@pytest.fixture
def writer(counted: Audited) -> str:
    """Return the URL of the same database for the operator."""
    return counted.operator.set(drivername="mysql").render_as_string(hide_password=False)


def look(shop: Audited, command: str, *arguments: str) -> tuple[int, Any]:
    """Return the exit code and the document of a command."""
    ran = leafmint(*MOVE, command, *arguments, "--json", LEAFMINT_URL=shop.url)
    return ran.code, ran.json()


def levels(document: Any) -> list[tuple[str, str]]:
    return [(finding["level"], finding["subject"]) for finding in document["findings"]]


def do_what_the_plan_says(shop: Audited, writer: str) -> None:
    """Run the commands and statements of a plan."""
    for command in look(shop, "plan")[1]["to_run"]:
        if command["place"] == "sql":
            shop.run(*filter(None, map(str.strip, command["text"].split(";"))))
        else:
            assert leafmint(*command["text"].split()[1:], LEAFMINT_URL=writer).code == 0


def test_a_plan_that_is_run_lets_both_insert_and_the_check_says_so(counted: Audited, writer: str) -> None:
    assert leafmint("init", LEAFMINT_URL=writer).code == 0
    before, found = look(counted, "check")
    assert (before, levels(found)) == (1, [("clash", "orders")])
    do_what_the_plan_says(counted, writer)
    after, found = look(counted, "check")
    assert (after, found["findings"]) == (0, [])
    (orders,) = found["tables"]
    assert (orders["next"], orders["counter"], orders["room"]) == ("1000002", "1001000002", "1000000000")
    assert look(counted, "plan")[1]["to_run"] == []
    assert leafmint(*MOVE, "plan", LEAFMINT_URL=counted.url).lines[-1].startswith("There is nothing to run")


def test_the_way_back_raises_the_counter_over_a_tag_that_was_alone(counted: Audited, writer: str) -> None:
    leafmint("init", LEAFMINT_URL=writer)
    do_what_the_plan_says(counted, writer)
    counted.run("INSERT INTO orders () VALUES ()")
    code, found = look(counted, "check", "--after")
    assert (code, levels(found)) == (0, [("warning", "orders")])
    with core.SegmentGenerator(writer) as ids:
        ids.raise_tag_above("orders", 1_001_000_002)
        counted.run(f"INSERT INTO orders (id) VALUES ({ids.tag('orders').next_id()})")
    assert look(counted, "check", "--after") == (0, look(counted, "check", "--after")[1] | {"findings": []})
    assert look(counted, "check")[0] == 1
    do_what_the_plan_says(counted, writer)
    assert look(counted, "check")[0] == 0


ROWS_OF_OLD_CODE = 1_001_000_002
"""The first id that old code inserts after the plan: the end of the room."""


def moving(shop: Audited, writer: str) -> int:
    """Begin a move in which both kinds of code insert, and return the highest row of the tag."""
    leafmint("init", LEAFMINT_URL=writer)
    do_what_the_plan_says(shop, writer)
    with core.SegmentGenerator(writer) as ids:
        ours = ids.tag("orders").next_ids(3)[-1]
    shop.run(f"INSERT INTO orders (id) VALUES ({ours})", *["INSERT INTO orders () VALUES ()"] * 3)
    return ours


def set_back(shop: Audited) -> None:
    """Set the tag back, as a restore of a backup does."""
    shop.run("UPDATE leaf_alloc SET max_id = 1000002 WHERE biz_tag = 'orders'")


def test_a_tag_that_is_moving_is_raised_below_old_rows_only_if_that_is_said(counted: Audited, writer: str) -> None:
    ours = moving(counted, writer)
    set_back(counted)
    refused = leafmint("tags", "recover", "orders", "--yes", "--json", LEAFMINT_URL=writer)
    assert refused.code == 1
    assert f"orders.id has rows from {ROWS_OF_OLD_CODE} on" in refused.err
    assert f"--rows-below {ROWS_OF_OLD_CODE}." in refused.err
    assert f"--reported {ROWS_OF_OLD_CODE + 2}" in refused.err
    every = leafmint("tags", "recover", "--all", "--yes", LEAFMINT_URL=writer)
    assert (every.code, f"refused    orders: orders.id has rows from {ROWS_OF_OLD_CODE} on" in every.out) == (1, True)
    below = ("tags", "recover", "orders", "--rows-below", str(ROWS_OF_OLD_CODE), "--yes")
    ran = leafmint(*below, LEAFMINT_URL=writer)
    assert (ran.code, f"orders: max_id is {ours + 10_000_001}" in ran.out) == (0, True)
    assert f"left out   rows of orders.id from {ROWS_OF_OLD_CODE} on" in ran.out
    assert look(counted, "check")[0] == 0


def test_old_rows_above_a_room_that_is_almost_used_up_are_told_from_those_of_the_tag(
    counted: Audited, writer: str
) -> None:
    with core.SegmentGenerator(writer) as ids:
        ids.init_schema()
        ids.create_tag("orders", start=2)
        minted = ids.tag("orders").next_ids(3)
    counted.run("ALTER TABLE orders AUTO_INCREMENT = 90000", f"INSERT INTO orders (id) VALUES ({minted[-1]})")
    counted.run("INSERT INTO orders () VALUES ()", "UPDATE leaf_alloc SET max_id = 2 WHERE biz_tag = 'orders'")
    refused = leafmint("tags", "recover", "orders", "--yes", LEAFMINT_URL=writer)
    assert (refused.code, "--rows-below 90000." in refused.err) == (1, True)
    far = leafmint("tags", "recover", "orders", "--rows-below", "90000", "--yes", LEAFMINT_URL=writer)
    assert (far.code, "below 90000, where AUTO_INCREMENT of orders.id goes on" in far.err) == (1, True)


def test_an_audit_does_not_raise_a_tag_that_is_moving_above_old_rows(counted: Audited, writer: str) -> None:
    moving(counted, writer)
    audited = leafmint("audit", "--table", "orders", "--json", LEAFMINT_URL=counted.url)
    (finding,) = audited.json()["findings"]
    assert (audited.code, finding["kind"], finding["severity"]) == (0, "tag_behind", "note")
    assert "tags raise" not in finding["text"]
    command = finding["text"].partition("leafmint ")[2].replace("--watch 60", "--watch 0.1")
    told = leafmint(*command.split(), LEAFMINT_URL=counted.url)
    assert (told.code, f"leafmint tags raise orders --above-id {ROWS_OF_OLD_CODE + 2}" in told.out) == (0, True)
    counted.run("DELETE FROM orders WHERE id >= 2", "INSERT INTO orders (id) VALUES (1500000)")
    behind = leafmint("audit", "--table", "orders", "--json", LEAFMINT_URL=counted.url)
    (finding,) = behind.json()["findings"]
    assert (behind.code, finding["severity"]) == (1, "problem")
    assert finding["text"].endswith("leafmint tags raise orders --above-id 1500000")


def test_a_tag_that_is_moving_is_raised_above_old_rows_only_if_that_is_said(counted: Audited, writer: str) -> None:
    moving(counted, writer)
    counted.run("DELETE FROM leaf_alloc")
    recover = ("tags", "recover", "orders", "--yes")
    assert leafmint(*recover, LEAFMINT_URL=writer).code == 1
    above = ROWS_OF_OLD_CODE + 2
    ran = leafmint(*recover, "--reported", str(above), "--margin", "0", LEAFMINT_URL=writer)
    assert (ran.code, f"orders: max_id is {above + 1}" in ran.out) == (0, True)


def test_a_tag_is_not_raised_into_what_the_counter_gives_next(counted: Audited, writer: str) -> None:
    leafmint("init", LEAFMINT_URL=writer)
    do_what_the_plan_says(counted, writer)
    set_back(counted)
    recover = ("tags", "recover", "orders", "--reported", "1000500", "--yes")
    far = leafmint(*recover, "--margin", "999500000", LEAFMINT_URL=writer)
    assert (far.code, f"below {ROWS_OF_OLD_CODE}, where AUTO_INCREMENT of orders.id goes on" in far.err) == (1, True)
    assert leafmint(*recover, "--rows-below", "1000600", LEAFMINT_URL=writer).code == 1
    assert leafmint(*recover, LEAFMINT_URL=writer).code == 0
    assert look(counted, "check")[0] == 0


def test_a_tag_that_has_moved_is_raised_above_all_rows(counted: Audited, writer: str) -> None:
    moving(counted, writer)
    last = ROWS_OF_OLD_CODE + 2
    assert leafmint("tags", "raise", "orders", "--above-id", str(last), LEAFMINT_URL=writer).code == 0
    counted.run(f"INSERT INTO orders (id) VALUES ({last + 700})")
    ran = leafmint("tags", "recover", "orders", "--yes", LEAFMINT_URL=writer)
    assert (ran.code, f"orders: max_id is {last + 700 + 10_000_001}" in ran.out) == (0, True)
    wrong = leafmint("tags", "recover", "orders", "--rows", "orders.id", "--rows-below", "x", LEAFMINT_URL=writer)
    assert wrong.code == 2


def test_a_counter_that_moves_while_it_is_watched_shows_an_old_writer(counted: Audited, writer: str) -> None:
    leafmint("init", LEAFMINT_URL=writer)
    do_what_the_plan_says(counted, writer)
    assert look(counted, "check", "--after", "--watch", "0.1")[0] == 0
    watching = start(*MOVE, "check", "--after", "--watch", "2", "--json", LEAFMINT_URL=counted.url)
    while watching.poll() is None:
        counted.run("INSERT INTO orders () VALUES ()")
        time.sleep(0.1)
    found = json.loads(watching.communicate()[0])
    assert (watching.returncode, levels(found)) == (1, [("warning", "orders"), ("clash", "orders")])
    assert "without an id" in found["findings"][1]["text"]


def test_what_is_in_the_way_is_named(counted: Audited, writer: str) -> None:
    counted.table("tiny", "SMALLINT")
    counted.table("parents", "BIGINT")
    counted.run(
        "CREATE TABLE old_engine (id BIGINT AUTO_INCREMENT PRIMARY KEY) ENGINE=MyISAM",
        "CREATE TABLE children (parent INT)",
        "ALTER TABLE parents MODIFY id INT AUTO_INCREMENT",
        "ALTER TABLE children ADD FOREIGN KEY (parent) REFERENCES parents (id)",
        "INSERT INTO parents (id) VALUES (2147000000)",
        "CREATE TRIGGER stamp BEFORE INSERT ON orders FOR EACH ROW SET @seen = 1",
    )
    code, found = look(counted, "plan")
    assert (code, levels(found)) == (1, [("clash", "old_engine"), ("clash", "parents"), ("clash", "tiny")])
    assert look(counted, "plan", "--table", "orders")[0] == 0
    code, found = look(counted, "plan", "--table", "orders", "--table", "ordesr", "--table", "child*")
    assert (code, levels(found)) == (1, [("clash", "ordesr"), ("clash", "child*")])
    ran = leafmint(*MOVE, "plan", "--table", "order?", LEAFMINT_URL=writer)
    assert (ran.code, next(line for line in ran.lines if "BEFORE stamp" in line)[:7]) == (0, "warning")


def test_a_column_that_a_sequence_fills_has_no_counter_to_raise(mariadb: Audited) -> None:
    mariadb.table("orders", "BIGINT")
    mariadb.run("CREATE SEQUENCE numbers", "CREATE TABLE parts (id BIGINT DEFAULT nextval(numbers) PRIMARY KEY)")
    assert [table["table"] for table in look(mariadb, "plan")[1]["tables"]] == ["orders"]
    code, found = look(mariadb, "plan", "--table", "orders", "--table", "parts")
    assert (code, levels(found)) == (1, [("clash", "parts")])


def test_people_read_a_table_what_to_run_and_the_steps(counted: Audited) -> None:
    lines = leafmint(*MOVE, "plan", "--room", "2000000", LEAFMINT_URL=counted.url).lines
    assert lines[2].split() == [
        "table", "column", "type", "counter", "tag", "planned", "start", "planned", "counter", "planned", "room",
    ]  # fmt: skip
    assert lines[3].split()[-3:] == ["2,002", "2,002,002", "2,000,000"]
    assert lines[5:8] == [
        "shell    leafmint init",
        "shell    leafmint tags create orders --start 2002",
        "sql      SET SESSION lock_wait_timeout = 3; ALTER TABLE `orders` AUTO_INCREMENT = 2002002, ALGORITHM=INPLACE, "
        "LOCK=NONE;",
    ]
    assert lines[-1] == "1 table, 0 to fix. Nothing was written."
    steps = leafmint(*MOVE, "steps", "--tag", "orders=order", LEAFMINT_URL=counted.url).lines
    assert steps[:2] == [
        "1. Create the table of tags: leafmint init",
        "2. Give the tag its numbers: leafmint tags create order --start 1000002",
    ]
    assert len(steps) == 8


def typed(text: str) -> Ran:
    """Run the command that a text ends with, as it is printed, without waiting as long."""
    words = shlex.split(text.partition("leafmint ")[2].replace("--watch 60", "--watch 0.1"))
    return leafmint(*words)


@pytest.fixture
def without_password(counted: Audited) -> Iterator[str]:
    """Return the URL of the same database for an account that has no password."""
    name = f"{counted.name}_w"
    counted.on_server(f"CREATE USER {name}", f"GRANT ALL ON {counted.name}.* TO {name}")
    yield counted.operator.set(drivername="mysql", username=name, password=None).render_as_string()
    counted.on_server(f"DROP USER {name}")


def test_every_printed_command_runs_as_it_is_typed(counted: Audited, without_password: str) -> None:
    place = ("--url", without_password, "-o", "connect_timeout=5s")
    chosen = ("--table", "ord*", "--tag", "orders=order", "--room", "2000000")
    clash = leafmint(*MOVE, "check", *chosen[:4], *place)
    assert typed(next(line for line in clash.lines if line.startswith("clash"))).code == 0
    plan = leafmint(*MOVE, "plan", *chosen, *place)
    assert plan.code == 0
    steps = leafmint(*MOVE, "steps", *chosen, *place).lines
    ran = [typed(step) for step in steps if "leafmint " in step and "ALTER" not in step]
    assert len(ran) == 5
    assert [it.err for it in ran] == [""] * 5
    assert "orders" in ran[2].out
    lines = [line for line in plan.lines if line.startswith(("shell", "sql"))]
    assert [line.split()[:4] for line in lines[:2]] == [
        ["shell", "leafmint", "init", "--url"],
        ["shell", "leafmint", "tags", "create"],
    ]
    counted.run(*filter(None, map(str.strip, lines[2].partition("sql")[2].split(";"))))
    assert [typed(step).code for step in (steps[3], steps[5])] == [0, 0]


def test_a_password_is_not_repeated_in_a_printed_command(counted: Audited) -> None:
    ran = leafmint(*MOVE, "plan", "--url", counted.url)
    password = make_url(counted.url).password
    assert password
    assert (ran.code, password in ran.out, "tags create orders --start 1000002 --url URL" in ran.out) == (
        0,
        False,
        True,
    )


def test_a_room_that_takes_a_large_part_of_a_column_is_a_warning(counted: Audited) -> None:
    counted.table("parts", "INT")
    ran = leafmint(*MOVE, "plan", "--table", "parts", LEAFMINT_URL=counted.url)
    warning = next(line for line in ran.lines if line.startswith("warning"))
    assert "the room takes 1000000000 of the " in warning
    assert "choose less with --room, or change it to bigint first" in warning


def test_another_database_is_a_wrong_use() -> None:
    assert leafmint(*MOVE, "plan", "--url", "sqlite:///shop.db").code == 2


@pytest.mark.parametrize(
    "wrong",
    [("plan", "--room", "-1"), ("plan", "--room", "many"), ("check", "--watch", "-1"), ("check", "--watch", "nan")],
)
def test_a_number_out_of_range_is_a_wrong_use(wrong: tuple[str, str, str]) -> None:
    ran = leafmint(*MOVE, *wrong)
    assert (ran.code, "write a number of" in ran.err) == (2, True)
