"""The fixtures that more than one file uses."""

import asyncio
import os
import uuid
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import leafmint
import pytest
import uvloop
from django_projects import Project
from fork_scripts import Arguments

ONE_HOUR_TICKS = "timestamp:20,worker:10,sequence:4,unit:1h"
"""Ticks so long that callers wait once the ids of one are used up."""


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Return the URL of a SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'ids.db'}"


@pytest.fixture
def ids(url: str) -> Iterator[leafmint.SegmentGenerator]:
    """Return an open generator on SQLite."""
    with leafmint.SegmentGenerator(url) as generator:
        yield generator


@pytest.fixture
def order(ids: leafmint.SegmentGenerator) -> leafmint.BizTag:
    """Return a tag of a generator on SQLite."""
    return ids.biz_tag("order")


@pytest.fixture
def mysql_url() -> str:
    """Return the URL of a MySQL or MariaDB database that tests may write to."""
    url = os.environ.get("LEAFMINT_TEST_MYSQL")
    if not url:
        pytest.fail(
            "set LEAFMINT_TEST_MYSQL to the URL of a throwaway database, such as mysql://root@127.0.0.1:3306/leafmint"
        )
    return url


@pytest.fixture
def local(tmp_path: Path) -> str:
    """Return the URL of a directory that does not exist yet."""
    return f"local://{tmp_path / 'workers'}"


@pytest.fixture
def flakes(local: str) -> Iterator[leafmint.SnowflakeGenerator]:
    """Return an open generator of snowflakes on a directory."""
    with leafmint.SnowflakeGenerator(local) as generator:
        yield generator


@pytest.fixture
def used_up(local: str) -> Iterator[leafmint.SnowflakeGenerator]:
    """Return a generator of snowflakes that has no id before the next hour."""
    with leafmint.SnowflakeGenerator(local, layout=ONE_HOUR_TICKS, timeout=20) as generator:
        generator.next_id()
        while generator.try_next_id() is not None:
            pass
        yield generator


@pytest.fixture(params=["sqlite", "mysql", "local", "mysql flakes", "mysql flakes without a disk"])
def arguments(request: pytest.FixtureRequest, tmp_path: Path) -> Arguments:
    """Return the arguments of a script that mints: both modes, each store and holder that processes can share."""
    name = f"fork-{uuid.uuid4()}"
    match request.param:
        case "sqlite":
            return "segments", f"sqlite:///{tmp_path / 'ids.db'}", name
        case "local":
            return "flakes", f"local://{tmp_path / 'workers'}", name
    mysql_url = request.getfixturevalue("mysql_url")
    if request.param == "mysql":
        return "segments", mysql_url, name
    state_dir = tmp_path / "state" if request.param == "mysql flakes" else "none"
    return "flakes", f"{mysql_url}?namespace={name}&state_dir={state_dir}", name


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Callable[[Coroutine[Any, Any, None]], None]:
    """Return what runs a coroutine on a new event loop, of each implementation."""
    runner: Callable[[Coroutine[Any, Any, None]], None] = request.param
    return runner


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a Django project on SQLite with its tables. Copy it."""
    project = Project(tmp_path_factory.mktemp("django") / "project")
    project.migrate()
    return project.folder


@pytest.fixture
def project(tmp_path: Path, migrated: Path) -> Project:
    """Return a Django project on SQLite."""
    return Project(tmp_path / "project", source=migrated)
