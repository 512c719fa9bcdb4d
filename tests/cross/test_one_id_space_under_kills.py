"""Four kinds of applications lease from one table and one namespace of worker ids, while they and their sessions die.

One is native, by a URL; Django and Spring Boot, with HikariCP and with Druid, lease through what they connect with.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from kiosks import QUICK
from minting_process import MintingProcess, check, worker_of
from programs import TOP
from shops import APPS, leafmint

KINDS = ("segment", "snowflake")
SECONDS = 240
"""Longest wait for ids, on any machine: a call may take half of it."""

HOSTS = ("one", "other")

POOLS = {
    "hikari": "com.zaxxer.hikari.HikariDataSource",
    "druid": "com.alibaba.druid.pool.DruidDataSource",
}


class Application(MintingProcess):
    """A program that prints ids without end. Each start has files of its own."""

    patience = SECONDS

    def __init__(self, name: str, command: list[str], folder: Path) -> None:
        self.name, self.command, self.folder = name, command, folder
        self.outputs: list[Path] = []

    def start(self, host: str) -> None:
        """Starts it anew, on a host: one that has state files of its own."""
        command = ["env", f"XDG_STATE_HOME={self.folder / host}", *self.command]
        self.launch(command, self.folder / f"{self.name}-{len(self.outputs)}.err", None)
        self.outputs.append(self.log.with_suffix(".out"))

    def wait_for_more(self) -> None:
        """Waits until it has printed another two batches of both kinds."""
        before, deadline = self.batches(), time.monotonic() + SECONDS
        while min(now - then for now, then in zip(self.batches(), before, strict=True)) < 2:
            self.assert_alive()
            assert time.monotonic() < deadline, f"{self.name} mints no more: {self.batches()}, {self.said()}"
            time.sleep(0.02)

    def batches(self) -> list[int]:
        """Counts what this start has printed of each kind."""
        return [len(batches(self.outputs[-1], kind)) for kind in KINDS]


def batches(output: Path, kind: str) -> list[list[int]]:
    """Returns the ids in an output; a line that a crash cut short is left out."""
    whole = output.read_text(errors="replace").split("\n")[:-1]
    return [[int(word) for word in line.split()[1:]] for line in whole if line.startswith(f"{kind} ")]


def ids(output: Path, kind: str) -> list[int]:
    """Returns the ids in an output, in their order."""
    return [number for batch in batches(output, kind) for number in batch]


@dataclass
class Database:
    """Where all lease, and how an operator ends their sessions."""

    url: str
    jdbc: str
    operator: Any
    listed: str
    ended: str

    def end_sessions(self, share: float, chance: random.Random) -> int:
        """Ends each session with that probability, and returns their number."""
        with closing(self.operator.cursor()) as cursor:
            cursor.execute(self.listed)
            sessions = [row[0] for row in cursor.fetchall() if chance.random() < share]
            return sum(self.end(cursor, session) for session in sessions)

    def end(self, cursor: Any, session: int) -> bool:
        """Ends a session, unless it has ended by itself."""
        try:
            cursor.execute(self.ended.format(session))
        except Exception as error:
            if "Unknown thread id" not in str(error):
                raise
            return False
        return True


@pytest.fixture
def mariadb(database: str, mysql: Any) -> Database:
    """A database of MariaDB."""
    parts = urlsplit(database)
    listed = f"SELECT id FROM information_schema.processlist WHERE db = '{parts.path[1:]}'"
    jdbc = f"jdbc:mariadb://{parts.hostname}:{parts.port or 3306}{parts.path}"
    return Database(database, jdbc, mysql, listed, "KILL CONNECTION {}")


@pytest.fixture
def postgresql(postgres_database: str, postgres_url: str) -> Iterator[Database]:
    """A database of PostgreSQL."""
    parts = urlsplit(postgres_database)
    listed = f"SELECT pid FROM pg_stat_activity WHERE datname = '{parts.path[1:]}'"
    jdbc = f"jdbc:postgresql://{parts.hostname}:{parts.port or 5432}{parts.path}"
    with psycopg.connect(postgres_url, autocommit=True) as operator:
        yield Database(postgres_database, jdbc, operator, listed, "SELECT pg_terminate_backend({})")


def one_of_each(database: Database, folder: Path) -> list[Application]:
    """Returns an application of each kind."""
    commands = {
        name: [sys.executable, str(TOP / f"tests/cross/applications/{name}.py"), database.url]
        for name in ("url_minter", "django_minter")
    }
    commands |= {name: spring(database, pool) for name, pool in POOLS.items()}
    return [Application(name, command, folder) for name, command in commands.items()]


def spring(database: Database, pool: str) -> list[str]:
    """Returns what starts the application of Spring Boot with a pool."""
    target = APPS / "spring_minter/target"
    assert (target / "class-path.txt").exists(), f"{target} has no class path: run `make jars` first"
    path = f"{target / 'classes'}{os.pathsep}{(target / 'class-path.txt').read_text().strip()}"
    account = urlsplit(database.url)
    properties = {
        "spring.datasource.type": pool,
        "spring.datasource.url": database.jdbc,
        "spring.datasource.username": account.username,
        "spring.datasource.password": account.password or "",
        "leafmint.segment.timeout": "120s",
        "leafmint.segment.max-step": "40",
        "leafmint.snowflake.enabled": "true",
        "leafmint.snowflake.timeout": "120s",
        "leafmint.snowflake.workers": "0-4",
        "leafmint.snowflake.lease-duration": "5s",
        "leafmint.snowflake.heartbeat": "1s",
    }
    options = [f"--{name}={value}" for name, value in properties.items()]
    return ["java", *QUICK, "-cp", path, "minter.MinterApplication", *options]


def check_ids(applications: list[Application], kind: str) -> list[list[int]]:
    """Checks that none was printed twice, and returns those of each start that printed some."""
    minted = [ids(output, kind) for application in applications for output in application.outputs]
    minted = [some for some in minted if some]
    check(*minted)
    return minted


@pytest.mark.parametrize("server", ["mariadb", pytest.param("postgresql", marks=pytest.mark.long)])
@pytest.mark.parametrize("rounds", [3, pytest.param(30, marks=pytest.mark.long)])
def test_a_url_django_and_two_pools_mint_no_id_twice_while_processes_and_sessions_are_killed(
    server: str, rounds: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    database: Database = request.getfixturevalue(server)
    assert leafmint("init", "--url", database.url).returncode == 0
    assert leafmint("tags", "create", "order", "--step", "20", "--url", database.url).returncode == 0
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, ended = random.Random(seed), 0
    applications = one_of_each(database, tmp_path)
    for application in applications:
        application.start(chance.choice(HOSTS))
    for application in applications:
        application.wait_for_more()
    for _ in range(rounds):
        victims, survivors = split(applications, chance)
        ended += database.end_sessions(chance.choice((0.3, 1)), chance)
        for victim in victims:
            victim.crash()
        for survivor in survivors:
            survivor.wait_for_more()
        # In another order, so that worker ids change hands.
        for victim in reversed(victims):
            victim.start(chance.choice(HOSTS))
        ended += database.end_sessions(0.5, chance)
        for application in applications if chance.random() < 0.7 else survivors:
            application.wait_for_more()
    ended += database.end_sessions(1, chance)
    for application in applications:
        application.wait_for_more()
    for application in applications:
        application.end()
    for name, pool in POOLS.items():
        [shown] = {line for line in outputs_of(name, applications) if line.startswith("pool ")}
        assert pool.rsplit(".", 1)[1] in shown
    segments, snowflakes = (check_ids(applications, kind) for kind in KINDS)
    owners = [{worker_of(number) for number in some} for some in snowflakes]
    workers = set.union(*owners)
    print(
        f"{sum(map(len, segments)):,} ids of the tag and {sum(map(len, snowflakes)):,} snowflakes, none twice:"
        f" {len(segments)} starts, {len(workers)} worker ids in {sum(map(len, owners))} hands, {ended} sessions ended"
    )
    assert ended > rounds
    assert len(workers) < sum(map(len, owners)), "no worker id had two owners"


def split(applications: list[Application], chance: random.Random) -> tuple[list[Application], list[Application]]:
    """Draws two applications to be killed, and returns them and the others."""
    victims = chance.sample(applications, 2)
    return victims, [application for application in applications if application not in victims]


def outputs_of(name: str, applications: list[Application]) -> list[str]:
    """Returns the lines that all starts of an application have printed."""
    [application] = [application for application in applications if application.name == name]
    return [line for output in application.outputs for line in output.read_text(errors="replace").splitlines()]
