"""`leafmint.testing`: generators for the tests of applications."""

import doctest
import sqlite3
import unittest
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import leafmint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leafmint import testing

order_ids, parcel_ids = leafmint.tag("order"), leafmint.snowflake()


def test_the_examples_of_the_module_run() -> None:
    result = doctest.testmod(testing)
    assert result.attempted
    assert result.failed == 0


def test_segments_begin_again_with_each_context() -> None:
    for _ in range(3):
        with testing.segments() as ids:
            assert order_ids.next_ids(2) == [1, 2]
            assert ids.tag("user").next_id() == 1


def test_segments_side_by_side_share_nothing_and_the_inner_ones_are_bound() -> None:
    with testing.segments() as one:
        with testing.segments(default_start=100) as other:
            assert [one.tag("order").next_id(), other.tag("order").next_id()] == [1, 100]
            assert order_ids.next_id() == 101
        assert order_ids.next_id() == 2


def test_an_application_may_configure_itself_within_a_test() -> None:
    with testing.segments(), testing.snowflakes() as flakes:
        leafmint.configure(url="mysql://app@db.invalid/ids", options={"timeout": 0})
        assert order_ids.next_id() == 1
        assert parcel_ids.next_id() == flakes.next_id() - 1
    leafmint.configure()


def test_both_modes_are_closed_at_the_end_also_of_a_test_that_fails() -> None:
    with pytest.raises(ZeroDivisionError), testing.segments() as ids, testing.snowflakes() as flakes:
        _ = 1 / 0
    with pytest.raises(leafmint.ClosedError):
        ids.tag("order")
    with pytest.raises(leafmint.ClosedError):
        flakes.next_id()


def test_a_store_of_a_test_is_forgotten_with_its_tags() -> None:
    with testing.segments() as ids:
        ids.tag("order").next_id()
        url = ids.scope.split()[0]
    with leafmint.SegmentGenerator(url) as again:
        assert again.list_tags() == []


@settings(deadline=None)
@given(st.lists(st.integers(0, 5)))
def test_each_example_of_hypothesis_mints_from_1(counts: list[int]) -> None:
    with testing.segments():
        drawn = [id for count in counts for id in order_ids.next_ids(count)]
    assert drawn == list(range(1, sum(counts) + 1))


@settings(deadline=None)
@given(st.lists(st.timedeltas(timedelta(0), timedelta(hours=2)), max_size=5), st.integers(1, 10))
def test_snowflakes_increase_however_the_clock_moves(moves: list[timedelta], count: int) -> None:
    clock = testing.Clock()
    with testing.snowflakes(clock, layout="timestamp:41,worker:4,sequence:2") as flakes:
        drawn = flakes.next_ids(count)
        for move in moves:
            clock.move_to(testing.START + move)
            drawn += [*flakes.next_ids(count), flakes.next_id()]
    assert drawn == sorted(set(drawn))


class TestOfUnittest(unittest.TestCase):
    """A suite of unittest."""

    def setUp(self) -> None:
        """Bind late-bound tags for one test."""
        context = testing.segments()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def test_ids_start_at_1(self) -> None:
        """Ids start at 1."""
        assert order_ids.next_id() == 1

    def test_ids_start_at_1_again(self) -> None:
        """Ids start at 1 again."""
        assert order_ids.next_id() == 1


def shop_of(folder: Path, statements: str) -> str:
    """Return the URL of a database of SQLite that is made by the statements."""
    connection = sqlite3.connect(folder / "shop.db")
    connection.executescript(statements)
    connection.close()
    return f"sqlite:///{folder}/shop.db"


def test_an_audit_that_finds_anything_fails_and_names_what_would_ignore_it(tmp_path: Path) -> None:
    url = shop_of(
        tmp_path,
        "CREATE TABLE orders (id INTEGER PRIMARY KEY);"
        f"CREATE TABLE carts (id INTEGER PRIMARY KEY); INSERT INTO carts VALUES ({2**63 - 1})",
    )
    with pytest.raises(AssertionError) as raised:
        testing.assert_audit(url)
    scope, *lines, last = str(raised.value).splitlines()
    assert scope.startswith("sqlite://")
    assert [line.split(": ")[0] for line in lines] == ["problem  carts.id", "note     carts.id"]
    assert last == "If that is meant, ignore: carts:runs_out, carts:rounded_in_json"
    assert raised.traceback[-1].ishidden(raised)
    rules = last.removeprefix("If that is meant, ignore: ").split(", ")
    assert {key.table for key in testing.assert_audit(url, ignore=rules).keys} == {"orders", "carts"}
    assert testing.assert_audit(url, tables=["or*"]).findings == ()


def test_an_audit_without_a_key_fails(tmp_path: Path) -> None:
    url = shop_of(tmp_path, "CREATE TABLE names (name TEXT)")
    with pytest.raises(AssertionError, match="found no key"):
        testing.assert_audit(url)


def test_an_audit_of_a_table_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    url = shop_of(tmp_path, "CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    testing.assert_audit(url)
    with pytest.raises(leafmint.InvalidArgumentError, match='no table "order"'):
        testing.assert_audit(url, tables=["order"])


def test_a_table_that_is_not_read_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = shop_of(tmp_path, "CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    report = replace(leafmint.audit(url), unread=("secret",))
    monkeypatch.setattr(testing, "audit", lambda _: report)
    with pytest.raises(AssertionError, match=r"unread   secret: .*\n.*ignore: secret"):
        testing.assert_audit(url)
