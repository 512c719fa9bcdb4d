"""URLs that are SQLAlchemy's, or a platform's."""

import leafmint
import pytest


@pytest.mark.parametrize("driver", ["mysql+pymysql", "postgresql+psycopg_async", "sqlite+aiosqlite"])
def test_the_url_of_a_driver_is_refused_with_the_engine_to_pass(driver: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=r"pass the engine, as in SegmentGenerator\(engine\)"):
        leafmint.SegmentGenerator(f"{driver}://user:secret@localhost/shop")


@pytest.mark.parametrize(
    ("server", "scheme", "query"),
    [
        ("mysql_url", "mysql2", {"ssl-mode": "PREFERRED", "reconnect": "true"}),
        ("postgres_url", "postgis", {"sslmode": "prefer", "pgbouncer": "true", "connection_limit": "1"}),
        ("postgres_url", "postgres", {"application_name": "shop"}),
    ],
)
def test_what_a_platform_prints_means_the_same_database(
    request: pytest.FixtureRequest, server: str, scheme: str, query: dict[str, str]
) -> None:
    native = request.getfixturevalue(server)
    printed = native.replace(native.split(":")[0], scheme, 1) + "?" + "&".join(f"{k}={v}" for k, v in query.items())
    with leafmint.SegmentGenerator(printed, auto_create=True) as ids, leafmint.SegmentGenerator(native) as same:
        assert ids.tag("engine_url").next_id() > 0
        assert ids.scope == same.scope


def test_the_schema_that_a_platform_prints_is_that_of_the_table(postgres_url: str) -> None:
    url = f"{postgres_url}?schema=shop"
    with leafmint.SegmentGenerator(url) as ids, leafmint.SegmentGenerator(url, table="other.leaf_alloc") as other:
        assert "shop.leaf_alloc" in ids.scope
        assert "other.leaf_alloc" in other.scope


@pytest.mark.parametrize("parameter", ["unix_socket=/run/mysqld.sock", "ssl_cert=a.pem", "timout=5s", "useSSL=true"])
def test_what_a_driver_is_told_is_refused_with_whom_to_tell(parameter: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=f"{parameter.split('=')[0]}.*pass the engine or data source"):
        leafmint.SegmentGenerator(f"mysql://user:secret@localhost/shop?{parameter}")


@pytest.mark.parametrize(
    ("server", "demand"), [("mysql_url", "sslaccept=strict"), ("postgres_url", "sslmode=verify-ca")]
)
def test_security_that_a_platform_demands_is_demanded_here(
    request: pytest.FixtureRequest, server: str, demand: str
) -> None:
    url = f"{request.getfixturevalue(server)}?{demand}"
    with leafmint.SegmentGenerator(url) as ids, pytest.raises(leafmint.LeafmintError, match="TLS"):
        ids.tag("order").next_id(timeout=5)
