"""Services that share a database share one id space, whichever language they are written in."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import leafmint
import numpy
import pytest
from mariadb import MariaDb
from programs import TOP, finish, kill, lent_commands, mint_commands, start
from segments import LEAF_TABLE

SECONDS = 1200


def check(files: list[Path]) -> int:
    """Checks that each generator's ids strictly increase and that no id is in the files twice. Returns their number."""
    every = []
    for file in files:
        words = numpy.fromfile(file, dtype="<i8")
        for ids in numpy.split(words, numpy.flatnonzero(words == -1)):
            assert (numpy.diff(ids) > 0).all(), f"a generator of {file.name} went back"
        every.append(words[words != -1])
    ids = numpy.sort(numpy.concatenate(every))
    repeated = ids[1:][numpy.diff(ids) == 0]
    assert not len(repeated), f"{len(repeated)} ids twice, among them {repeated[:5]}"
    assert ids[0] >= 1
    return len(ids)


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[MariaDb]:
    """A server of the test's own, with a default for the autocommit of new sessions, and a table as Leaf makes it."""
    with MariaDb(f"--autocommit={request.param}") as server:
        server.sql(f"USE leafmint; {LEAF_TABLE.format(table='leaf_alloc')}")
        server.sql("INSERT INTO leafmint.leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 100); COMMIT")
        yield server


