"""Columns that are filled in with snowflakes of the past: by Alembic's operation and by Django's command."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import leafmint
import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from django_projects import NUMBERED, Project
from leafmint.alembic import Filled, backfill
from leafmint.errors import InvalidArgumentError
from sqlalchemy import BigInteger, Column, DateTime, MetaData, String, Table, create_engine, select, update
from sqlalchemy.engine import Connection

BEGAN = datetime(2020, 1, 1)
ROWS = 2_000

MODELS = """
from django.db import models


class Quiet(models.Manager):
    def get_queryset(self):
        return super().get_queryset().exclude(name="hidden")


class Order(models.Model):
    name = models.CharField(max_length=20)
    created_at = models.DateTimeField(null=True)
    number = models.BigIntegerField(null=True)
    narrow = models.IntegerField(null=True)
    objects = Quiet()
"""


def orders() -> Table:
    return Table(
        "orders_to_fill",
        MetaData(),
        Column("id", BigInteger, primary_key=True, autoincrement=False),
        Column("name", String(20)),
        Column("created_at", DateTime),
        Column("number", BigInteger),
    )


@pytest.fixture
def connection(application_url: str) -> Iterator[Connection]:
    """Return a connection with the databases' table of orders, every tenth without a moment."""
    engine, table = create_engine(application_url), orders()
    table.create(engine)
    # Ten rows a second, so that moments come again.
    moments = [None if row % 10 == 9 else BEGAN + timedelta(seconds=row // 10 * 7) for row in range(ROWS)]
    with engine.connect() as connection:
        connection.execute(table.insert(), [{"id": 3 * row, "created_at": at} for row, at in enumerate(moments)])
        connection.commit()
        yield connection
        connection.rollback()
        table.drop(connection)
        connection.commit()
    engine.dispose()


def filled(connection: Connection) -> list[Any]:
    table = orders()
    return list(connection.execute(select(table.c.created_at, table.c.number).order_by(table.c.id)))


def test_a_column_is_filled_in_with_ids_of_its_moments_and_again_without_a_change(
    connection: Connection, flakes: leafmint.SnowflakeGenerator
) -> None:
    op = Operations(MigrationContext.configure(connection))
    fill: dict[str, Any] = {"at": "created_at", "time_zone": "UTC", "flakes": flakes}
    assert backfill(op, "orders_to_fill", "number", batch=700, **fill) == Filled(
        filled=ROWS * 9 // 10, without_moment=ROWS // 10, taken=0
    )
    rows = filled(connection)
    assert all((at is None) == (number is None) for at, number in rows)
    numbers = [number for _, number in rows if number is not None]
    assert len(set(numbers)) == len(numbers)
    for at, number in rows:
        if number is not None:
            assert flakes.decode(number).timestamp == at.replace(tzinfo=timezone.utc)
    assert backfill(op, "orders_to_fill", "number", **fill) == Filled(filled=0, without_moment=ROWS // 10, taken=0)
    assert filled(connection) == rows


def test_a_fill_that_was_interrupted_goes_on_where_it_was(
    connection: Connection, flakes: leafmint.SnowflakeGenerator
) -> None:
    table, op = orders(), Operations(MigrationContext.configure(connection))
    # The rest, without which the process was killed.
    connection.execute(update(table).where(table.c.id >= 3 * 1_500).values(number=0))
    fill: dict[str, Any] = {"at": "created_at", "time_zone": "Europe/Madrid", "batch": 500, "flakes": flakes}
    assert backfill(op, "orders_to_fill", "number", **fill) == Filled(filled=1_350, without_moment=150, taken=0)
    before = [number for _, number in filled(connection) if number]
    connection.execute(update(table).where(table.c.number == 0).values(number=None))
    assert backfill(op, "orders_to_fill", "number", **fill) == Filled(filled=450, without_moment=200, taken=0)
    after = [number for _, number in filled(connection) if number is not None]
    assert after[:1_350] == before
    assert len(set(after)) == 1_800
    assert flakes.decode(after[0]).timestamp == datetime(2019, 12, 31, 23, tzinfo=timezone.utc)


def test_rows_whose_moment_can_have_no_id_stay_without_one_and_are_named(
    connection: Connection, flakes: leafmint.SnowflakeGenerator
) -> None:
    table, op = orders(), Operations(MigrationContext.configure(connection))
    moments = {300: datetime(2009, 5, 1), 301: datetime(2999, 1, 1), 1_800: datetime(1001, 1, 1)}
    for row, at in moments.items():
        connection.execute(update(table).where(table.c.id == 3 * row).values(created_at=at))
    fill: dict[str, Any] = {"at": "created_at", "time_zone": "UTC", "batch": 500, "flakes": flakes}
    with pytest.warns(UserWarning, match=r"orders_to_fill.number: 3 rows stay without an id, .*row 5400: at="):
        done = backfill(op, "orders_to_fill", "number", **fill)
    assert (done.filled, done.without_moment, done.taken, done.outside) == (1_797, 200, 0, 3)
    assert [key for key, _ in done.outside_rows] == [900, 903, 5_400]
    assert all("is not a past moment" in why for _, why in done.outside_rows)
    rows = filled(connection)
    assert all((number is None) == (at is None or at in moments.values()) for at, number in rows)


def test_a_moment_without_a_zone_is_refused_unless_the_zone_is_named(
    connection: Connection, flakes: leafmint.SnowflakeGenerator
) -> None:
    op = Operations(MigrationContext.configure(connection))
    with pytest.raises(InvalidArgumentError, match="the moment 2020-01-01 00:00:00 of the row 0 has no time zone"):
        backfill(op, "orders_to_fill", "number", at="created_at", flakes=flakes)
    with pytest.raises(InvalidArgumentError, match="'Mars' is no time zone"):
        backfill(op, "orders_to_fill", "number", at="created_at", time_zone="Mars", flakes=flakes)


KEYS = """
CREATE TABLE keys (
    tenant INTEGER NOT NULL, id INTEGER NOT NULL, rounded DOUBLE NOT NULL UNIQUE,
    code VARCHAR(9) NOT NULL UNIQUE, maybe INTEGER UNIQUE, at BIGINT,
    number BIGINT, narrow FLOAT, PRIMARY KEY (tenant, id)
)
"""


@pytest.fixture
def keys(tmp_path: Path) -> Iterator[Operations]:
    """Return operations on a table whose rows have several keys, three of which are no key."""
    with create_engine(f"sqlite:///{tmp_path / 'keys.db'}").connect() as connection:
        connection.exec_driver_sql(KEYS)
        connection.exec_driver_sql("CREATE UNIQUE INDEX of_some ON keys (id) WHERE tenant = 1")
        for row in range(6):
            values = f"{row % 2}, {row // 2}, {row / 3}, {row}, NULL, 1577836800000, NULL, NULL"
            connection.exec_driver_sql(f"INSERT INTO keys VALUES ({values})")
        yield Operations(MigrationContext.configure(connection))


@pytest.mark.parametrize("key", ["id", "tenant", "at", "maybe"])
def test_a_key_that_several_rows_may_share_or_lack_is_refused(
    keys: Operations, flakes: leafmint.SnowflakeGenerator, key: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=f"key='{key}' of keys is not unique, or may be NULL"):
        backfill(keys, "keys", "number", at="at", key=key, flakes=flakes)


def test_each_row_of_a_unique_key_gets_an_id_of_its_own(keys: Operations, flakes: leafmint.SnowflakeGenerator) -> None:
    assert backfill(keys, "keys", "number", at="at", key="code", batch=2, flakes=flakes) == Filled(
        filled=6, without_moment=0, taken=0
    )
    numbers = keys.get_bind().exec_driver_sql("SELECT DISTINCT number FROM keys").all()
    assert len(numbers) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"column": "narrow"}, "narrow of keys is FLOAT: ids need a BIGINT"),
        ({"key": "rounded"}, "key='rounded' of keys is DOUBLE: name an exact column"),
        ({"column": "numbers"}, "keys has no column 'numbers'"),
        ({"batch": 0}, "batch=0"),
        ({"batch": -1}, "batch=-1"),
    ],
)
def test_a_fill_that_cannot_be_right_is_refused(
    keys: Operations, flakes: leafmint.SnowflakeGenerator, arguments: dict[str, Any], message: str
) -> None:
    fill: dict[str, Any] = {"column": "number", "at": "at", "key": "code", "flakes": flakes}
    with pytest.raises(InvalidArgumentError, match=message):
        backfill(keys, "keys", **(fill | arguments))


