"""The command line on a list of hosts: it names the one that answered, and changes nothing if two of them differ."""

from __future__ import annotations

import json
from collections.abc import Iterator

import leafmint
import pytest
from leafmint.cli import main
from mariadb import MariaDb

Run = tuple[int, str, str]


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[MariaDb, MariaDb]]:
    """Two servers with leafmint's tables and the tag `order`."""
    with MariaDb() as first, MariaDb() as second:
        for server in (first, second):
            with leafmint.SegmentGenerator(server.url) as ids:
                ids.init_schema()
                ids.create_tag("order")
            server.sql("CREATE USER app@'%' IDENTIFIED BY 'pw'; GRANT ALL ON leafmint.* TO app@'%'")
        yield first, second


@pytest.fixture
def both(servers: tuple[MariaDb, MariaDb]) -> str:
    """The URL of both servers, which can be written to and have the same."""
    for server in servers:
        server.sql(
            "SET GLOBAL read_only = 0; DELETE FROM leafmint.leaf_alloc WHERE biz_tag <> 'order';"
            " UPDATE leafmint.leaf_alloc SET max_id = 40000"
        )
    first, second = servers
    return f"mysql://app:pw@127.0.0.1:{first.port},127.0.0.1:{second.port}/leafmint"


def name(server: MariaDb) -> str:
    """The host as the command names it."""
    return f"127.0.0.1:{server.port}"


def max_id(server: MariaDb) -> int:
    """What a server has of the tag."""
    return int(server.sql("SELECT max_id FROM leafmint.leaf_alloc WHERE biz_tag = 'order'"))


class Terminal:
    """Runs commands, and keeps what they print."""

    def __init__(self, url: str, captured: pytest.CaptureFixture[str]) -> None:
        self.url, self.captured = url, captured

    def __call__(self, *arguments: str) -> Run:
        """Runs a command."""
        code = main([*arguments, "--url", self.url])
        out, err = self.captured.readouterr()
        return code, out, err


