"""Ids through connections that Django makes: what it says of a database holds for them, and none of its own is used."""

import json
import ssl
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import leafmint
import pytest
from django_projects import PLAIN, Project, empty_database
from leafmint.django.database import address_of, for_leases

DRIVERS = ["PyMySQL", *(["MySQLdb"] if find_spec("MySQLdb") else []), "psycopg", "psycopg2"]

ENTRY: dict[str, Any] = {"NAME": "shop", "HOST": "db", "PORT": "", "USER": "app", "PASSWORD": "s3ntinel", "OPTIONS": {}}


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> str:
    driver: str = request.param
    return driver


@pytest.fixture
def server(driver: str, request: pytest.FixtureRequest) -> str:
    """Return the URL of the driver's server."""
    url: str = request.getfixturevalue("mysql_url" if "my" in driver.lower() else "postgres_url")
    return url


@pytest.fixture
def on_server(project: Project, driver: str, server: str) -> Iterator[Project]:
    """Return a project over each driver, with its tables in an empty database."""
    with empty_database(server) as database:
        ids = {"DATABASE": "default", "OPTIONS": {"default_step": 10, "max_step": 10}}
        project.settings = {"INSTALLED_APPS": PLAIN, "DATABASES": {"default": database}, "LEAFMINT": ids}
        project.settings |= {"ROOT_URLCONF": "", "DRIVER": driver}
        project.manage("migrate", "-v0")
        yield project


def test_the_name_of_a_database_has_what_leads_to_the_tables_and_no_secret() -> None:
    def named(**changes: Any) -> str:
        return address_of("mysql", {**ENTRY, **changes})

    assert named() == "mysql://db/shop"
    assert named(HOST="::1", PORT=3307, NAME="a b?c") == "mysql://::1:3307/a%20b%3Fc"
    options = {"passwd": "s3ntinel", "sslkey": "s3ntinel", "options": "-csearch_path=shop", "service": "shop"}
    assert named(OPTIONS=options, HOST=None) == "mysql:///shop?service=shop&options=-csearch_path%3Dshop"
    places = [{"host": "db2"}, {"unix_socket": "/run/db"}, {"database": "other"}, {"read_default_file": "my.cnf"}]
    assert len({named(OPTIONS=place) for place in places} | {named(HOST="db2")}) == 5


def test_a_connection_for_leases_has_the_options_of_the_application_as_they_are() -> None:
    context, pool = ssl.create_default_context(), {"min_size": 2}
    entry = {**ENTRY, "AUTOCOMMIT": False, "OPTIONS": {"ssl": context, "pool": pool}}
    assert for_leases(entry) == {**ENTRY, "AUTOCOMMIT": True, "OPTIONS": {"ssl": context}}
    assert entry["OPTIONS"] == {"ssl": context, "pool": pool}
    own_class = {**ENTRY, "OPTIONS": {"pool": {"connection_class": object}}}
    assert for_leases(own_class) == own_class | {"AUTOCOMMIT": True}


def test_django_and_a_url_mint_from_one_table(on_server: Project, server: str) -> None:
    name = on_server.settings["DATABASES"]["default"]["NAME"]
    script = """
        import itertools
        from concurrent.futures import ThreadPoolExecutor
        from django.db import connections
        from shop.models import Item

        native = leafmint.SegmentGenerator(URL, timeout=60, max_step=10).tag("shop_item")
        def save(n):
            ids = [Item.objects.create(name=f"{n} {i}").pk for i in range(20)] + native.next_ids(20)
            connections.close_all()
            return ids

        with ThreadPoolExecutor(4) as pool:
            ids = list(itertools.chain.from_iterable(pool.map(save, range(4))))
        flakes = leafmint.SnowflakeGenerator(URL, timeout=60)
        events = [leafmint.snowflake().next_id() for _ in range(50)] + flakes.next_ids(50)
        print(len(ids), len(set(ids)), len(set(events)), leafmint.snowflake_generator().worker_id != flakes.worker_id)
        print("Django's database 'default'" in leafmint.segment_generator().scope)
    """
    url = server.rpartition("/")[0] + f"/{name}"
    assert on_server.run(script.replace("URL", repr(url))) == ["160 160 100 True", "True"]


def test_a_request_in_a_transaction_is_left_alone(on_server: Project) -> None:
    assert on_server.run(
        """
        from django.db import connection, transaction
        from django.test.utils import CaptureQueriesContext
        from shop.models import Item, Order

        def count(execute, sql, *rest):
            seen.append(sql.split()[0])
            return execute(sql, *rest)

        seen = []
        Order.objects.count()
        driver = connection.connection
        try:
            with connection.execute_wrapper(count), CaptureQueriesContext(connection) as queries, transaction.atomic():
                first = Order.objects.create().pk
                Item.objects.bulk_create([Item(name=str(n)) for n in range(30)])
                raise KeyError
        except KeyError:
            pass
        sent = [query["sql"].split()[0] for query in queries]
        print(seen, [word for word in sent if word not in ("BEGIN", "ROLLBACK", "COMMIT")])
        print(connection.connection is driver, connection.get_autocommit(), Order.objects.count(), Item.objects.count())
        print(Order.objects.create().pk > first)
        """
    ) == ["['INSERT', 'INSERT'] ['INSERT', 'INSERT']", "True True 0 0", "True"]


