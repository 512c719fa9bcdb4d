"""Inserts of rows with minted keys through psycopg: several rows a statement, in one round trip."""

import asyncio
import enum
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

import leafmint
import psycopg
import pytest
from leafmint.sqlalchemy import IdDefault, id_column
from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    Column,
    Engine,
    Integer,
    MetaData,
    Numeric,
    String,
    Table,
    event,
    func,
    insert,
    select,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.types import DateTime, Enum, Uuid


class Size(enum.Enum):
    """An enumeration of the database."""

    SMALL = 1
    LARGE = 2


class Base(DeclarativeBase):
    """The base of the models."""


class Parcel(Base):
    """A row with values of many types."""

    __tablename__ = "batched parcels (100%)"
    id: Mapped[int] = id_column("batched_parcel")
    weight: Mapped[int | None] = mapped_column(Integer)
    price: Mapped[Decimal | None] = mapped_column(Numeric(10, 2))
    size: Mapped[Size | None] = mapped_column(Enum(Size))
    note: Mapped[str | None] = mapped_column(String(60))
    sent: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    codes: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))
    detail: Mapped[Any | None] = mapped_column(JSON)
    key: Mapped[uuid.UUID | None] = mapped_column(Uuid)


PLAIN = MetaData()
ITEMS = Table(
    "batched_items",
    PLAIN,
    Column("id", BigInteger, primary_key=True, autoincrement=False, default=IdDefault("batched_item")),
    Column("amount", Integer),
    Column("doubled", Integer, default=lambda context: context.get_current_parameters()["amount"] * 2),
)
FOREIGN = Table("batched_foreign", PLAIN, Column("id", Integer, primary_key=True), Column("amount", Integer))
VALUES = [5, 70_000, None, -1, 2**31 - 1]


@pytest.fixture
def engine(own_schema: Engine, postgres_url: str) -> Iterator[Engine]:
    """Return an engine with empty tables, and tags on its database."""
    for tables in (Base.metadata, PLAIN):
        tables.create_all(own_schema)
    leafmint.configure(postgres_url, options={"auto_create": True})
    yield own_schema
    leafmint.late_binding._replace(leafmint.late_binding.Binding())