@pytest.fixture
def run(both: str, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal with the URL of both servers."""
    return Terminal(both, capsys)


def test_each_command_names_the_host_that_answered(run: Terminal, servers: tuple[MariaDb, MariaDb]) -> None:
    first = name(servers[0])
    for command in (["tags", "list"], ["series", "list"], ["gapless", "list"], ["workers", "list"]):
        code, out, _ = run(*command)
        assert (code, out.splitlines()[1]) == (0, f"host: {first}")
        assert json.loads(run(*command, "--json")[1])["host"] == first
    for command in ("check", "status"):
        assert f"ms at {first}" in run(command)[1]
    assert json.loads(run("status", "--json")[1])["store"]["host"] == first
    assert json.loads(run("check", "--json")[1])["checks"][0]["host"] == first
    assert f"//{first}/leafmint" in run("audit")[1].splitlines()[0]
    assert json.loads(run("audit", "--json")[1])["host"] == first
    assert run("tags", "raise", "order", "--above-id", "1")[1] == f"order: max_id is 40000 at {first}\n"
    assert run("tags", "create", "parcel")[1] == f"parcel: created at {first}\n"
    assert f" at {first}\n" in run("init")[1]
    second = name(servers[1])
    code, out, _ = run("tags", "list", "--host", second)
    assert (code, "host: " in out, f"mysql://{second}/leafmint" in out) == (0, False, True)


def test_a_status_says_of_each_host_whether_it_answers_and_how_its_tags_compare(
    run: Terminal, servers: tuple[MariaDb, MariaDb]
) -> None:
    def hosts() -> list[tuple[str, bool, int | None, int | None, str | None]]:
        found = json.loads(run("status", "--json")[1])["store"]["hosts"]
        return [(it["host"], it["answered"] is not None, it["behind"], it["ahead"], it["problem"]) for it in found]

    first, second = servers
    run.url = run.url.replace("/leafmint", ",127.0.0.1:1/leafmint")
    *both, dead = hosts()
    assert both == [(name(first), True, 0, 0, None), (name(second), True, 0, 0, None)]
    assert dead[:4] == ("127.0.0.1:1", False, None, None)
    assert (dead[4] or "").startswith("store_unavailable: ")
    first.sql(
        "UPDATE leafmint.leaf_alloc SET max_id = 41000;"
        " INSERT INTO leafmint.leaf_alloc (biz_tag, max_id, step) VALUES ('new', 1, 1)"
    )
    assert hosts()[1] == (name(second), True, 2, 0, None)
    code, out, _ = run("status")
    assert (code, max(map(len, out.splitlines())) <= 80) == (0, True)
    text = " ".join(out.split())
    assert f"; 2 tags behind {name(first)} host 127.0.0.1:1: store_unavailable: " in text
    second.sql("UPDATE leafmint.leaf_alloc SET max_id = 93000")
    assert hosts()[1] == (name(second), True, 1, 1, None)
    assert f"1 tag ahead of {name(first)}, which lacks those leases" in " ".join(run("status")[1].split())
    second.sql("RENAME TABLE leafmint.leaf_alloc TO leafmint.other")
    assert hosts()[1] == (name(second), False, None, None, "no such table")
    second.sql("RENAME TABLE leafmint.other TO leafmint.leaf_alloc")
    code, out, _ = run("status", "--json", "--host", name(second))
    assert (code, json.loads(out)["store"]["hosts"]) == (0, None)
    run.url = run.url.replace(str(first.port), "2").replace(str(second.port), "3")
    code, out, _ = run("status", "--json")
    found = json.loads(out)["store"]
    assert (code, found["host"], [it["answered"] for it in found["hosts"]]) == (1, None, [None] * 3)


def test_a_host_that_is_not_listed_is_refused(run: Terminal) -> None:
    code, _, err = run("tags", "list", "--host", "db9:3306")
    assert (code, "--host db9:3306 is none of the URL's hosts: 127.0.0.1:" in err) == (2, True)


def test_hosts_that_differ_are_shown_and_nothing_is_changed_until_one_is_named(
    run: Terminal, servers: tuple[MariaDb, MariaDb]
) -> None:
    first, second = servers
    second.sql("UPDATE leafmint.leaf_alloc SET max_id = 93000")
    for command in (["raise", "order", "--above-id", "50000"], ["set", "order", "--step", "7"], ["create", "order"]):
        code, _, err = run("tags", *command)
        assert (code, "hosts_differ" in err) == (1, True)
        for shown in (f"{name(first)} has max_id 40000", f"{name(second)} has max_id 93000", f"--host {name(second)}"):
            assert shown in err
    assert (max_id(first), max_id(second)) == (40000, 93000)
    code, out, _ = run("tags", "raise", "order", "--above-id", "93999", "--host", name(second))
    assert (code, out, max_id(first), max_id(second)) == (0, "order: max_id is 94000\n", 40000, 94000)


def test_a_host_that_lacks_the_row_differs(run: Terminal, servers: tuple[MariaDb, MariaDb]) -> None:
    servers[0].sql("INSERT INTO leafmint.leaf_alloc (biz_tag, max_id, step) VALUES ('parcel', 9, 1)")
    code, _, err = run("tags", "raise", "parcel", "--above-id", "50000")
    assert (code, f"{name(servers[1])} has no such tag" in err) == (1, True)


def test_a_replica_that_only_reads_may_lag(run: Terminal, servers: tuple[MariaDb, MariaDb]) -> None:
    first, second = servers
    first.sql("UPDATE leafmint.leaf_alloc SET max_id = 41000")
    second.sql("SET GLOBAL read_only = 1")
    code, out, _ = run("tags", "raise", "order", "--above-id", "49999")
    assert (code, out) == (0, f"order: max_id is 50000 at {name(first)}\n")
    first.sql("SET GLOBAL read_only = 1")
    second.sql("SET GLOBAL read_only = 0")
    code, out, _ = run("tags", "raise", "order", "--above-id", "59999")
    assert (code, out, max_id(first)) == (0, f"order: max_id is 60000 at {name(second)}\n", 50000)


def test_tables_are_not_made_on_a_host_that_alone_lacks_them(capsys: pytest.CaptureFixture[str]) -> None:
    with MariaDb() as first, MariaDb() as second:
        run = Terminal(f"mysql://root@127.0.0.1:{first.port},127.0.0.1:{second.port}/leafmint", capsys)
        with leafmint.SegmentGenerator(second.url) as ids:
            ids.init_schema()
        code, _, err = run("init")
        assert (code, f"{name(first)} has no such table" in err, f"{name(second)} has them" in err) == (1, True, True)
        assert first.sql("SHOW TABLES FROM leafmint") == ""
        code, out, _ = run("init", "--host", name(first))
        assert (code, out.startswith("the tables exist: ")) == (0, True)
        with leafmint.SnowflakeGenerator(second.url, state_files=False) as flakes:
            flakes.next_id()
            code, _, err = run("workers", "release", "0", "--force")
            assert (code, f"{name(first)} has no such row" in err, "held by" in err) == (1, True, True)
        second.process.kill()
        second.process.wait()
        code, out, _ = run("workers", "release", "0", "--force")
        assert (code, out) == (0, f"worker id 0: was free already at {name(first)}\n")
