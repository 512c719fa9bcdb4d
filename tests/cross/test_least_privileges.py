"""The grants that SECURITY.md lists are enough, each for its mode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import leafmint
import pytest
from leafmint.cli import main
from mariadb import MariaDb
from postgresql import ACCOUNT, PASSWORD, PostgreSql
from programs import TOP


def prepare(url: str) -> None:
    """Makes the tables as an operator does, with a tag."""
    with leafmint.SegmentGenerator(url) as ids:
        ids.init_schema()
        ids.create_tag("order", step=100)
    with leafmint.SnowflakeGenerator(url, state_files=False, namespace="operator") as flakes:
        flakes.next_id()


def assert_two_owners_mint(url: str) -> None:
    """Mints with one generator after the other, which gets the worker id of the first."""
    drawn = []
    for _ in range(2):
        with leafmint.SnowflakeGenerator(url, state_files=False) as flakes:
            drawn += flakes.next_ids(1000)
            assert flakes.check().free_workers == 1023
            assert [worker.held for worker in flakes.list_workers() if worker.held] == [True]
    assert len(set(drawn)) == 2000


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDb]:
    """A server whose tables an operator has made, with a tag."""
    with MariaDb() as server:
        prepare(server.url)
        yield server


def account(server: MariaDb, name: str, grants: str) -> str:
    """Makes an account with grants of the page; returns its URL."""
    sql = grants.replace("'app'@'%'", f"'{name}'@'%'").replace("app.", "leafmint.")
    server.sql(f"CREATE USER '{name}'@'%' IDENTIFIED BY 'pw'; {sql}")
    return server.url.replace("root@", f"{name}:pw@")


def page() -> list[str]:
    """The blocks of SQL of the page: for segments, and for worker ids; then both on PostgreSQL; then for an audit."""
    blocks = re.findall(r"```sql\n(.*?)```", (TOP / "SECURITY.md").read_text(), re.DOTALL)
    assert len(blocks) == 6
    return blocks


def test_segments_need_no_more_than_the_page_says(server: MariaDb) -> None:
    url = account(server, "segments", page()[0])
    drawn = []
    for _ in range(2):
        with leafmint.SegmentGenerator(url) as ids:
            drawn += ids.tag("order").next_ids(1000)
            with pytest.raises(leafmint.InvalidConfigError):
                ids.create_tag("invoice")
    assert len(set(drawn)) == 2000


def test_tags_are_created_with_insert_on_both_tables(server: MariaDb) -> None:
    more = "GRANT INSERT ON app.leaf_alloc TO 'app'@'%'; GRANT INSERT ON app.leafmint_gene TO 'app'@'%';"
    url = account(server, "creators", page()[0] + more)
    with leafmint.SegmentGenerator(url, auto_create=True) as ids:
        assert ids.tag("receipt").next_id() == 1
        assert ids.create_tag("parcel", gene_bits=4)
        assert ids.tag("parcel", gene_bits=4).next_id(gene=3) > 0


def test_series_are_minted_with_insert_on_the_tables_of_tags_and_of_series(server: MariaDb) -> None:
    tags, series = (
        "GRANT INSERT ON app.leaf_alloc TO 'app'@'%';",
        "GRANT SELECT, INSERT, UPDATE ON app.leafmint_series TO 'app'@'%';",
    )
    url = account(server, "counters", page()[0] + tags + series)
    for digits, number in (("4", 1), ("5", 2)):
        with leafmint.SegmentGenerator(url) as ids:
            invoices = ids.series("invoice", period="forever", format=f"I{{number:{digits}}}")
            assert invoices.next().number == number
            assert [series.format for series in ids.list_series()] == [f"I{{number:{digits}}}"]
    without = series.replace(", UPDATE", "")
    with leafmint.SegmentGenerator(account(server, "appenders", page()[0] + tags + without)) as ids:
        assert ids.series("invoice", period="forever", format="I{number:6}").next().number == 3
        assert [series.format for series in ids.list_series()] == ["I{number:5}"], "what is shown is older"


def test_tags_are_listed_and_raised_with_the_grants_of_segments_and_changed_with_one_more(server: MariaDb) -> None:
    url = account(server, "operators", page()[0])
    with leafmint.SegmentGenerator(url) as ids:
        tags = {tag.name: tag for tag in ids.list_tags()}
        assert (tags["order"].step, tags["order"].description, tags["order"].gene_bits) == (100, None, 0)
        assert ids.raise_tag_above("order", 1_000_000) > 1_000_000
        with pytest.raises(leafmint.InvalidConfigError, match="denied"):
            ids.set_tag("order", step=200)
    more = "GRANT SELECT, UPDATE (step, description) ON app.leaf_alloc TO 'app'@'%';"
    with leafmint.SegmentGenerator(account(server, "changers", page()[0] + more)) as ids:
        ids.set_tag("order", step=200, description="changed")
        tags = {tag.name: tag for tag in ids.list_tags()}
    assert (tags["order"].step, tags["order"].description) == (200, "changed")


def test_a_check_says_what_an_account_may_not_do(server: MariaDb) -> None:
    with leafmint.SegmentGenerator(account(server, "checkers", page()[0])) as ids:
        assert (ids.check().is_new, ids.check().creates_tags) == (False, False)
    readers = account(server, "readers", "GRANT SELECT ON app.leaf_alloc TO 'app'@'%';")
    with leafmint.SegmentGenerator(readers) as ids, pytest.raises(leafmint.InvalidConfigError, match="UPDATE"):
        ids.check()


def test_worker_ids_are_listed_checked_and_released_with_the_grants_of_the_page(server: MariaDb) -> None:
    url = account(server, "lookers", page()[1])
    with leafmint.SnowflakeGenerator(url, state_files=False, namespace="looked_at") as flakes:
        assert (flakes.check().is_new, flakes.check().free_workers, flakes.list_workers()) == (True, 1024, [])
        flakes.next_id()
        with leafmint.SnowflakeGenerator(url, namespace="looked_at") as looking:
            found = looking.check()
            assert (found.is_new, found.free_workers, looking.worker_id) == (False, 1023, None)
            assert abs(found.clock_skew or timedelta()) < timedelta(seconds=5)
            assert [worker.held for worker in looking.list_workers()] == [True]
            reading = "; ".join(
                f"GRANT SELECT ON app.{table} TO 'app'@'%'"
                for table in ("leafmint_worker", "leafmint_namespace", "leafmint_schema")
            )
            with leafmint.SnowflakeGenerator(account(server, "readonly", reading), namespace="looked_at") as reader:
                assert [worker.held for worker in reader.list_workers()] == [True]
                with pytest.raises(leafmint.InvalidConfigError, match="UPDATE"):
                    reader.check()
            assert looking.release_worker(0, force=True) is True
            assert [worker.held for worker in looking.list_workers()] == [False]


def test_worker_ids_need_no_more_than_the_page_says(server: MariaDb) -> None:
    assert_two_owners_mint(account(server, "workers", page()[1]))


def assert_fills_in(url: str, allowed: str) -> None:
    """Fills past moments in with one account, which another one may not."""
    with leafmint.SnowflakeGenerator(url, state_files=False, namespace="past") as flakes:
        with pytest.raises(leafmint.InvalidConfigError, match="leafmint_backfill"):
            flakes.backfill(1_600_000_000_000)
        assert flakes.next_id() > 0
    with leafmint.SnowflakeGenerator(allowed, state_files=False, namespace="past") as flakes:
        assert len(set(flakes.backfill_array([1_600_000_000_000] * 5000).tolist())) == 5000


def test_past_moments_need_no_more_than_the_page_says(server: MariaDb) -> None:
    more = "GRANT SELECT, INSERT, UPDATE ON app.leafmint_backfill TO 'app'@'%';"
    assert_fills_in(account(server, "living", page()[1]), account(server, "filling", page()[1] + more))


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgreSql]:
    """A PostgreSQL with the tables in a schema `shop`, which an operator has made, with a tag."""
    with PostgreSql() as server:
        server.sql(f"CREATE SCHEMA shop; ALTER ROLE {ACCOUNT} SET search_path = shop")
        prepare(server.url)
        yield server


def role(server: PostgreSql, name: str, grants: str) -> str:
    """Makes an account with grants of the page; returns its URL."""
    made = f"CREATE ROLE {name} LOGIN PASSWORD 'pw'; ALTER ROLE {name} SET search_path = shop; "
    server.sql(made + grants.replace(" TO app;", f" TO {name};"))
    return server.url.replace(f"{ACCOUNT}:{PASSWORD}@", f"{name}:pw@")


def test_segments_of_postgresql_need_no_more_than_the_page_says(postgres: PostgreSql) -> None:
    postgres.sql("UPDATE leaf_alloc SET update_time = '2001-01-01'")
    drawn = []
    for _ in range(2):
        with leafmint.SegmentGenerator(role(postgres, f"segments{len(drawn)}", page()[2])) as ids:
            for _ in range(10):
                drawn += ids.tag("order").next_ids(1000)
            with pytest.raises(leafmint.InvalidConfigError):
                ids.create_tag("invoice")
    assert len(set(drawn)) == 20_000
    assert postgres.sql("SELECT update_time > '2020-01-01' FROM leaf_alloc") == "t\n"


def test_worker_ids_of_postgresql_need_no_more_than_the_page_says(postgres: PostgreSql) -> None:
    assert_two_owners_mint(role(postgres, "workers", page()[3]))


def test_an_audit_of_mariadb_needs_no_more_than_the_page_says(server: MariaDb) -> None:
    server.sql(
        "USE leafmint; CREATE SEQUENCE bills_seq;"
        " CREATE TABLE bills (id BIGINT PRIMARY KEY DEFAULT NEXTVAL(bills_seq)); INSERT INTO bills VALUES (7);"
        " CREATE TABLE parcels (id INT AUTO_INCREMENT PRIMARY KEY); INSERT INTO parcels VALUES (2000000000);"
        " INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('parcels', 1, 1)"
    )
    report = leafmint.audit(account(server, "auditors", page()[4]))
    assert (found(report), report.unread) == (FAULTS, ())
    one = account(server, "narrow_auditors", "GRANT SELECT ON app.bills TO 'app'@'%';")
    report = leafmint.audit(one)
    assert (report.findings, report.unread) == ((), ("leafmint.bills_seq",))


FAULTS = [("runs_out", "parcels"), ("counter_behind", "bills"), ("tag_behind", "parcels")]


def found(report: leafmint.AuditReport) -> list[tuple[str, str]]:
    """The kinds of the findings, and their tables without the schema."""
    return [(it.kind, it.table.removeprefix("shop.")) for it in report.findings]


def test_an_audit_of_postgresql_needs_no_more_than_the_page_says(postgres: PostgreSql) -> None:
    postgres.sql(
        "CREATE TABLE shop.bills (id SERIAL PRIMARY KEY); INSERT INTO shop.bills VALUES (7);"
        " CREATE TABLE shop.parcels (id INT PRIMARY KEY); INSERT INTO shop.parcels VALUES (2000000000);"
        " INSERT INTO shop.leaf_alloc (biz_tag, max_id, step) VALUES ('shop.parcels', 1, 1)"
    )
    whole = page()[5]
    report = leafmint.audit(role(postgres, "auditors", whole))
    assert (found(report), report.unread) == (FAULTS, ())
    without_sequences = "".join(line for line in whole.splitlines(keepends=True) if "SEQUENCES" not in line)
    report = leafmint.audit(role(postgres, "narrow_auditors", without_sequences))
    assert (found(report), report.unread) == ([FAULTS[0], FAULTS[2]], ("shop.bills_id_seq",))
    report = leafmint.audit(role(postgres, "readers_of_all", "GRANT pg_read_all_data TO app;"))
    assert (found(report), report.unread) == (FAULTS, ())


def test_the_command_lists_the_tags_of_an_account_that_may_not_read_the_series(
    server: MariaDb, postgres: PostgreSql, capsys: pytest.CaptureFixture[str]
) -> None:
    for url in (account(server, "listers", page()[0]), role(postgres, "listers", page()[2])):
        assert main(["tags", "list", "--url", url]) == 0
        assert "\norder " in capsys.readouterr().out
        assert main(["series", "list", "--url", url]) == 2
        assert "leafmint_series" in capsys.readouterr().err


def more(schema: str, to: str) -> str:
    """Returns the grants for tags that are created and for series."""
    tables = {"leaf_alloc": "INSERT", "leafmint_gene": "INSERT", "leafmint_series": "SELECT, INSERT, UPDATE"}
    return "".join(f"GRANT {rights} ON {schema}.{table} TO {to};" for table, rights in tables.items())


def assert_commands_run(url: str, commands: list[str], captured: pytest.CaptureFixture[str]) -> None:
    """Runs commands that must succeed."""
    for command in commands:
        code = main([*command.split(), "--url", url])
        assert (code, command, captured.readouterr().err) == (0, command, "")


READING = ["tags list", "check --tag order", "status", "tags raise order --above-id 5"]
RECOVERING = ["tags recover order --reported 9 --yes", "tags recover order --reported 9"]


def test_every_command_that_the_page_names_runs_with_its_grants(
    server: MariaDb, postgres: PostgreSql, capsys: pytest.CaptureFixture[str]
) -> None:
    of_series = ["series list", "check --series", "tags recover lost --reported 9 --yes", "tags create new"]
    for admin, of_segments, of_workers, open_as, grants in (
        (server, page()[0], page()[1], account, more("app", "'app'@'%'")),
        (postgres, page()[2], page()[3], role, more("shop", "app")),
    ):
        with leafmint.SegmentGenerator(admin.url) as ids:
            ids.series("invoice", period="forever").next()
        assert_commands_run(open_as(admin, "typing", of_segments), [*READING, *RECOVERING], capsys)
        url = open_as(admin, "typing_more", of_segments + grants)
        assert_commands_run(url, [*READING, *RECOVERING, *of_series], capsys)
        releasing = ["workers list", "workers release 0", "workers release 0 --force"]
        assert_commands_run(open_as(admin, "releasing", of_workers), releasing, capsys)
        both = open_as(admin, "looking", of_segments + of_workers.replace("GRANT USAGE ON SCHEMA shop TO app;", ""))
        assert_commands_run(both, ["status --snowflake", "check --snowflake"], capsys)


def test_past_moments_of_postgresql_need_no_more_than_the_page_says(postgres: PostgreSql) -> None:
    more = "GRANT SELECT, INSERT, UPDATE ON shop.leafmint_backfill TO app;"
    assert_fills_in(role(postgres, "living", page()[3]), role(postgres, "filling", page()[3] + more))