class Sent:
    """What an engine sends by `executemany`, as numbers of rows that the driver sees."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *cursors: type) -> None:
        self.statements: list[str] = []
        for name in ("execute", "executemany"):
            for cursor in cursors:
                monkeypatch.setattr(cursor, name, self._recorded(getattr(cursor, name)))

    def _recorded(self, method: Any) -> Any:
        def record(cursor: Any, query: str, *arguments: Any, **options: Any) -> Any:
            self.statements += [query] * (len(arguments[0]) if method.__name__ == "executemany" else 1)
            return method(cursor, query, *arguments, **options)

        return record

    @property
    def inserts(self) -> int:
        """The number of INSERTs that were sent."""
        return sum(statement.startswith("INSERT") for statement in self.statements)


def parcel(number: int) -> Parcel:
    """Return a row with nulls where they have the type of other values."""
    return Parcel(
        weight=VALUES[number % 5],
        price=Decimal(number) / 4,
        size=None if number % 7 == 0 else Size(number % 2 + 1),
        note="100% (%s) VALUES" * (number % 2),
        sent=datetime(2026, 11, 26, tzinfo=timezone.utc),
        codes=None,
        detail={"n": number},
        key=uuid.UUID(int=number),
    )


@pytest.mark.parametrize("count", [2, 5, 6, 1003])
def test_rows_of_any_types_arrive_as_they_were_in_a_fraction_of_the_statements(
    engine: Engine, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Session(engine, expire_on_commit=False) as session:
        parcels = [parcel(number) for number in range(count)]
        session.add_all(parcels)
        session.connection()
        sent = Sent(monkeypatch, psycopg.Cursor)
        session.commit()
        assert sent.inserts == -(-count // 5)
        expected = [{**vars(each)} for each in parcels]
    with Session(engine) as session:
        found = session.scalars(select(Parcel).order_by(Parcel.id)).all()
        for each in [*expected, *map(vars, found)]:
            each.pop("_sa_instance_state")
        assert [vars(each) for each in found] == expected


@pytest.mark.parametrize("change", [{"price": None}, {"price": 7}, {"sent": None}, {"codes": [1]}])
def test_rows_that_would_have_many_prepared_statements_are_sent_as_before(
    engine: Engine, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Session(engine, expire_on_commit=False) as session:
        parcels = [parcel(number) for number in range(20)]
        for name, value in change.items():
            setattr(parcels[7], name, value)
        session.add_all(parcels)
        session.connection()
        sent = Sent(monkeypatch, psycopg.Cursor)
        session.commit()
        assert sent.inserts == 20


def test_core_rows_with_functions_of_the_row_keep_their_order(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(insert(ITEMS), [{"amount": number} for number in range(100)])
        rows = connection.execute(select(ITEMS).order_by(ITEMS.c.id)).all()
    first = rows[0].id
    assert rows == [(first + number, number, number * 2) for number in range(100)]


@pytest.mark.parametrize("count", [2, 16, 48, 100])
def test_a_preserved_rowcount_is_that_of_all_rows(engine: Engine, count: int) -> None:
    with engine.begin() as connection:
        counting = connection.execution_options(preserve_rowcount=True)
        assert counting.execute(insert(ITEMS), [{"amount": number} for number in range(count)]).rowcount == count


@pytest.mark.parametrize("count", [2, 40, 48])
def test_a_listener_of_the_application_reads_the_rowcount_of_all_rows_and_a_result_has_none(
    engine: Engine, count: int
) -> None:
    counts: list[int] = []

    @event.listens_for(engine, "after_cursor_execute")
    def read(_: Any, cursor: Any, statement: str, *__: Any) -> None:
        if statement.startswith("INSERT"):
            counts.append(cursor.rowcount)

    with engine.begin() as connection:
        result = connection.execute(insert(ITEMS), [{"amount": number} for number in range(count)])
        assert (counts, result.rowcount) == ([count], -1)


def test_other_tables_and_other_statements_are_sent_as_before(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"amount": number} for number in range(40)]
    with engine.begin() as connection:
        connection.execute(insert(ITEMS), rows)
        sent = Sent(monkeypatch, psycopg.Cursor)
        connection.execute(insert(FOREIGN), rows)
        assert sent.inserts == 40
        connection.execute(upsert(ITEMS).on_conflict_do_nothing(), rows)
        assert sent.inserts == 80
        connection.execute(insert(ITEMS).values(amount=func.abs(-1)), [{"doubled": 1}] * 40)
        assert sent.inserts == 120
        connection.exec_driver_sql("INSERT INTO batched_foreign VALUES (%s, %s)", [(500, 1), (501, 2)])
        assert sent.inserts == 122


@pytest.mark.parametrize("at", [0, 15, 16, 39])
def test_a_row_that_fails_raises_as_it_would_alone_and_the_connection_goes_on(engine: Engine, at: int) -> None:
    with engine.connect() as connection:
        connection.execute(insert(ITEMS), {"id": -1, "amount": 0})
        connection.commit()
        with pytest.raises(IntegrityError) as caught:
            connection.execute(
                insert(ITEMS), [{"id": -1 if number == at else 10**6 + number, "amount": 1} for number in range(40)]
            )
        assert isinstance(caught.value.orig, psycopg.errors.UniqueViolation)
        connection.rollback()
        assert connection.scalar(select(func.count()).select_from(ITEMS)) == 1


def test_a_statement_that_a_listener_of_the_application_changed_is_sent_as_it_is(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    @event.listens_for(engine, "before_cursor_execute", retval=True)
    def comment(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> tuple[str, Any]:
        return statement + " /* shop */", parameters

    with engine.begin() as connection:
        connection.execute(insert(ITEMS), {"amount": 1})
        sent = Sent(monkeypatch, psycopg.Cursor)
        connection.execute(insert(ITEMS), [{"amount": 1}] * 20)
        assert sent.inserts == 20
        assert all(statement.endswith("/* shop */") for statement in sent.statements)


@pytest.mark.parametrize("target", [Engine, None])
def test_a_listener_of_the_application_that_sends_many_rows_itself_is_asked(
    engine: Engine, target: type[Engine] | None
) -> None:
    counts: list[int] = []

    def count(_: Any, __: Any, rows: Any, ___: Any) -> None:
        counts.append(len(rows))

    event.listen(target or engine, "do_executemany", count)
    try:
        with engine.begin() as connection:
            connection.execute(insert(ITEMS), [{"amount": 1}] * 20)
    finally:
        event.remove(target or engine, "do_executemany", count)
    assert counts == [20]


def test_a_pipeline_of_the_application_has_a_statement_for_each_row(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with engine.begin() as connection:
        connection.execute(insert(ITEMS), {"amount": 1})
        sent = Sent(monkeypatch, psycopg.Cursor)
        with connection.connection.driver_connection.pipeline():  # type: ignore[union-attr]
            connection.execute(insert(ITEMS), [{"amount": 1}] * 40)
        assert sent.inserts == 40


@pytest.mark.parametrize("count", [3, 23, 40])
def test_an_async_session_sends_as_few(engine: Engine, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def add() -> int:
        asynchronous = create_async_engine(engine.url)
        async with AsyncSession(asynchronous) as session:
            await session.connection()
            sent = Sent(monkeypatch, psycopg.AsyncCursor)
            session.add_all([parcel(number) for number in range(count)])
            await session.commit()
        await asynchronous.dispose()
        return sent.inserts

    assert asyncio.run(add()) == -(-count // 5)
    with Session(engine) as session:
        assert session.scalar(select(func.count()).select_from(Parcel)) == count


def test_a_row_that_fails_raises_also_while_the_application_handles_another_error(engine: Engine) -> None:
    def add(session: Session) -> None:
        try:
            raise LookupError("of the application")
        except LookupError:
            session.connection().execute(insert(ITEMS), [{"id": number % 39, "amount": 1} for number in range(40)])

    async def add_in_a_loop() -> None:
        asynchronous = create_async_engine(engine.url)
        async with AsyncSession(asynchronous) as session:
            with pytest.raises(IntegrityError):
                await session.run_sync(add)
        await asynchronous.dispose()

    asyncio.run(add_in_a_loop())


def test_ints_of_any_size_share_one_prepared_statement(engine: Engine) -> None:
    with engine.begin() as connection:
        rows = [{"amount": (number * 40_503) % 70_000} for number in range(1600)]
        connection.execute(insert(ITEMS), rows)
        prepared = connection.exec_driver_sql("SELECT count(*) FROM pg_prepared_statements").scalar()
        assert prepared == 1
