"""Incidents under a fleet: an alert fires, the runbook's commands end it, no process restarts, and no id repeats."""

from __future__ import annotations

import inspect
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

import leafmint
import pytest
from clocks import WallClock
from mariadb import MariaDb
from programs import TOP, start
from prometheus import Prometheus
from test_full_disk import fill, small_disk
from test_runbooks import SECTIONS, Scene
from throwaway import free_port

RULES = TOP / "py/python/leafmint/files/alerts.yaml"
PROGRAM = [sys.executable, str(TOP / "tests/cross/applications/mint_on.py")]
CONTROL = """
  - name: control
    rules:
      - alert: Control
        expr: leafmint_store_up == 0
"""
"""An alert that fires for any attempt that failed: it shows that there was one."""
SECONDS = 240
"""Longest wait for an alert or an id, on a busy machine."""


class Member(NamedTuple):
    """A process of the fleet."""

    port: str
    process: Popen[str]
    file: Path

    def count(self, what: str) -> int:
        """Returns how many ids it has minted of something."""
        return len(self.ids(what))

    def ids(self, what: str) -> list[int]:
        """Returns the ids that it has minted of something."""
        words = [line.split() for line in self.file.read_text().splitlines()]
        return [int(line[1]) for line in words if line[0] == what and line[1].isdigit()]

    def codes(self) -> list[str]:
        """Returns the codes of its errors."""
        return [code for line in self.file.read_text().splitlines() if not (code := line.split()[1]).isdigit()]


class Fleet(Scene):
    """Two processes that mint whatever happens, and a Prometheus with the rules."""

    sources: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()
    prometheus: Prometheus

    def begin(
        self, *sources: str, count: int = 2, clock: WallClock | None = None, waits: bool = True, rules: Path = RULES
    ) -> None:
        """Starts processes that mint from these sources, and waits for their first ids."""
        self.sources = sources
        ports = [free_port() for _ in range(count)]
        self.prometheus = self.stack.enter_context(Prometheus(*ports, rules=rules))
        self.names["http://prometheus:9090"] = self.prometheus.url
        environment = {**os.environ, **(clock.environment if clock else {})}
        self.members = tuple(self.launch(str(port), *sources, env=environment) for port in ports)
        if waits:
            self.wait_for_ids(200)
            # As a Prometheus that has run for longer: what was counted at the start is not new.
            time.sleep(2)

    def launch(self, port: str, *sources: str, env: dict[str, str]) -> Member:
        """Starts a process, whose log is in a file."""
        file = self.folder / f"{time.monotonic_ns()}.ids"
        file.touch()
        log = self.stack.enter_context(file.with_suffix(".log").open("w"))
        return Member(port, start(PROGRAM, str(file), port, *sources, env=env, stdout=log, stderr=log), file)

    def restart(self, member: Member) -> None:
        """Ends a process as a deployment does, starts another one in its place, and waits for its ids."""
        _, errors = member.process.communicate(timeout=60)
        assert member.process.returncode == 0, errors
        self.members += (self.launch(member.port, *self.sources, env={**os.environ}),)
        self.wait_for_ids()

    def wait_for_ids(self, more: int = 200) -> None:
        """Waits until each process that runs has minted some more of each source."""
        running = [member for member in self.members if member.process.poll() is None]
        assert running
        for source in (source.partition("=")[0] for source in self.sources):
            for member in running:
                least = member.count(source) + more
                wait(lambda member=member, source=source, least=least: member.count(source) >= least, self.report)

    def wait_until_firing(self, alert: str) -> None:
        """Waits until an alert fires."""
        query = f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})'
        wait(lambda: (self.prometheus.ask(query) or 0) > 0, lambda: f"{alert} does not fire; {self.report()}")

    def wait_until_up(self) -> None:
        """Waits until the stores and holders of all processes that run answer."""
        query = "min(leafmint_store_up) + min(leafmint_holder_up)"
        wait(lambda: self.prometheus.ask(query) == 2, self.report)

    def report(self) -> str:
        """Returns what the processes met."""
        return str([(member.process.poll(), member.codes()[-5:]) for member in self.members])

    def check(self) -> None:
        """Ends the processes, and checks that no id repeats."""
        for source in (source.partition("=")[0] for source in self.sources):
            ids = [minted for member in self.members for minted in member.ids(source)]
            assert len(set(ids)) == len(ids), source


