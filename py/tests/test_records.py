"""The tags and series in the store: listed, changed and raised."""

import sqlite3
from dataclasses import fields, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import leafmint
import pytest
from leafmint import SeriesInfo, TagInfo, records
from testing import DUPLICATES, UNREACHABLE, run_python


def change_rows(url: str, sql: str) -> None:
    """Do what another program does to the table."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    connection.executescript(sql)
    connection.close()


def test_the_tags_of_the_store_are_listed_with_what_their_rows_hold(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("order", step=100, start=5, description="since 2026 🙂")
    ids.create_tag("invoice", gene_bits=4)
    invoice, order = ids.list_tags()
    assert order == TagInfo(
        name="order",
        max_id=5,
        step=100,
        description="since 2026 🙂",
        update_time=order.update_time,
        gene_bits=0,
        problem=None,
    )
    assert replace(invoice, update_time=None) == replace(
        order, name="invoice", max_id=1, step=1000, description="", update_time=None, gene_bits=4
    )
    assert order.update_time is not None
    assert abs(datetime.now(timezone.utc) - order.update_time) < timedelta(minutes=1)
    assert ids.stats().tags == {}, "nothing was leased"
    for duplicate in DUPLICATES:
        assert duplicate(order) == order
    with pytest.raises(AttributeError):
        order.step = 7  # type: ignore[misc]


def test_the_series_of_the_store_are_listed_whatever_their_keys(ids: leafmint.SegmentGenerator) -> None:
    assert ids.list_series() == []
    for key in ("shop-7", "shop-8"):
        ids.series("order", period="day", zone="Asia/Tokyo", key=key).next()
    ids.series("customer", period="forever").next()
    ids.series("unused", period="year", zone="UTC")
    listed = ids.list_series()
    assert listed == [
        SeriesInfo(name="customer", period="forever", zone=None, format=None),
        SeriesInfo(name="order", period="day", zone="Asia/Tokyo", format=None),
    ]
    for duplicate in DUPLICATES:
        assert duplicate(listed) == listed


def test_a_table_without_the_other_columns_is_listed(url: str) -> None:
    change_rows(
        url,
        """
        CREATE TABLE leaf_alloc (biz_tag TEXT PRIMARY KEY, max_id, step);
        INSERT INTO leaf_alloc VALUES ('order', 7, 10);
        """,
    )
    with leafmint.SegmentGenerator(url) as ids:
        (tag,) = ids.list_tags()
        assert (tag.name, tag.max_id, tag.step, tag.gene_bits) == ("order", 7, 10, 0)
        assert (tag.description, tag.update_time) == (None, None)
        assert "no such column: update_time" in (tag.problem or ""), "a lease writes it"


def test_rows_that_cannot_be_leased_from_are_listed_with_their_problem(url: str) -> None:
    with leafmint.SegmentGenerator(url) as ids:
        ids.create_tag("good")
        change_rows(
            url,
            """
            INSERT INTO leaf_alloc (biz_tag, max_id, step, update_time) VALUES
                ('text', 'a lot', 10, 'yesterday'), ('no step', 1, 0, 9e99), ('', 1, 10, ''), (x'ff00', 1, 10, 0);
            """,
        )
        problems = {tag.name: tag.problem for tag in ids.list_tags()}
    assert problems.pop("good") is None
    assert len(problems) == 4
    assert all(problems.values()), problems
    assert "whole number" in str(problems["text"])
    assert "step" in str(problems["no step"])


def test_ten_thousand_tags_are_listed(url: str) -> None:
    with leafmint.SegmentGenerator(url, timeout=60) as ids:
        ids.init_schema()
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
        change_rows(url, f"{numbers} INSERT INTO leaf_alloc (biz_tag, max_id, step) SELECT 'tag ' || i, i, 10 FROM n")
        tags = ids.list_tags()
    assert len(tags) == 10000
    assert [tag.name for tag in tags] == sorted(tag.name for tag in tags)


def test_the_step_and_the_description_of_a_tag_are_changed(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("o'rder", step=100, description="old")
    ids.set_tag("o'rder", step=50)
    ids.set_tag("o'rder", description="new")
    tag = ids.list_tags()[0]
    assert (tag.step, tag.description, tag.max_id) == (50, "new", 1)
    with pytest.raises(leafmint.UnknownTagError):
        ids.set_tag("missing", step=50)
    for wrong in ({}, {"step": 0}, {"step": 2**30 + 1}, {"step": 2**70}, {"description": "x" * 257}):
        with pytest.raises(leafmint.InvalidArgumentError):
            ids.set_tag("o'rder", **wrong)
    with pytest.raises(leafmint.InvalidArgumentError):
        ids.set_tag("x" * 129, step=5)
    with pytest.raises(TypeError):
        ids.set_tag("o'rder", step="5")  # type: ignore[arg-type]


def test_a_tag_is_raised_above_an_id_and_never_lowered(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("order")
    assert ids.raise_tag_above("order", 4999) == 5000
    assert ids.raise_tag_above("order", 4000) == 5000
    assert ids.tag("order").next_id() == 5000
    with pytest.raises(leafmint.UnknownTagError):
        ids.raise_tag_above("missing", 5)
    for wrong in (-1, 2**61, 2**70):
        with pytest.raises(leafmint.InvalidArgumentError):
            ids.raise_tag_above("order", wrong)


def test_the_message_of_a_store_that_lost_writes_names_the_command_that_mends_it(url: str) -> None:
    with leafmint.SegmentGenerator(url, default_step=10, max_step=10) as ids:
        order = ids.tag("order")
        drawn = order.next_ids(25)
        change_rows(url, "UPDATE leaf_alloc SET max_id = 1")
        with pytest.raises(leafmint.StoreRegressedError, match="tags recover"):
            drawn.extend(order.next_id() for _ in range(1000))
        ids.raise_tag_above("order", max(drawn))
    with leafmint.SegmentGenerator(url) as again:
        assert again.tag("order").next_id() > max(drawn)


def test_the_calls_of_a_closed_generator_and_of_one_without_a_server_raise_named_errors(url: str) -> None:
    away = leafmint.SegmentGenerator(UNREACHABLE, timeout=0.3, connect_timeout=0.2)
    closed = leafmint.SegmentGenerator(url)
    closed.close()
    for ids, kind in ((away, leafmint.StoreUnavailableError), (closed, leafmint.ClosedError)):
        with pytest.raises(kind):
            ids.list_tags()
        with pytest.raises(kind):
            ids.list_series()
        with pytest.raises(kind):
            ids.set_tag("order", step=5)
        with pytest.raises(kind):
            ids.raise_tag_above("order", 5)


def test_a_forked_child_lists_and_changes_tags(url: str) -> None:
    script = """
        import os, sys, leafmint
        ids = leafmint.SegmentGenerator(sys.argv[1])
        ids.tag("order").next_id()
        child = os.fork()
        if child == 0:
            ids.set_tag("order", step=7)
            assert ids.raise_tag_above("order", 4999) == 5000
            os._exit([tag.step for tag in ids.list_tags()] != [7])
        print(os.waitpid(child, 0)[1], ids.list_tags()[0].max_id)
    """
    assert run_python(script, url) == "0 5000\n"


def test_a_check_counts_the_tags_and_makes_no_file(url: str, tmp_path: Path) -> None:
    with leafmint.SegmentGenerator(url) as ids:
        found = ids.check()
        assert (found.scope, found.is_new, found.tags, found.creates_tags) == (ids.scope, True, 0, True)
        assert list(tmp_path.iterdir()) == []
        ids.create_tag("order")
        found = ids.check()
        assert (found.scope, found.is_new, found.tags, found.creates_tags) == (ids.scope, False, 1, True)
        assert timedelta() < found.round_trip < timedelta(seconds=5)
        change_rows(url, "ALTER TABLE leaf_alloc RENAME COLUMN step TO stride")
        with pytest.raises(leafmint.LeafmintError, match="step"):
            ids.check()
    with pytest.raises(leafmint.InvalidConfigError):
        leafmint.SegmentGenerator(f"sqlite:///{tmp_path}/missing/ids.db").check()
    with pytest.raises(leafmint.StoreUnavailableError):
        leafmint.SegmentGenerator(UNREACHABLE, timeout=0.3, connect_timeout=0.2).check()


def test_worker_ids_are_listed_and_checked_and_none_is_taken(tmp_path: Path) -> None:
    url = f"local:{tmp_path / 'workers'}"
    looking = leafmint.SnowflakeGenerator(url, workers="0-9")
    assert looking.list_workers() == []
    assert (looking.check().holder, looking.check().layout) == ("local", looking.layout.fingerprint)
    assert list(tmp_path.iterdir()) == []
    began = datetime.now(timezone.utc)
    with leafmint.SnowflakeGenerator(url, endpoint="10.0.0.7:8080") as owner:
        owner.next_id()
        (worker,) = looking.list_workers()
        assert (worker.worker_id, worker.endpoint, worker.held) == (0, "10.0.0.7:8080", True)
        assert worker.horizon is not None
        assert worker.updated is not None
        assert began - timedelta(minutes=1) < worker.updated < worker.horizon < began + timedelta(minutes=1)
        found = looking.check()
        assert (found.is_new, found.workers, found.free_workers, found.clock_skew) == (False, 10, 9, None)
        assert found.runs_out == looking.layout.runs_out
        for force in (False, True):
            with pytest.raises(leafmint.WorkerIdUnavailableError, match=r"10\.0\.0\.7:8080"):
                looking.release_worker(0, force=force)
        owner.next_id()
    assert [worker.held for worker in looking.list_workers()] == [False]
    assert looking.release_worker(0) is False
    assert looking.worker_id is None, "it looked only"
    with pytest.raises(leafmint.InvalidArgumentError):
        looking.release_worker(10)
    with pytest.raises(leafmint.InvalidConfigError, match="layout"):
        leafmint.SnowflakeGenerator(url, layout="wide").check()
    looking.close()
    for call in (looking.list_workers, looking.check, lambda: looking.release_worker(0)):
        with pytest.raises(leafmint.ClosedError):
            call()


def test_a_forked_child_lists_the_worker_ids_of_both(tmp_path: Path) -> None:
    script = """
        import os, sys, leafmint
        ids = leafmint.SnowflakeGenerator(sys.argv[1])
        ids.next_id()
        child = os.fork()
        if child == 0:
            held = [worker.held for worker in ids.list_workers()]
            ids.next_id()
            os._exit((held, [worker.held for worker in ids.list_workers()]) != ([True], [True, True]))
        print(os.waitpid(child, 0)[1])
    """
    assert run_python(script, f"local:{tmp_path}/workers") == "0\n"


def test_a_tag_has_the_statistics_that_the_generator_lists(ids: leafmint.SegmentGenerator) -> None:
    order = ids.tag("order")
    order.next_ids(3)
    assert order.stats() == ids.stats().tags["order"]
    assert order.stats().issued == 3


RECORDS = sorted(set(vars(records)) & set(leafmint.__all__))


@pytest.mark.parametrize("name", [*RECORDS, "OptionSpec"])
def test_a_record_has_fields_by_name_only_so_that_it_can_grow(name: str) -> None:
    kind = getattr(leafmint, name)
    values = {field.name: 7 for field in fields(kind)}
    made = kind(**values)
    assert not isinstance(made, tuple)
    with pytest.raises(TypeError):
        kind(*values.values())
    with pytest.raises(AttributeError):
        setattr(made, next(iter(values)), 8)
    assert all(duplicate(made) == made == kind(**values) for duplicate in DUPLICATES)
    assert repr(made) == f"{name}({', '.join(f'{field}=7' for field in values)})"


def test_no_public_class_is_a_tuple_or_a_dict() -> None:
    kinds = [kind for kind in map(leafmint.__dict__.get, leafmint.__all__) if isinstance(kind, type)]
    assert [kind for kind in kinds if issubclass(kind, (tuple, dict))] == []
