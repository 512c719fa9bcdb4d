"""`leafmint tags recover` after a restore, a dropped row or a fail-over: running processes go on, no id repeats."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import leafmint
import pytest
from leafmint.cli import main
from mariadb import MariaDb
from segments import until_it_fails

NAME = "order"


@pytest.fixture
def server() -> Iterator[MariaDb]:
    """A server with the tag."""
    with MariaDb() as server:
        with leafmint.SegmentGenerator(server.url) as ids:
            ids.init_schema()
            ids.create_tag(NAME, step=100)
        yield server


def restored(server: MariaDb) -> None:
    """Sets the row back, as a restore of a backup does."""
    server.sql(f"UPDATE leafmint.leaf_alloc SET max_id = 101 WHERE biz_tag = '{NAME}'")


def dropped(server: MariaDb) -> None:
    """Removes the row."""
    server.sql(f"DELETE FROM leafmint.leaf_alloc WHERE biz_tag = '{NAME}'")


def dropped_table(server: MariaDb) -> None:
    """Removes the table."""
    server.sql("DROP TABLE leafmint.leaf_alloc")


@pytest.mark.parametrize("fault", [restored, dropped, dropped_table])
def test_running_processes_go_on_without_a_restart_and_no_id_repeats(
    server: MariaDb, fault: Callable[[MariaDb], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        leafmint.SegmentGenerator(server.url, max_step=100, timeout=2) as one,
        leafmint.SegmentGenerator(server.url, max_step=100, timeout=2) as two,
    ):
        tags = [ids.tag(NAME) for ids in (one, two)]
        minted = [tag.next_ids(1000) for tag in tags]
        fault(server)
        for tag, of_tag in zip(tags, minted, strict=True):
            until_it_fails(tag, of_tag)
        reported = [f"--reported={tag.stats().highest_leased}" for tag in tags]
        recover = ["tags", "recover", NAME, "--url", server.url, *reported, "--yes", "--step", "100"]
        if fault is dropped_table:
            assert main(recover) == 1
            assert "if it was renamed or moved, undo that" in capsys.readouterr().err
            recover.append("--create-table")
        assert main(recover) == 0
        for tag, of_tag in zip(tags, minted, strict=True):
            of_tag += tag.next_ids(1000, timeout=60)
    every = [number for of_tag in minted for number in of_tag]
    assert len(set(every)) == len(every), "an id repeats"


def test_each_host_of_a_list_is_shown_and_the_one_to_raise_is_named(
    server: MariaDb, capsys: pytest.CaptureFixture[str]
) -> None:
    with MariaDb() as other:
        with leafmint.SegmentGenerator(other.url) as ids:
            ids.init_schema()
            ids.create_tag(NAME, start=93_000)
        first, second = f"127.0.0.1:{server.port}", f"127.0.0.1:{other.port}"
        recover = [
            "tags",
            "recover",
            NAME,
            "--url",
            f"mysql://root@{first},{second}/leafmint",
            "--reported",
            "5",
            "--margin",
            "0",
            "--yes",
        ]
        assert main(recover) == 1
        shown = capsys.readouterr()
        rows = {tuple(line.rsplit(maxsplit=1)) for line in shown.out.splitlines()}
        assert {(f"leased from {first}", "0"), (f"leased from {second}", "92999")} <= rows
        assert f"--host {first} or --host {second}" in shown.err
        assert main([*recover, "--host", first]) == 0
        assert f"{NAME}: max_id is 93000 at {first}" in capsys.readouterr().out
        other.sql("SET GLOBAL read_only = 1; CREATE USER app@'%'; GRANT ALL ON leafmint.* TO app@'%'")
        server.sql("CREATE USER app@'%'; GRANT ALL ON leafmint.* TO app@'%'")
        other.sql("UPDATE leafmint.leaf_alloc SET max_id = 94000")
        recover[4] = recover[4].replace("root", "app")
        assert main(recover) == 0
        assert f"{NAME}: max_id is 94000 at {first}" in capsys.readouterr().out
