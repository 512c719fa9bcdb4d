"""A real PostgreSQL that other clients use too."""

import itertools
import uuid
from collections.abc import Iterator

import leafmint
import psycopg
import pytest
from sqlalchemy import make_url
from testing import in_threads

Database = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    """Return a connection of another client."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def schema(database: Database) -> Iterator[str]:
    """Return the name of an empty schema."""
    name = f"py_{uuid.uuid4().hex[:12]}"
    database.execute(f"CREATE SCHEMA {name}")
    yield name
    database.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture
def account(database: Database, schema: str) -> Iterator[str]:
    """Return the name of an account with the password pw, which may do nothing yet."""
    name = f"account_{schema}"
    database.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'pw'")
    yield name
    database.execute(f"DROP OWNED BY {name}")
    database.execute(f"DROP ROLE {name}")


@pytest.fixture
def tag(postgres_url: str) -> str:
    """Return the name of a new tag; the tables exist."""
    with leafmint.SegmentGenerator(postgres_url) as ids:
        ids.init_schema()
    return f"py-{uuid.uuid4()}"


def max_id(database: Database, tag: str) -> int:
    row = database.execute("SELECT max_id FROM leaf_alloc WHERE biz_tag = %s", (tag,)).fetchone()
    assert row
    return int(str(row[0]))


def test_a_new_row_can_be_used_at_once(postgres_url: str, tag: str, database: Database) -> None:
    with leafmint.SegmentGenerator(postgres_url) as ids:
        with pytest.raises(leafmint.UnknownTagError, match=tag):
            ids.tag(tag).next_id()
        database.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (%s, 2001, 1000)", (tag,))
        assert ids.tag(tag).next_id() == 2001
        assert max_id(database, tag) >= 3001
    assert max_id(database, tag) == 2002


def test_ids_of_two_generators_and_eight_threads_never_repeat(postgres_url: str, tag: str) -> None:
    with leafmint.SegmentGenerator(postgres_url) as one, leafmint.SegmentGenerator(postgres_url) as two:
        one.create_tag(tag, step=10)
        handles = itertools.cycle([one.tag(tag), two.tag(tag)])

        def mint() -> list[int]:
            order = next(handles)
            return [order() for _ in range(2000)] + order.next_ids(500) + list(order.next_range(500))

        drawn = list(itertools.chain.from_iterable(in_threads(8, mint)))
    assert len(set(drawn)) == len(drawn) == 8 * 3000


@pytest.mark.parametrize("name", ["🌱 'quoted' \"tag\" ; --", "ÄÖ", "$1 %s"])
def test_any_text_is_a_tag(postgres_url: str, tag: str, name: str) -> None:
    with leafmint.SegmentGenerator(postgres_url, auto_create=True) as ids:
        assert ids.tag(tag + name).next_id() == 1


def test_a_tag_with_gene_bits_keeps_them(postgres_url: str, tag: str) -> None:
    with leafmint.SegmentGenerator(postgres_url) as ids:
        ids.create_tag(tag, gene_bits=4)
        assert ids.tag(tag, gene_bits=4).next_id(gene=9) & 15 == 9
    with (
        leafmint.SegmentGenerator(postgres_url) as other,
        pytest.raises(leafmint.InvalidConfigError, match="gene_bits=4"),
    ):
        other.tag(tag, gene_bits=5).next_id(gene=9)


def test_the_least_privileges_of_the_page_are_enough(
    postgres_url: str, database: Database, schema: str, account: str
) -> None:
    table = f"{schema}.leaf_alloc"
    with leafmint.SegmentGenerator(postgres_url, table=table) as owner:
        owner.init_schema()
        owner.create_tag("order")
        owner.create_tag("shard", gene_bits=4)
    url = make_url(postgres_url).set(username=account, password="pw").render_as_string(hide_password=False)
    with leafmint.SegmentGenerator(url, table=table) as ids:
        with pytest.raises(leafmint.InvalidConfigError, match=r"42501.*GRANT USAGE"):
            ids.tag("order").next_id()
        database.execute(f"GRANT USAGE ON SCHEMA {schema} TO {account}")
        database.execute(f"GRANT SELECT, UPDATE (max_id, update_time) ON {table} TO {account}")
        database.execute(f"GRANT SELECT ON {schema}.leafmint_gene TO {account}")
        assert ids.tag("order").next_id() == 1
        assert ids.tag("shard", gene_bits=4).next_id(gene=3) & 15 == 3
        assert not ids.check().creates_tags
        with pytest.raises(leafmint.InvalidConfigError, match="42501"):
            ids.create_tag("invoice")
        database.execute(f"GRANT INSERT ON {table}, {schema}.leafmint_gene TO {account}")
        ids.create_tag("invoice", gene_bits=4)
        assert ids.check().creates_tags


def test_generators_that_share_a_database_have_different_worker_ids(postgres_url: str) -> None:
    url = f"{postgres_url}?auto_create=true&namespace=py-{uuid.uuid4()}&workers=3-4&state_files=false"
    with leafmint.SnowflakeGenerator(url) as one, leafmint.SnowflakeGenerator(url) as two:
        drawn = [generator.next_id() for _ in range(1000) for generator in (one, two)]
        assert {one.worker_id, two.worker_id} == {3, 4}
        assert len(set(drawn)) == 2000
        with leafmint.SnowflakeGenerator(url) as three:
            with pytest.raises(leafmint.WorkerIdUnavailableError):
                three.next_id(timeout=3)
            one.close()
            assert three.next_id(timeout=30) > 0


def test_a_wrong_password_is_a_named_error_that_does_not_repeat_it(postgres_url: str) -> None:
    with (
        leafmint.SegmentGenerator(postgres_url, username="no-such-user", password="s3ntinel") as ids,
        pytest.raises(leafmint.InvalidConfigError, match="28P01") as raised,
    ):
        ids.tag("order").next_id(timeout=30)
    assert "s3ntinel" not in str(raised.value)


def test_sessions_that_the_server_ends_are_replaced(
    postgres_url: str, database: Database, schema: str, account: str
) -> None:
    # An account and tables of its own, because other tests use this server at the same time.
    database.execute(f"GRANT USAGE, CREATE ON SCHEMA {schema} TO {account}")
    url = make_url(postgres_url).set(username=account, password="pw").render_as_string(hide_password=False)
    sessions = f"FROM pg_stat_activity WHERE application_name = 'leafmint' AND usename = '{account}'"
    with leafmint.SegmentGenerator(url, table=f"{schema}.leaf_alloc", default_step=10, max_step=10) as ids:
        ids.init_schema()
        ids.create_tag("order")
        order, drawn, ended = ids.tag("order"), [], []
        for _ in range(3):
            drawn += order.next_ids(100, timeout=20)
            ended += database.execute(f"SELECT pg_terminate_backend(pid, 10000) {sessions}").fetchall()
        drawn += order.next_ids(100, timeout=20)
    assert ended, "no session was open"
    assert len(set(drawn)) == len(drawn) == 400
