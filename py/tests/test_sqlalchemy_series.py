"""`leafmint.sqlalchemy.SeriesDefault`: columns with the numbers of a series as text."""

import asyncio
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

import leafmint
import pytest
from leafmint import testing
from leafmint.sqlalchemy import SeriesDefault, id_column
from sqlalchemy import Column, Date, Engine, Integer, MetaData, String, Table, create_engine, insert, select, update
from sqlalchemy.exc import StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, Session, mapped_column
from sqlmodel import Field, SQLModel
from testing import Counted

YEARS = leafmint.series("invoice", period="year", zone="Europe/Madrid", format="INV-{year}-{number:5}")

CUSTOMERS = leafmint.series("customer", period="forever", format="C{number:4}")


class Base(DeclarativeBase):
    """The base of the models."""


class Invoice(Base):
    """An invoice, which may be of another date than today's."""

    __tablename__ = "invoices"
    id: Mapped[int] = id_column("invoice_id")
    issued_on: Mapped[date | None]
    number: Mapped[str] = mapped_column(
        String(64), unique=True, default=SeriesDefault(YEARS, on=lambda row: row["issued_on"])
    )


class Customer(Base):
    """A customer."""

    __tablename__ = "customers"
    id: Mapped[int] = id_column("customer_id")
    number: Mapped[str] = mapped_column(String(64), default=SeriesDefault(CUSTOMERS))


INVOICES = Base.metadata.tables["invoices"]


@pytest.fixture(autouse=True)
def engine() -> Iterator[Engine]:
    """Return an engine with all tables, and mint from memory."""
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with testing.segments():
        yield engine
    engine.dispose()


def test_new_objects_get_numbers_in_the_order_in_which_they_were_added(engine: Engine) -> None:
    with Session(engine) as session:
        session.add_all(customers := [Customer() for _ in range(3)])
        session.add(Customer(number="of my own"))
        session.commit()
        assert [customer.number for customer in customers] == ["C0001", "C0002", "C0003"]
        assert session.scalars(select(Customer.number).order_by(Customer.id)).all()[3] == "of my own"


def test_a_flush_takes_one_batch_and_a_coroutine_takes_it_without_blocking(tmp_path: Path) -> None:
    source: Any = Counted(CUSTOMERS)

    class Model(DeclarativeBase):
        pass

    class Item(Model):
        __tablename__ = "items"
        id: Mapped[int] = id_column("item")
        number: Mapped[str] = mapped_column(default=SeriesDefault(source))

    async def add(*counts: int) -> None:
        engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'app.db'}")
        async with engine.begin() as connection:
            await connection.run_sync(Model.metadata.create_all)
        async with AsyncSession(engine) as session:
            for count in counts:
                session.add_all([Item() for _ in range(count)])
                await session.commit()
        await engine.dispose()

    asyncio.run(add(300, 1))
    assert source.calls == ["next_many_async", "next_async"]
    source.calls.clear()
    engine = create_engine(f"sqlite:///{tmp_path / 'app.db'}")
    with Session(engine) as session:
        session.add_all([Item() for _ in range(99)])
        session.commit()
        assert source.calls == ["next_many"]
        numbers = session.scalars(select(Item.number).order_by(Item.number)).all()
        assert numbers == [f"C{number:04}" for number in range(1, 401)]
    engine.dispose()


def test_a_document_of_another_date_has_a_number_of_its_period(engine: Engine) -> None:
    this_year = f"INV-{leafmint.series('n', period='year', zone='Europe/Madrid').next().group}-00001"
    with Session(engine) as session:
        session.add_all([Invoice(issued_on=date(2019, 12, 31)), Invoice(issued_on=date(2020, 1, 1)), Invoice()])
        session.commit()
        assert set(session.scalars(select(Invoice.number))) == {"INV-2019-00001", "INV-2020-00001", this_year}