@pytest.fixture
def leaf(server: MariaDb, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that takes segments from the same row as Leaf does."""
    command = [sys.executable, str(TOP / "tests/cross/leaf.py"), "127.0.0.1", str(server.port), "root", ""]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    arguments = ["leafmint", "leaf_alloc", "order", str(tmp_path / "Leaf")]
    process = subprocess.Popen([*command, *arguments], **pipes, text=True)
    yield process
    if process.returncode is None:
        kill(process)


def lent(server: MariaDb, tag: str, count: int, reopen: int, folder: Path) -> dict[Path, subprocess.Popen[str]]:
    """Starts programs that mint through drivers, of which each has a form of URLs."""
    address = f"127.0.0.1:{server.port}/leafmint"
    urls = {"mysql+pymysql": f"mysql+pymysql://root@{address}", "jdbc:mariadb": f"jdbc:mariadb://{address}?user=root"}
    return {
        folder / form.replace(":", "-"): start(
            lent_commands()[form], url, tag, count, folder / form.replace(":", "-"), reopen
        )
        for form, url in urls.items()
    }


@pytest.mark.parametrize(
    ("server", "count"),
    [
        pytest.param(0, 34_000, id="autocommit off"),
        pytest.param(0, 1_700_000, id="autocommit off, ten million ids", marks=pytest.mark.long),
        pytest.param(1, 1_700_000, id="autocommit on, ten million ids", marks=pytest.mark.long),
    ],
    indirect=["server"],
)
def test_three_languages_by_urls_and_drivers_and_leaf_mint_ids_of_one_tag_and_none_twice(
    server: MariaDb, leaf: subprocess.Popen[str], count: int, tmp_path: Path
) -> None:
    reopen, processes = count // 20, 2
    url = f"{server.url}?max_step=100&timeout=60s"
    running = {
        tmp_path / f"{language}-{number}": start(
            command, url, "order", count, tmp_path / f"{language}-{number}", reopen
        )
        for language, command in mint_commands().items()
        for number in range(processes)
    }
    running |= lent(server, "order", count, reopen, tmp_path)
    summaries = [finish(process, SECONDS) for process in running.values()]
    output, errors = leaf.communicate("", timeout=120)
    assert leaf.returncode == 0, errors
    assert all(summary["generators"] == count / reopen for summary in summaries)
    total = check([*running, tmp_path / "Leaf"])
    assert total > 8 * count
    max_id = int(server.sql("SELECT max_id FROM leafmint.leaf_alloc"))
    slowest = max(float(str(summary["seconds"])) for summary in summaries)
    print(f"\n{total:,} ids, none twice; max_id {max_id:,}; Leaf: {output.strip()}; slowest process {slowest} s")


def test_the_day_of_a_series_is_leased_by_leaf_too(database: str, tmp_path: Path) -> None:
    day, file = date(2020, 2, 29), tmp_path / "Leaf"
    parts = urlsplit(database)
    at = [parts.hostname, str(parts.port or 3306), parts.username, parts.password or "", parts.path.lstrip("/")]
    with leafmint.SegmentGenerator(database, timeout=60) as ids:
        invoices = ids.series("invoice", period="day", zone="UTC", step=5)
        with pytest.raises(
            leafmint.InvalidConfigError, match=r"leafmint init.*CREATE TABLE IF NOT EXISTS `leafmint_series`"
        ):
            invoices.next(on=day)
        ids.init_schema()
        numbers = [invoices.next(on=day).number]
        leaf = start([sys.executable, str(TOP / "tests/cross/leaf.py")], *at, "leaf_alloc", "invoice@2020-02-29", file)
        until = time.monotonic() + 3
        while time.monotonic() < until:
            numbers += [number.number for number in invoices.next_many(20, on=day)]
            time.sleep(0.002)
        output, errors = leaf.communicate("", timeout=120)
    assert leaf.returncode == 0, errors
    leased = numpy.fromfile(file, dtype="<i8")[1:].tolist()
    assert len(leased) >= 5, output
    assert len({*numbers, *leased}) == len(numbers) + len(leased)


def test_the_languages_share_one_sqlite_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/ids.db?default_step=1000&timeout=60s&connect_timeout=30s"
    running = {
        tmp_path / language: start(command, url, "order", 300_000, tmp_path / language, 50_000)
        for language, command in mint_commands().items()
    }
    for process in running.values():
        finish(process, SECONDS)
    assert check(list(running)) == 900_000


def test_the_languages_share_one_tag_of_postgresql(postgres_database: str, tmp_path: Path) -> None:
    count = 500_000
    with leafmint.SegmentGenerator(postgres_database) as ids:
        ids.init_schema()
        ids.create_tag("order", step=1000)
    url = f"{postgres_database}?max_step=1000&timeout=60s"
    running = {
        tmp_path / language: start(command, url, "order", count, tmp_path / language, 50_000)
        for language, command in mint_commands().items()
    }
    for process in running.values():
        finish(process, SECONDS)
    assert check(list(running)) == 3 * count
    with leafmint.SegmentGenerator(postgres_database) as ids:
        [tag] = ids.list_tags()
        # What was given back was leased again, apart from gaps that races leave.
        assert 3 * count < tag.max_id < 3 * count + 2_000 * 30


def test_a_narrow_column_on_a_server_that_clamps_numbers_repeats_no_id() -> None:
    with MariaDb("--sql-mode=") as server:
        server.sql(
            "CREATE TABLE leafmint.leaf_alloc (biz_tag varchar(64) PRIMARY KEY, max_id int NOT NULL, step int NOT NULL)"
        )
        server.sql(f"INSERT INTO leafmint.leaf_alloc VALUES ('order', {2**31 - 1000}, 100)")
        server.sql("CREATE USER app@'%' IDENTIFIED BY 'pw'; GRANT ALL ON leafmint.* TO app@'%'")
        assert server.sql("SELECT @@GLOBAL.sql_mode").strip() == ""
        url = f"mysql://app:pw@127.0.0.1:{server.port}/leafmint"
        minted: list[int] = []
        with leafmint.SegmentGenerator(url, max_step=100) as one, leafmint.SegmentGenerator(url, max_step=100) as other:
            tags = [one.tag("order"), other.tag("order")]
            for tag in tags:
                with pytest.raises(leafmint.IdSpaceExhaustedError, match=r"'max_id'.*bigint"):
                    minted.extend(tag.next_id() for _ in range(2000))
                # The next session has to be as strict.
                server.sql("KILL USER app")
            server.sql("ALTER TABLE leafmint.leaf_alloc MODIFY max_id bigint NOT NULL")
            minted += [id_ for tag in tags for id_ in tag.next_ids(300)]
        assert len(minted) > 600
        assert len({*minted}) == len(minted)
