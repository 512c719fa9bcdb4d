"""The runbooks: each incident is caused, the page's commands are typed, and processes mint on without a repeated id."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import leafmint
import pytest
from leafmint.prometheus import LeafmintCollector
from mariadb import MariaDb
from programs import TOP
from prometheus import Prometheus
from prometheus_client import CollectorRegistry, start_http_server
from segments import until_it_fails
from test_command_line_page import TIME, run
from test_full_disk import fill, small_disk
from throwaway import free_port

PAGE = (TOP / "docs/runbooks.md").read_text()
SECTIONS = dict(zip(*[iter(re.split(r"^## (.*)$", PAGE, flags=re.MULTILINE)[1:])] * 2, strict=True))
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
TYPED = re.compile(r"^(\$|mysql>) (.*)\n((?:(?!\$ |mysql> ).*\n)*)", re.MULTILINE)


class Scene:
    """An incident: what the commands are typed at, and what must hold afterwards."""

    def __init__(self, server: MariaDb, folder: Path, stack: ExitStack) -> None:
        self.server, self.folder, self.stack = server, folder, stack
        self.variables = {"LEAFMINT_URL": server.url}
        self.names: dict[str, str] = {}
        self.minted: list[int] = []
        self.between: Callable[[], object] = lambda: None
        self.after: Callable[[], object] = lambda: None
        server.sql("DROP DATABASE leafmint; CREATE DATABASE leafmint CHARACTER SET utf8mb4")

    def open(self, url: str | None = None) -> leafmint.SegmentGenerator:
        """Opens a generator of a running process."""
        url = url or self.variables["LEAFMINT_URL"]
        return self.stack.enter_context(leafmint.SegmentGenerator(url, max_step=100, timeout=5, connect_timeout=2))

    def mint(self, ids: leafmint.SegmentGenerator, count: int = 2000) -> None:
        """Mints ids of the tag, none of which may repeat."""
        self.minted += ids.tag("order").next_ids(count, timeout=60)
        assert len(set(self.minted)) == len(self.minted), "an id repeats"

    def prepare(self) -> leafmint.SegmentGenerator:
        """Makes the tables and the tag, and mints with a process that Prometheus scrapes."""
        with leafmint.SegmentGenerator(self.server.url) as ids:
            ids.init_schema()
            ids.create_tag("order", step=100)
        ids = self.open()
        self.mint(ids)
        return ids

    def scrape(self, ids: leafmint.SegmentGenerator) -> None:
        """Lets Prometheus see what a process has leased."""
        registry, port = CollectorRegistry(), free_port()
        registry.register(LeafmintCollector(ids))
        web, _ = start_http_server(port, "127.0.0.1", registry)
        self.stack.callback(web.server_close)
        self.stack.callback(web.shutdown)
        prometheus = self.stack.enter_context(Prometheus(port))
        self.names["http://prometheus:9090"] = prometheus.url
        highest = ids.tag("order").stats().highest_leased
        prometheus.wait_until('leafmint_ids_highest_leased{tag="order"}', highest)

    def type(self, section: str) -> None:
        """Types the commands of a section, and compares what they print."""
        for index, block in enumerate(BLOCK.findall(SECTIONS[section])):
            if index:
                self.between()
            for prompt, command, expected in TYPED.findall(block):
                if prompt == "mysql>":
                    self.server.sql(f"USE leafmint; {command}")
                    continue
                for name, real in self.names.items():
                    command = command.replace(name, real)
                printed = TIME.sub("TIME", run(command, self.folder, **self.variables))
                lines = re.sub(r"^…\n", "LINES", expected, flags=re.MULTILINE)
                pattern = re.escape(lines).replace("LINES", "(?:.*\\n)*?").replace("…", ".*")
                assert re.fullmatch(f"{pattern}(?:.*\\n)*", printed), (command, printed)


def restored(scene: Scene) -> None:
    """The database has an older row, and the processes were stopped."""
    ids = scene.prepare()
    scene.scrape(ids)
    ids.close()
    scene.server.sql("UPDATE leafmint.leaf_alloc SET max_id = 101")
    scene.after = lambda: scene.mint(scene.open())


def row_gone(scene: Scene) -> None:
    """The row was deleted under running processes."""
    ids = scene.prepare()
    scene.scrape(ids)
    scene.server.sql("DELETE FROM leafmint.leaf_alloc")
    until_it_fails(ids.tag("order"), scene.minted)
    scene.after = lambda: scene.mint(ids)


def tag_unknown(scene: Scene) -> None:
    """A deployment uses a tag that was never created."""
    scene.scrape(scene.prepare())
    with leafmint.SegmentGenerator(scene.server.url, auto_create=False) as ids, pytest.raises(leafmint.UnknownTagError):
        ids.tag("parcel").next_id()

    def after() -> None:
        with leafmint.SegmentGenerator(scene.server.url, auto_create=False) as ids:
            assert ids.tag("parcel").next_id() == 1

    scene.after = after


def table_gone(scene: Scene) -> None:
    """The table was renamed, and later dropped."""
    ids = scene.prepare()
    scene.server.sql("RENAME TABLE leafmint.leaf_alloc TO leafmint.leaf_alloc_old")
    until_it_fails(ids.tag("order"), scene.minted)

    def drop() -> None:
        scene.mint(ids)
        scene.scrape(ids)
        scene.server.sql("DROP TABLE leafmint.leaf_alloc")

    scene.between = drop
    scene.after = lambda: scene.mint(ids)


def series_gone(scene: Scene) -> None:
    """The rows of a series are gone, its rule too."""
    scene.prepare()
    scene.server.sql("DELETE FROM leafmint.leaf_alloc; DELETE FROM leafmint.leafmint_series")

    def after() -> None:
        with leafmint.SegmentGenerator(scene.server.url) as ids:
            tags = {tag.name: tag.max_id for tag in ids.list_tags()}
            assert (tags["invoice@2026"], tags["invoice/shop-7@2026"]) == (4712, 43)

    scene.after = after


def workers_restored(scene: Scene) -> None:
    """The rows of worker ids are older than the ids, and the processes were stopped."""
    scene.prepare()
    scene.variables["LEAFMINT_SNOWFLAKE_URL"] = f"{scene.server.url}?state_files=false"
    flakes = leafmint.SnowflakeGenerator(scene.variables["LEAFMINT_SNOWFLAKE_URL"])
    ids = flakes.next_ids(1000)
    flakes.close()

    def after() -> None:
        with leafmint.SnowflakeGenerator(scene.variables["LEAFMINT_SNOWFLAKE_URL"]) as again:
            assert again.next_id() > ids[-1]

    scene.after = after


def stale_host(scene: Scene) -> None:
    """The first host is gone, and the second one lacks its last writes."""
    first, second = scene.stack.enter_context(MariaDb()), scene.server
    scene.variables["LEAFMINT_URL"] = f"mysql://root@127.0.0.1:{first.port},127.0.0.1:{second.port}/leafmint"
    with leafmint.SegmentGenerator(first.url) as ids:
        ids.init_schema()
        ids.create_tag("order", step=100)
    ids = scene.prepare()
    scene.scrape(ids)
    second.sql("UPDATE leafmint.leaf_alloc SET max_id = 101")
    first.kill()
    until_it_fails(ids.tag("order"), scene.minted)
    scene.names["db2:3306"] = f"127.0.0.1:{second.port}"
    scene.after = lambda: scene.mint(ids)


def database_down(scene: Scene) -> None:
    """The server is down for a while."""
    ids = scene.prepare()
    scene.server.kill()

    def after() -> None:
        scene.server.start()
        assert run("leafmint check --timeout 20s", scene.folder, **scene.variables).startswith("ok    store")
        scene.mint(ids)

    scene.after = after


def read_only(scene: Scene) -> None:
    """The server takes no writes."""
    url = scene.server.url
    ids = scene.prepare()
    scene.server.sql("CREATE OR REPLACE USER app@'%' IDENTIFIED BY 'pw'; GRANT ALL ON leafmint.* TO app@'%'")
    scene.variables["LEAFMINT_URL"] = url.replace("root@", "app:pw@")
    scene.server.sql("SET GLOBAL read_only = 1")
    scene.stack.callback(scene.server.sql, "SET GLOBAL read_only = 0")
    assert "1290" in run("leafmint tags create parcel", scene.folder, **scene.variables)
    scene.after = lambda: scene.mint(ids)


def password_changed(scene: Scene) -> None:
    """The account has another password."""
    scene.prepare()
    scene.server.sql("CREATE OR REPLACE USER app@'%' IDENTIFIED BY 'new'; GRANT ALL ON leafmint.* TO app@'%'")
    for password, code in (("old", "1045"), ("new", "ok    store")):
        scene.variables["LEAFMINT_URL"] = scene.server.url.replace("root@", f"app:{quote(password)}@")
        assert code in run("leafmint check", scene.folder, **scene.variables)


def lease_lost(scene: Scene) -> None:
    """The rows of the worker ids were deleted under a process."""
    scene.prepare()
    url = f"{scene.server.url}?state_files=false&lease_duration=5s&heartbeat=1s"
    scene.variables["LEAFMINT_SNOWFLAKE_URL"] = url
    flakes = scene.stack.enter_context(leafmint.SnowflakeGenerator(url, timeout=60))
    ids = flakes.next_ids(1000)
    scene.server.sql("DELETE FROM leafmint.leafmint_worker")
    while flakes.stats().leases_lost == 0 or flakes.stats().worker_id is None:
        ids += flakes.next_ids(10)
    ids += flakes.next_ids(1000)
    assert len(set(ids)) == len(ids)


def clock_back(scene: Scene) -> None:
    """Compares clocks; nothing has to be typed but that."""
    scene.prepare()
    run("leafmint mint --snowflake -o auto_create=true", scene.folder, **scene.variables)


def disk_full(scene: Scene) -> None:
    """The disk of worker ids is full until room is made."""
    scene.prepare()
    disk = scene.stack.enter_context(small_disk(scene.folder / "disk", "1m"))
    scene.variables["LEAFMINT_SNOWFLAKE_URL"] = f"local:{disk}/workers"
    filler = fill(disk, 0)
    assert "No space left" in run("leafmint mint --snowflake --timeout 1s", scene.folder, **scene.variables)
    filler.unlink()

    def after() -> None:
        assert run("leafmint mint --snowflake", scene.folder, **scene.variables).strip().isdigit()

    scene.after = after


def none_free(scene: Scene) -> None:
    """The only worker id is held."""
    scene.prepare()
    url = f"{scene.server.url}?workers=0&state_files=false&lease_duration=5s&heartbeat=1s&timeout=60s"
    scene.variables["LEAFMINT_SNOWFLAKE_URL"] = url
    gone = scene.stack.enter_context(leafmint.SnowflakeGenerator(url))
    ids = gone.next_ids(1000)

    def after() -> None:
        # The process lives after all.
        assert len({*ids, *gone.next_ids(1000)}) == 2000

    scene.after = after


def key_full(scene: Scene) -> None:
    """A column has few numbers left."""
    scene.prepare()
    scene.server.sql("USE leafmint; CREATE TABLE orders (id INT PRIMARY KEY); INSERT INTO orders VALUES (2000000000)")

    def after() -> None:
        assert "orders" not in run("leafmint audit", scene.folder, **scene.variables)

    scene.after = after


def gauges_old(scene: Scene) -> None:
    """The account may read its tables again."""
    scene.prepare()
    run("leafmint mint --snowflake -o auto_create=true", scene.folder, **scene.variables)


def full(scene: Scene) -> None:
    """A format has no number left, and a tag was raised too far."""
    scene.prepare()
    with leafmint.SegmentGenerator(scene.server.url) as ids:
        ids.series("invoice", period="forever", format="I{number:2}").next_many(99)

    def too_far() -> None:
        scene.server.sql(f"UPDATE leafmint.leaf_alloc SET max_id = {2**61 - 2**30} WHERE biz_tag = 'order'")

    scene.between = too_far
    scene.after = lambda: scene.mint(scene.open())


SCENES = {
    "A restored backup": restored,
    "A row of a tag is gone": row_gone,
    "A new tag is unknown": tag_unknown,
    "The table is gone": table_gone,
    "Rows of a series are gone": series_gone,
    "Worker ids after a restore": workers_restored,
    "A fail-over to a stale host": stale_host,
    "The database is down": database_down,
    "The database takes no writes": read_only,
    "The password was changed": password_changed,
    "A lease was lost": lease_lost,
    "The clock was set back": clock_back,
    "The disk of the worker ids is full": disk_full,
    "No worker id is free": none_free,
    "A key is nearly full": key_full,
    "The gauges of a store are old": gauges_old,
    "A tag or a format is full": full,
}


@contextmanager
def scene_of(server: MariaDb, folder: Path) -> Iterator[Scene]:
    """Makes a scene, and ends what it has begun."""
    with ExitStack() as stack:
        yield Scene(server, folder, stack)


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDb]:
    """A server of its own, which the incidents may stop."""
    with MariaDb() as server:
        yield server


def test_each_section_is_an_incident_here() -> None:
    assert [section for section in SECTIONS if section != "Which alert fires"] == list(SCENES)


@pytest.mark.parametrize("section", SCENES)
def test_the_commands_of_a_section_end_its_incident(section: str, server: MariaDb, tmp_path: Path) -> None:
    with scene_of(server, tmp_path) as scene:
        SCENES[section](scene)
        scene.type(section)
        scene.after()