def test_a_row_without_a_key_is_refused(tmp_path: Path, flakes: leafmint.SnowflakeGenerator) -> None:
    with create_engine(f"sqlite:///{tmp_path / 'keys.db'}").connect() as connection:
        connection.exec_driver_sql("CREATE TABLE keys (code TEXT PRIMARY KEY, at BIGINT, number BIGINT)")
        connection.exec_driver_sql("INSERT INTO keys VALUES (NULL, 1577836800000, NULL)")
        op = Operations(MigrationContext.configure(connection))
        with pytest.raises(InvalidArgumentError, match="a row has no key"):
            backfill(op, "keys", "number", at="at", flakes=flakes)


def test_a_fill_is_not_written_to_a_file() -> None:
    offline = MigrationContext.configure(dialect_name="postgresql", opts={"as_sql": True})
    with pytest.raises(InvalidArgumentError, match="--sql"):
        backfill(Operations(offline), "orders", "number", at="created_at")


@pytest.fixture
def shop(tmp_path: Path) -> Project:
    """Return a project of Django with a table of orders."""
    settings = {
        "INSTALLED_APPS": [*NUMBERED[:-1], "orders"],
        "LEAFMINT": {"URL": "sqlite:///ids.sqlite3", "SNOWFLAKE_URL": "local:workers"},
        "USE_TZ": True,
    }
    project = Project(tmp_path / "project", settings)
    (project.folder / "orders/migrations").mkdir(parents=True)
    for name, source in {"migrations/__init__": "", "__init__": "", "models": MODELS}.items():
        (project.folder / f"orders/{name}.py").write_text(source)
    project.migrate("shop", "orders")
    return project