def test_core_inserts_take_a_number_for_each_row(engine: Engine) -> None:
    with engine.begin() as connection:
        rows = [{"id": n, "issued_on": date(2020, 2, n)} for n in (1, 2)]
        connection.execute(insert(INVOICES), rows)
        connection.execute(insert(INVOICES).values([{"id": 3, "issued_on": date(2021, 1, 1)}]))
        numbers = connection.scalars(select(INVOICES.c.number).order_by(INVOICES.c.id)).all()
    assert numbers == ["INV-2020-00001", "INV-2020-00002", "INV-2021-00001"]


DAYS = [date(2026, 3, 1), date(2025, 12, 31), date(2026, 1, 31), date(2026, 3, 1), date(2025, 1, 1)]
IN_ORDER = ["2026-001", "2025-001", "2026-002", "2026-003", "2025-002"]


def dated(engine: Engine, *more: Column[Any], **options: Any) -> tuple[Counted, Table]:
    """Return a series, and a table whose numbers have the year of a column."""
    source = Counted(leafmint.series("bill", period="year", zone="UTC", format="{year}-{number:3}"))
    options.setdefault("on", lambda row: row["day"])
    number = Column("number", String, default=SeriesDefault(cast("Any", source), **options))
    table = Table("bills", MetaData(), Column("id", Integer, primary_key=True), *more, number)
    table.create(engine)
    return source, table


@pytest.mark.parametrize("returning", [False, True])
def test_many_rows_of_other_dates_take_one_batch_of_each_period_in_their_order(engine: Engine, returning: bool) -> None:
    source, table = dated(engine, Column("day", Date))
    statement = insert(table).returning(table.c.id) if returning else insert(table)
    with engine.begin() as connection:
        connection.execute(statement, [{"day": day} for day in DAYS])
        assert connection.scalars(select(table.c.number).order_by(table.c.id)).all() == IN_ORDER
    assert source.calls == ["next_many", "next_many"]


def test_objects_and_bulk_inserts_of_other_dates_take_one_batch_of_each_period(engine: Engine) -> None:
    source: Any = Counted(YEARS)

    class Model(DeclarativeBase):
        pass

    class Bill(Model):
        __tablename__ = "bills"
        id: Mapped[int] = id_column("bill_id")
        day: Mapped[date]
        number: Mapped[str] = mapped_column(default=SeriesDefault(source, on=lambda row: row["day"]))

    async def add() -> None:
        asynchronous = create_async_engine("sqlite+aiosqlite://")
        async with asynchronous.begin() as connection:
            await connection.run_sync(Model.metadata.create_all)
            await connection.execute(insert(Bill), [{"day": day} for day in DAYS])
        await asynchronous.dispose()

    Model.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all([Bill(day=day) for day in DAYS])
        session.commit()
        numbers = session.scalars(select(Bill.number).order_by(Bill.id)).all()
        assert numbers == [f"INV-{it[:4]}-00{it[5:]}" for it in IN_ORDER]
        session.execute(insert(Bill), [{"day": day} for day in DAYS])
        session.commit()
    asyncio.run(add())
    assert source.calls == ["next_many"] * 4 + ["next_many_async"] * 2


def test_a_date_that_another_default_sets_is_asked_for_row_by_row(engine: Engine) -> None:
    days = iter(DAYS)
    source, table = dated(engine, Column("day", Date, default=lambda: next(days)), Column("name", String))
    with engine.begin() as connection:
        connection.execute(insert(table), [{"name": str(at)} for at in range(5)])
        assert connection.scalars(select(table.c.number).order_by(table.c.id)).all() == IN_ORDER
    assert source.calls == ["next"] * 5


def test_another_default_that_the_date_does_not_need_leaves_one_batch(engine: Engine) -> None:
    source, table = dated(engine, Column("mark", String, default=lambda: "x"), Column("day", Date))
    with engine.begin() as connection:
        connection.execute(insert(table), [{"day": day} for day in DAYS])
        assert connection.scalars(select(table.c.number).order_by(table.c.id)).all() == IN_ORDER
    assert source.calls == ["next_many", "next_many"]