def test_receivers_of_new_connections_get_those_of_leafmint_too(on_server: Project) -> None:
    assert on_server.run(
        """
        import threading
        from django.db import connection
        from django.db.backends.signals import connection_created
        from shop.models import Order

        def prepare(connection, **kwargs):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
                made.append((threading.current_thread() is threading.main_thread(), cursor.fetchone()))

        made = []
        connection_created.connect(prepare)
        Order.objects.create()
        # For the version of a server of MySQL, Django 6.1 connects once more before its first insert.
        print(sorted(set(made)))
        try:
            connection_created.connect(lambda **kwargs: 1 / 0, weak=False)
            leafmint.late_binding.close()
            leafmint.segment_generator().check()
        except leafmint.StoreUnavailableError as error:
            print("ZeroDivisionError" in str(error))
        """
    ) == ["[(False, (1,)), (True, (1,))]", "True"]


def test_a_child_of_a_fork_has_a_connection_of_its_own(on_server: Project) -> None:
    assert on_server.run(
        """
        import os
        from django.db import connections
        from shop.models import Item

        Item.objects.create(name="first")
        connections.close_all()
        reads, writes = os.pipe()
        children = []
        for n in range(2):
            child = os.fork()
            if child == 0:
                rows = Item.objects.bulk_create([Item(name=f"{n} {i}") for i in range(40)])
                os.write(writes, "".join(f"{row.pk}\\n" for row in rows).encode())
                connections.close_all()
                leafmint.late_binding.close()
                os._exit(0)
            children.append(child)
        ids = [Item.objects.create(name=f"parent {i}").pk for i in range(40)]
        print([os.waitpid(child, 0)[1] for child in children])
        os.close(writes)
        ids += map(int, open(reads).read().split())
        print(len(set(ids)), len(Item.objects.bulk_create([Item(name=f"again {i}") for i in range(40)])))
        """
    ) == ["[0, 0]", "120 40"]


def test_the_error_of_the_driver_is_reported(on_server: Project, driver: str) -> None:
    database = on_server.settings["DATABASES"]["default"]
    on_server.settings["DATABASES"] = {"default": {**database, "USER": "nobody", "PASSWORD": "s3ntinel"}}
    [shown] = on_server.run(
        """
        import json
        try:
            leafmint.segment_generator().check()
        except leafmint.LeafmintError as error:
            print(json.dumps([str(error), error.server_code, repr(error.__cause__)]))
        """
    )
    text, code, cause = json.loads(shown)
    # libpq has no code of a log-in that fails.
    assert code == (None if "psycopg" in driver else 1045), shown
    assert "Django's database 'default'" in text
    assert "nobody" in text
    assert "s3ntinel" not in text + cause


def test_the_command_line_reads_through_the_same_connections(on_server: Project, server: str, driver: str) -> None:
    def shown(*command: str) -> Any:
        # Behind the document psycopg warns of a connection that the exit has closed.
        return json.loads(on_server.manage("leafmint", *command, "--json").splitlines()[0])

    name = on_server.settings["DATABASES"]["default"]["NAME"]
    on_server.run("from shop.models import Item; Item.objects.create(name='tea')")
    assert "shop_item" in [tag["name"] for tag in shown("tags", "list")["tags"]]
    assert shown("check", "--snowflake")["ok"]
    assert shown("workers", "list")["workers"] == []
    through = shown("audit")
    native = leafmint.audit(server.rpartition("/")[0] + f"/{name}")
    assert [key["table"] for key in through["keys"]] == [key.table for key in native.keys]
    assert "Django's database 'default'" in through["scope"]
    if "psycopg" not in driver:
        planned = on_server.manage("leafmint", "migrate", "auto-increment", "plan", "--table", "auth_user_groups")
        assert "auth_user_groups" in planned


READ_ONLY = {
    "mysql": {"init_command": "SET SESSION TRANSACTION READ ONLY"},
    "postgresql": {"options": "-c default_transaction_read_only=on"},
}


def test_a_database_that_may_only_be_read_is_refused_by_name(on_server: Project) -> None:
    database = on_server.settings["DATABASES"]["default"]
    options = READ_ONLY[database["ENGINE"].rpartition(".")[2]]
    on_server.settings["DATABASES"] = {"default": database, "replica": {**database, "OPTIONS": options}}
    on_server.settings["LEAFMINT"] = {"DATABASE": "replica", "OPTIONS": {"timeout": 1}}
    [text] = on_server.run(
        """
        for _ in range(60):  # a busy server may not have answered yet
            try:
                leafmint.tag("order").next_id()
            except leafmint.LeafmintError as error:
                text = str(error)
            if "read only" in text.lower().replace("-", " "):
                break
        print(text.replace("\\n", " "))
        """
    )
    assert "Django's database 'replica'" in text
    assert "read only" in text.lower().replace("-", " ")


