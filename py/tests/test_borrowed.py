"""Ids through an engine of SQLAlchemy: over every driver, beside leafmint's own connections to the same table."""

import itertools
import uuid
from pathlib import Path
from typing import Any

import leafmint
import pytest
from engines import DRIVERS, engine_of
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.ext.asyncio import AsyncEngine
from testing import in_threads

SHORT: dict[str, Any] = {"auto_create": True, "default_step": 10, "max_step": 10, "timeout": 60}
"""Options of segments that last for ten ids."""


@pytest.fixture
def tag() -> str:
    return f"py-{uuid.uuid4()}"


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> str:
    driver: str = request.param
    return driver


@pytest.fixture
def server(driver: str, request: pytest.FixtureRequest) -> str:
    """Return leafmint's own URL of the driver's server."""
    url: str = request.getfixturevalue("mysql_url" if driver.startswith("mysql") else "postgres_url")
    return url


@pytest.fixture
def engine(driver: str, server: str) -> Engine | AsyncEngine:
    """Return an engine of each driver."""
    return engine_of(driver, server)


def test_ids_through_an_engine_and_through_a_url_come_from_one_table(engine: Any, server: str, tag: str) -> None:
    with leafmint.SegmentGenerator(engine, **SHORT) as lent, leafmint.SegmentGenerator(server, **SHORT) as native:
        tags = itertools.cycle([lent.tag(tag), native.tag(tag)])
        minted = in_threads(4, lambda: [id for _ in range(10) for id in next(tags).next_ids(10)])
        assert len(set(itertools.chain.from_iterable(minted))) == 400
        assert {known.name for known in lent.list_tags()} >= {tag}
        assert not lent.check().is_new
    assert "password" not in lent.scope
    assert "SQLAlchemy engine" in lent.scope


def test_worker_ids_through_an_engine_and_through_a_url_are_different(
    engine: Any, server: str, tag: str, tmp_path: Path
) -> None:
    options: Any = {"namespace": tag, "state_dir": tmp_path, "timeout": 60, "auto_create": True}
    with (
        leafmint.SnowflakeGenerator(engine, **options) as lent,
        leafmint.SnowflakeGenerator(server, **options) as native,
        leafmint.SnowflakeGenerator(engine, **options) as another,
    ):
        ids = [generator.next_id() for _ in range(100) for generator in (lent, native, another)]
        assert len(set(ids)) == 300
        workers = {lent.worker_id, native.worker_id, another.worker_id}
        assert len(workers) == 3
        assert {worker.worker_id for worker in lent.list_workers()} >= workers


@pytest.mark.parametrize(
    "options", [{"username": "shop"}, {"password": "s3ntinel"}, {"ssl_mode": "required"}, {"ssl_ca": "ca.pem"}]
)
def test_options_of_a_connection_are_the_engines(options: Any) -> None:
    engine = create_engine("mysql+pymysql://root:s3ntinel@127.0.0.1/shop")
    for kind in (leafmint.SegmentGenerator, leafmint.SnowflakeGenerator):
        with pytest.raises(leafmint.InvalidConfigError, match=next(iter(options))) as raised:
            kind(engine, **options)
        assert "s3ntinel" not in str(raised.value)


def test_another_object_is_no_way_to_connect() -> None:
    with pytest.raises(TypeError, match="url must be a str or an SQLAlchemy engine, not int"):
        leafmint.SegmentGenerator(7)  # type: ignore[arg-type]


def test_the_url_of_an_engine_is_refused_in_favour_of_the_engine() -> None:
    url = make_url("mysql+pymysql://shop:s3ntinel@db.example.com/shop?password=s3ntinel")
    for kind in (leafmint.SegmentGenerator, leafmint.SnowflakeGenerator):
        with pytest.raises(leafmint.InvalidConfigError, match=r"db.example.com/shop.*pass the engine itself") as raised:
            kind(url)  # type: ignore[arg-type]
        assert "s3ntinel" not in str(raised.value)