def test_rows_of_today_and_of_dates_take_their_numbers_in_their_order(engine: Engine) -> None:
    year = leafmint.series("n", period="year", zone="UTC").next().group
    source, table = dated(engine, Column("day", Date))
    with engine.begin() as connection:
        days = [None, date(int(year), 1, 1), None, date(2019, 1, 1)]
        connection.execute(insert(table), [{"day": day} for day in days])
        numbers = connection.scalars(select(table.c.number).order_by(table.c.id)).all()
    assert numbers == [f"{year}-001", f"{year}-002", f"{year}-003", "2019-001"]
    source.calls.clear()
    with engine.begin() as connection:
        connection.execute(insert(table), [{"day": None}] * 3)
    assert source.calls == ["next_many"]


def test_a_row_whose_date_is_none_takes_no_number_for_the_others(engine: Engine) -> None:
    source, table = dated(engine, Column("day", Date), on=lambda row: {**row}["day"].date())
    with engine.begin() as connection, pytest.raises(StatementError, match="date"):
        connection.execute(insert(table), [{"day": datetime(2026, 1, 1)}, {"day": date(2026, 1, 1)}])
    assert source.calls == []


def test_statements_that_would_give_one_number_to_many_rows_are_refused(engine: Engine) -> None:
    notes = Table("notes", MetaData(), Column("number", String, onupdate=SeriesDefault(CUSTOMERS)), Column("n", Date))
    copied = insert(INVOICES).from_select(["id"], select(INVOICES.c.id + 100))
    with engine.begin() as connection:
        notes.create(connection)
        with pytest.raises(StatementError, match=r"FROM SELECT .*one number for all"):
            connection.execute(copied)
        with pytest.raises(StatementError, match=r"UPDATE .*one number for all"):
            connection.execute(update(notes).values(n=None))


def test_dataclass_models_and_sqlmodel_take_the_same_default(engine: Engine) -> None:
    sources: list[Any] = [Counted(leafmint.series(name, period="forever", format="N{number}")) for name in "ab"]

    class Model(MappedAsDataclass, DeclarativeBase):
        pass

    class Order(Model):
        __tablename__ = "orders"
        id: Mapped[int] = mapped_column(primary_key=True)
        number: Mapped[str] = mapped_column(String, insert_default=SeriesDefault(sources[0]), init=False)

    class Hero(SQLModel, table=True):
        __tablename__ = "numbered_heroes"
        id: int | None = Field(default=None, primary_key=True)
        number: str | None = Field(default=None, sa_column_kwargs={"default": SeriesDefault(sources[1])})

    Model.metadata.create_all(engine)
    SQLModel.metadata.tables["numbered_heroes"].create(engine)
    with Session(engine) as session:
        session.add_all([*(orders := [Order(1), Order(2)]), *(heroes := [Hero(), Hero()])])
        session.commit()
        assert [order.number for order in orders] == [hero.number for hero in heroes] == ["N1", "N2"]
    assert [source.calls for source in sources] == [["next_many"], ["next_many"]]


def test_a_series_without_a_format_is_refused_when_the_default_is_made() -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match=r"leafmint\.series\('order'.*has no format"):
        SeriesDefault(leafmint.series("order", period="forever"))


@pytest.mark.parametrize("count", [1, 2])
def test_a_flush_raises_what_the_series_raises(engine: Engine, count: int) -> None:
    class Model(DeclarativeBase):
        pass

    series = leafmint.segment_generator().series("note", period="forever", format="{number:1}")
    series.next_many(9)

    class Note(Model):
        __tablename__ = "notes"
        number: Mapped[str] = mapped_column(String, primary_key=True, default=SeriesDefault(series))

    Model.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all([Note() for _ in range(count)])
        with pytest.raises(leafmint.IdSpaceExhaustedError):
            session.flush()


def test_a_date_with_a_time_is_refused(engine: Engine) -> None:
    with Session(engine) as session:
        session.add(Invoice(issued_on=datetime(2020, 1, 1)))
        with pytest.raises(StatementError, match="on must be a date without a time"):
            session.flush()
        session.rollback()
        session.add(Invoice(issued_on=date(2020, 1, 1)))
        session.commit()
