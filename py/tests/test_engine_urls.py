"""The URLs of SQLAlchemy: its own objects, and the spellings of its drivers."""

from pathlib import Path

import leafmint
import pytest
from sqlalchemy import create_engine, make_url


def test_the_url_of_an_engine_is_accepted_as_it_is(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'app.db'}")
    with leafmint.SegmentGenerator(engine.url) as ids:
        assert ids.biz_tag("order").next_id() == 1


@pytest.mark.parametrize("driver", ["mysql+pymysql", "mysql+asyncmy", "mysql", "mariadb+pymysql", "mariadb"])
def test_every_driver_of_mysql_means_the_same_database(mysql_url: str, driver: str) -> None:
    url = make_url(mysql_url).set(drivername=driver).update_query_dict({"charset": "utf8mb4"})
    with leafmint.SegmentGenerator(url, auto_create=True) as ids:
        assert ids.biz_tag("engine_url").next_id() > 0
        assert ids.scope == leafmint.SegmentGenerator(mysql_url).scope


@pytest.mark.parametrize(
    ("driver", "query"),
    [
        ("postgresql", {}),
        ("postgresql+psycopg", {"sslmode": "prefer", "application_name": "shop", "connect_timeout": "10"}),
        ("postgresql+psycopg2", {"target_session_attrs": "read-write", "keepalives": "1"}),
        ("postgresql+asyncpg", {"ssl": "disable", "prepared_statement_cache_size": "0"}),
        ("postgres", {}),
    ],
)
def test_every_driver_of_postgresql_means_the_same_database(
    postgres_url: str, driver: str, query: dict[str, str]
) -> None:
    url = make_url(postgres_url).set(drivername=driver).update_query_dict(query)
    with leafmint.SegmentGenerator(url, auto_create=True) as ids:
        assert ids.biz_tag("engine_url").next_id() > 0
        assert ids.scope == leafmint.SegmentGenerator(postgres_url).scope


@pytest.mark.parametrize("query", [{"options": "-csearch_path=shop"}, {"currentSchema": "shop"}])
def test_the_schema_of_a_driver_is_that_of_the_table(postgres_url: str, query: dict[str, str]) -> None:
    url = make_url(postgres_url).update_query_dict(query)
    with leafmint.SegmentGenerator(url) as ids, leafmint.SegmentGenerator(url, table="other.leaf_alloc") as other:
        assert "shop.leaf_alloc" in ids.scope
        assert "other.leaf_alloc" in other.scope


@pytest.mark.parametrize(
    ("parameter", "instead"),
    [
        ("host=/run/postgresql", "TCP"),
        ("sslcert=a.pem", "password"),
        ("service=shop", "service file"),
        ("target_session_attrs=standby", "writes"),
        ("options=-csearch_path%3Dshop,public", "table=app.leaf_alloc"),
    ],
)
def test_a_parameter_of_libpq_that_cannot_be_obeyed_is_refused_by_name(parameter: str, instead: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=f"{parameter.split('=')[0]}.*{instead}"):
        leafmint.SegmentGenerator(f"postgresql+psycopg://user:secret@localhost/shop?{parameter}")


@pytest.mark.parametrize(
    ("parameter", "instead"),
    [("unix_socket=/run/mysqld.sock", "TCP"), ("ssl_cert=a.pem", "password"), ("read_default_file=my.cnf", "option")],
)
def test_a_parameter_that_cannot_be_obeyed_is_refused_by_name(parameter: str, instead: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=f"{parameter.split('=')[0]}.*{instead}"):
        leafmint.SegmentGenerator(f"mysql+pymysql://user:secret@localhost/shop?{parameter}")


def test_a_misspelt_option_is_still_an_error() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="timout"):
        leafmint.SegmentGenerator("mysql+pymysql://user@localhost/shop?timout=5s")


@pytest.mark.parametrize(
    ("server", "demand"),
    [
        ("mysql_url", {"ssl_verify_cert": "true"}),
        ("postgres_url", {"sslmode": "verify-ca"}),
        ("postgres_url", {"ssl": "true"}),
    ],
)
def test_security_that_a_driver_demands_is_demanded_here(
    request: pytest.FixtureRequest, server: str, demand: dict[str, str]
) -> None:
    url = make_url(request.getfixturevalue(server)).update_query_dict(demand)
    with (
        leafmint.SegmentGenerator(url, timeout=5) as ids,
        pytest.raises(leafmint.LeafmintError, match=r"TLS|certificate|encrypt"),
    ):
        ids.biz_tag("engine_url").next_id()


def test_another_object_is_not_a_url() -> None:
    with pytest.raises(TypeError, match="url must be a str or an SQLAlchemy URL, not int"):
        leafmint.SegmentGenerator(7)  # type: ignore[arg-type]