def wait(holds: Callable[[], bool], what: Callable[[], str]) -> None:
    """Waits until something holds."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, what()
        time.sleep(0.2)


def prepare(fleet: Fleet) -> str:
    """Makes the tables and the tag, and an account that may do no more than mint. Returns its URL."""
    with leafmint.SegmentGenerator(fleet.server.url) as ids:
        ids.init_schema()
        ids.create_tag("order", step=100)
    fleet.server.sql(
        "CREATE OR REPLACE USER app@'%' IDENTIFIED BY 'pw'; GRANT SELECT, INSERT, UPDATE ON leafmint.* TO app@'%'"
    )
    return fleet.server.url.replace("root@", "app:pw@")


def database_down(fleet: Fleet) -> None:
    """The server is killed."""
    fleet.begin(f"order={prepare(fleet)}")
    fleet.server.kill()
    fleet.wait_until_firing("LeafmintCallsFail")
    fleet.type("The database is down")
    fleet.server.start()


def database_down_for_long(fleet: Fleet) -> None:
    """The server is killed, and stays down."""
    fleet.begin(f"order={prepare(fleet)}")
    fleet.server.kill()
    fleet.wait_until_firing("LeafmintSupplyEnds")
    fleet.wait_until_firing("LeafmintStoreDown")
    fleet.server.start()


def database_frozen(fleet: Fleet) -> None:
    """The server does not answer, nor does it end sessions."""
    fleet.begin(f"order={prepare(fleet)}?connect_timeout=1s")
    fleet.server.signal(signal.SIGSTOP)
    fleet.stack.callback(fleet.server.signal, signal.SIGCONT)
    fleet.wait_until_firing("LeafmintStoreDown")
    fleet.server.signal(signal.SIGCONT)


def read_only(fleet: Fleet) -> None:
    """The server takes no writes."""
    fleet.begin(f"order={prepare(fleet)}")
    fleet.server.sql("SET GLOBAL read_only = 1")
    fleet.stack.callback(fleet.server.sql, "SET GLOBAL read_only = 0")
    fleet.wait_until_firing("LeafmintCallsFail")
    fleet.server.sql("SET GLOBAL read_only = 0")


def password_changed(fleet: Fleet) -> None:
    """The account has another password, and its sessions are ended."""
    fleet.begin(f"order={prepare(fleet)}")
    fleet.server.sql("ALTER USER app@'%' IDENTIFIED BY 'new'; KILL USER app")
    fleet.wait_until_firing("LeafmintCallsFail")
    fleet.server.sql("ALTER USER app@'%' IDENTIFIED BY 'pw'")


def row_gone(fleet: Fleet) -> None:
    """The row of the tag is deleted."""
    fleet.begin(f"order={prepare(fleet)}")
    fleet.server.sql("DELETE FROM leafmint.leaf_alloc")
    fleet.wait_until_firing("LeafmintRefused")
    fleet.type("A row of a tag is gone")


def table_renamed(fleet: Fleet) -> None:
    """The table has another name, and later is dropped."""
    fleet.begin(f"order={prepare(fleet)}")
    fleet.server.sql("RENAME TABLE leafmint.leaf_alloc TO leafmint.leaf_alloc_old")
    fleet.wait_until_firing("LeafmintCallsFail")

    def drop() -> None:
        fleet.wait_for_ids()
        fleet.server.sql("DROP TABLE leafmint.leaf_alloc")
        highest = max(minted for member in fleet.members for minted in member.ids("order"))
        fleet.prometheus.wait_until('max(leafmint_ids_highest_leased{tag="order"})', highest)
        fleet.wait_until_firing("LeafmintRefused")

    fleet.between = drop
    fleet.type("The table is gone")


def restored(fleet: Fleet) -> None:
    """The database is restored from a backup under running processes."""
    fleet.begin(f"order={prepare(fleet)}")
    fleet.server.sql("UPDATE leafmint.leaf_alloc SET max_id = 1")
    fleet.wait_until_firing("LeafmintStoreRegressed")
    fleet.type("A restored backup")


def stale_host(fleet: Fleet) -> None:
    """The first host dies, and the second one lacks its last writes."""
    first, second = fleet.stack.enter_context(MariaDb()), fleet.server
    prepare(fleet)
    with leafmint.SegmentGenerator(first.url) as ids:
        ids.init_schema()
        ids.create_tag("order", step=100)
    url = f"mysql://root@127.0.0.1:{first.port},127.0.0.1:{second.port}/leafmint"
    fleet.variables["LEAFMINT_URL"] = url
    fleet.begin(f"order={url}")
    first.kill()
    fleet.wait_until_firing("LeafmintStoreRegressed")
    fleet.names["db2:3306"] = f"127.0.0.1:{second.port}"
    fleet.type("A fail-over to a stale host")


def unknown_tag(fleet: Fleet) -> None:
    """A deployment asks for a tag that was never created."""
    prepare(fleet)
    fleet.begin(f"parcel={fleet.server.url}", waits=False)
    fleet.wait_until_firing("LeafmintRefused")
    fleet.type("A new tag is unknown")


def no_worker_id(fleet: Fleet) -> None:
    """The only worker id is that of a process which was killed."""
    prepare(fleet)
    url = f"{fleet.server.url}?workers=0&state_files=false"
    fleet.variables["LEAFMINT_SNOWFLAKE_URL"] = url
    fleet.begin(f"flakes={url}", count=1)
    [gone] = fleet.members
    gone.process.kill()
    gone.process.wait()
    fleet.begin(f"flakes={url}", count=1, waits=False)
    fleet.members = (gone, *fleet.members)
    fleet.wait_until_firing("LeafmintNoWorkerId")
    fleet.type("No worker id is free")


def holder_down(fleet: Fleet) -> None:
    """The database of the worker ids is down."""
    prepare(fleet)
    fleet.begin(f"flakes={fleet.server.url}?state_files=false&lease_duration=70s")
    fleet.server.kill()
    fleet.wait_until_firing("LeafmintSnowflakesEnd")
    fleet.wait_until_firing("LeafmintHeartbeatsFail")
    fleet.server.start()


def lease_stolen(fleet: Fleet) -> None:
    """The rows of the worker ids are deleted."""
    prepare(fleet)
    fleet.begin(f"flakes={fleet.server.url}?state_files=false&heartbeat=1s")
    fleet.server.sql("DELETE FROM leafmint.leafmint_worker")
    fleet.wait_until_firing("LeafmintLeaseLost")


def disk_full(fleet: Fleet) -> None:
    """The disk of the worker ids is full when a process starts."""
    disk = fleet.stack.enter_context(small_disk(fleet.folder / "disk", "1m"))
    filler = fill(disk, 0)
    fleet.variables["LEAFMINT_SNOWFLAKE_URL"] = f"local:{disk}/workers"
    prepare(fleet)
    fleet.begin(f"flakes=local:{disk}/workers", count=1, waits=False)
    fleet.wait_until_firing("LeafmintNoWorkerId")
    filler.unlink()
    fleet.type("The disk of the worker ids is full")


def clock_back(fleet: Fleet) -> None:
    """The clock is set back by a minute and a half."""
    clock = WallClock(fleet.folder / "clock")
    fleet.begin(f"flakes=local:{fleet.folder}/workers", count=1, clock=clock)
    clock.set(-90)
    fleet.wait_until_firing("LeafmintClockSetBack")
    clock.set(0)


INCIDENTS = [
    database_down, database_down_for_long, database_frozen, read_only, password_changed, row_gone, table_renamed,
    restored, stale_host, unknown_tag, no_worker_id, holder_down, lease_stolen, disk_full, clock_back,
]  # fmt: skip
SHORT = (database_down, row_gone, restored)
"""Those of every change; all are in `make incidents`."""


def test_the_page_has_a_row_for_each_incident_with_the_alerts_that_fire_here() -> None:
    rows = re.findall(r"^\| [^|]* \| [^|]* \| (`Leafmint[^|]*) \|", SECTIONS["Which alert fires"], re.MULTILINE)
    fired = [set(re.findall(r'wait_until_firing\("(\w+)"\)', inspect.getsource(incident))) for incident in INCIDENTS]
    assert len(rows) == len(fired)
    for row, alerts in zip(rows, fired, strict=True):
        assert set(re.findall(r"`(\w+)`", row)) >= alerts


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDb]:
    """A server of its own, which the incidents may stop."""
    with MariaDb() as server:
        yield server


@pytest.mark.parametrize(
    "incident",
    [pytest.param(each, marks=[] if each in SHORT else pytest.mark.long, id=each.__name__) for each in INCIDENTS],
)
def test_an_alert_fires_and_the_runbook_ends_the_incident(
    incident: Callable[[Fleet], None], server: MariaDb, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        fleet = Fleet(server, tmp_path, stack)
        incident(fleet)
        fleet.wait_for_ids()
        fleet.check()


@pytest.mark.long
def test_no_alert_fires_in_quiet_hours(server: MariaDb, tmp_path: Path) -> None:
    """Sessions end, the server restarts, and so do the processes, one after another: this is not an incident."""
    rules = tmp_path / "rules.yaml"
    rules.write_text(RULES.read_text() + CONTROL)
    with ExitStack() as stack:
        fleet = Fleet(server, tmp_path, stack)
        url = prepare(fleet)
        flakes = f"flakes={fleet.server.url}?state_files=false&lease_duration=10m"
        fleet.begin(f"order={url}?max_unused=1000000", flakes, rules=rules)
        # As processes that have run for longer, whose supply outlasts a restart of the server.
        wait(lambda: (fleet.prometheus.ask("min(leafmint_supply_seconds)") or 0) > 90, fleet.report)
        for _ in range(2):
            fleet.server.sql("KILL USER app; KILL USER root")
            fleet.wait_for_ids()
        fleet.server.kill()
        fleet.wait_until_firing("Control")
        fleet.server.start()
        fleet.wait_until_up()
        for member in fleet.members:
            fleet.restart(member)
        fleet.wait_until_up()
        fleet.wait_for_ids(3000)
        assert fleet.prometheus.alerts() == {"Control"}
        assert not any(member.codes() for member in fleet.members)
        fleet.check()