def test_the_schema_that_options_name_has_the_tags(project: Project, postgres_url: str) -> None:
    with empty_database(postgres_url) as database:
        project.settings = {"INSTALLED_APPS": PLAIN, "DATABASES": {"default": database}, "ROOT_URLCONF": ""}
        project.settings["LEAFMINT"] = {"DATABASE": "default"}
        project.run("from django.db import connection; connection.cursor().execute('CREATE SCHEMA other')")
        database["OPTIONS"] = {"options": "-c search_path=other", "isolation_level": 3}
        project.manage("migrate", "-v0")
        assert project.run(
            """
            from django.db import connection
            from shop.models import Order

            print(Order.objects.create().pk)
            with connection.cursor() as cursor:
                cursor.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'leaf_alloc'")
                print(cursor.fetchall())
                cursor.execute("SELECT max_id FROM other.leaf_alloc WHERE biz_tag = 'order'")
                print(cursor.fetchone())
            """
        ) == ["1", "[('other',)]", "(1001,)"]


POOLED = """
    import threading
    from concurrent.futures import ThreadPoolExecutor
    from django.db import connection, connections, transaction
    from shop.models import Item

    def save(n):
        with transaction.atomic():
            # All connections of the pool are taken before the first id is asked for.
            Item.objects.count()
            if n < 2:
                full.wait()
            pk = Item.objects.create(name=str(n)).pk
        connection.close()
        return pk

    full = threading.Barrier(2)
    with ThreadPoolExecutor(40) as threads:
        print(len(set(threads.map(save, range(40)))))
    connection.close_pool()
"""


def test_a_pool_that_is_empty_at_a_cold_start_is_not_waited_for(project: Project, postgres_url: str) -> None:
    with empty_database(postgres_url) as database:
        project.settings = {"INSTALLED_APPS": PLAIN, "DATABASES": {"default": database}, "ROOT_URLCONF": ""}
        project.settings["LEAFMINT"] = {"DATABASE": "default"}
        project.manage("migrate", "-v0")
        database["OPTIONS"] = {"pool": {"min_size": 1, "max_size": 2, "timeout": 60}}
        assert project.run(POOLED) == ["40"]


def test_a_pool_whose_connections_log_in_their_own_way_is_used(project: Project, postgres_url: str) -> None:
    with empty_database(postgres_url) as database:
        project.settings = {"INSTALLED_APPS": PLAIN, "DATABASES": {"default": database}, "ROOT_URLCONF": ""}
        project.settings["LEAFMINT"] = {
            "DATABASE": "default",
            "OPTIONS": {"default_step": 10, "max_step": 10},
        }
        project.manage("migrate", "-v0")
        assert project.run(
            """
            import psycopg
            from django.db import connection, connections
            from shop.models import Item

            class Token(psycopg.Connection):
                made = 0

                @classmethod
                def connect(cls, *args, **kwargs):
                    cls.made += 1
                    return super().connect(*args, **kwargs)

            pool = {"min_size": 1, "max_size": 2, "connection_class": Token, "timeout": 60}
            connections.settings["default"]["OPTIONS"]["pool"] = pool
            print(len({row.pk for row in Item.objects.bulk_create([Item(name=str(n)) for n in range(50)])}))
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
                print(cursor.fetchone()[0] <= Token.made, Token.made <= 3)
            leafmint.late_binding.close()
            connection.close()
            print(connection.pool.get_stats()["pool_available"] == connection.pool.get_stats()["pool_size"])
            connection.close_pool()
            """
        ) == ["50", "True True", "True"]


def test_a_test_case_without_databases_mints_no_id(on_server: Project) -> None:
    (on_server.folder / "shop/tests.py").write_text(
        "import leafmint\n"
        "from django.test import SimpleTestCase\n\n\n"
        "class Simple(SimpleTestCase):\n"
        "    def test(self):\n"
        "        with self.assertRaisesRegex(leafmint.SegmentUnavailableError, 'not allowed in SimpleTestCase'):\n"
        "            leafmint.tag('order').next_id(timeout=0.2)\n"
    )
    assert "OK" in on_server.manage("test", "--noinput")


def test_another_database_is_refused_before_it_is_connected_to(project: Project) -> None:
    project.settings = {"LEAFMINT": {"DATABASE": "default"}}
    assert project.run(
        """
        from django.core import checks
        from django.db import connections

        connections["default"].vendor = "oracle"
        [wrong] = [error for error in checks.run_checks() if error.id == "leafmint.E004"]
        print(wrong.msg.split(":")[0], "'default', which is oracle" in wrong.msg)
        """
    ) == ["LEAFMINT is wrong True"]