def test_a_command_of_django_fills_a_field_in(shop: Project) -> None:
    shop.run(
        """
        from datetime import datetime, timedelta, timezone
        from orders.models import Order

        at = datetime(2020, 1, 1, tzinfo=timezone.utc)
        rows = [Order(name="hidden" if n == 1 else "", created_at=at + timedelta(hours=n // 2)) for n in range(900)]
        Order.objects.bulk_create([*rows, Order(), Order(created_at=at, number=7)])
        """
    )
    command = ("leafmint_backfill", "orders.Order", "number", "--at", "created_at", "--batch", "200")
    assert shop.manage(*command).splitlines() == [
        "orders.Order.number: 900 rows were filled in",
        "1 rows have no created_at and stay without an id",
    ]
    assert "0 rows were filled in" in shop.manage(*command)
    assert shop.run(
        """
        from orders.models import Order

        rows = Order._base_manager.exclude(number=7).exclude(number=None)
        print(len({row.number for row in rows}), leafmint.snowflake_generator().list_workers()[-1].endpoint)
        print(all(leafmint.Layout("leaf").decode(row.number).timestamp == row.created_at for row in rows))
        """
    ) == ["900 backfill", "True"]
    no_moment = shop.process("manage.py", "leafmint_backfill", "orders.Order", "number", "--at", "name")
    assert no_moment.stderr.startswith("CommandError: row 901: at must be an aware datetime")


def test_the_command_names_rows_whose_moment_can_have_no_id_and_fills_in_the_others(shop: Project) -> None:
    shop.run(
        """
        from datetime import datetime, timedelta, timezone
        from orders.models import Order

        at = datetime(2020, 1, 1, tzinfo=timezone.utc)
        rows = [Order(pk=n, created_at=at.replace(year=2009) if n % 100 == 7 else at) for n in range(1, 1501)]
        Order.objects.bulk_create(rows)
        """
    )
    command = ("leafmint_backfill", "orders.Order", "number", "--at", "created_at", "--batch", "200")
    run = shop.process("manage.py", *command)
    assert run.returncode == 1
    assert run.stdout.splitlines() == ["orders.Order.number: 1,485 rows were filled in"]
    assert "15 rows stay without an id, as their moments can have none: row 7: at=" in run.stderr
    assert "row 907: at=" in run.stderr
    assert "row 1007" not in run.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("orders.Order", "narrow", "--at", "created_at"), "Order.narrow must be a BigIntegerField with null=True"),
        (("orders.Order", "number", "--at", "made"), "Order has no field named 'made'"),
        (("orders.Order", "number", "--at", "created_at", "--batch", "0"), "batch=0"),
        (("orders.Orders", "number", "--at", "created_at"), "doesn't have a 'Orders' model"),
        (("orders.Order", "number", "--at", "created_at", "--time-zone", "Mars"), "'Mars' is no time zone"),
    ],
)
def test_the_command_names_what_is_wrong(shop: Project, arguments: tuple[str, ...], message: str) -> None:
    run = shop.process("manage.py", "leafmint_backfill", *arguments)
    assert run.returncode == 1
    assert message in run.stderr
