"""`leafmint.sqlalchemy`: defaults of the ORM, of Core, of SQLModel and of async sessions."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import leafmint
import pytest
from leafmint import late_binding
from leafmint.sqlalchemy import IdDefault, id_column
from sqlalchemy import (
    BigInteger,
    Column,
    Engine,
    ForeignKey,
    MetaData,
    Table,
    create_engine,
    insert,
    make_url,
    select,
    update,
)
from sqlalchemy.exc import StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, Session, mapped_column, relationship
from sqlalchemy.schema import CreateTable
from sqlmodel import Field, SQLModel
from testing import Counted


class Base(DeclarativeBase):
    """The base of the models."""


class Order(Base):
    """An order with lines."""

    __tablename__ = "orders"
    id: Mapped[int] = id_column("order")
    number: Mapped[int] = mapped_column(BigInteger, default=IdDefault("order_number"))
    lines: Mapped[list["Line"]] = relationship(back_populates="order")


class Line(Base):
    """A line of an order."""

    __tablename__ = "lines"
    id: Mapped[int] = id_column("line")
    order_id: Mapped[int] = mapped_column(ForeignKey("orders.id"))
    order: Mapped[Order] = relationship(back_populates="lines")


class Urgent(Order):
    """A model that inherits its key from another table."""

    __tablename__ = "urgent_orders"
    id: Mapped[int] = mapped_column(ForeignKey("orders.id"), primary_key=True)


ORDERS = Base.metadata.tables["orders"]


@contextmanager
def locked(file: Path, seconds: float) -> Iterator[None]:
    """Lock a SQLite file for a while."""
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        release = threading.Timer(seconds, lock.execute, ["COMMIT"])
        release.start()
        try:
            yield
        finally:
            release.join()


@pytest.fixture(autouse=True)
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Return an engine with all tables in the file from which ids are leased."""
    engine = create_engine(f"sqlite:///{tmp_path / 'app.db'}")
    Base.metadata.create_all(engine)
    leafmint.configure(engine, options={"timeout": 60})
    yield engine
    engine.dispose()
    late_binding._replace(late_binding.Binding())


def test_new_objects_get_their_ids_in_the_order_in_which_they_were_added(engine: Engine) -> None:
    with Session(engine) as session:
        orders = [Order(lines=[Line(), Line()]) for _ in range(3)]
        session.add_all(orders)
        session.commit()
        assert [order.id for order in orders] == [1, 2, 3]
        assert [order.number for order in orders] == [1, 2, 3]
        assert sorted(line.id for order in orders for line in order.lines) == [1, 2, 3, 4, 5, 6]
        assert all(line.order_id == line.order.id for order in orders for line in order.lines)


def test_a_flush_takes_one_batch_for_each_default() -> None:
    source = Counted(leafmint.tag("batched"))

    class Model(DeclarativeBase):
        pass

    class Item(Model):
        __tablename__ = "items"
        id: Mapped[int] = id_column(source)

    engine = create_engine("sqlite://")
    Model.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all([Item() for _ in range(900)])
        session.flush()
        assert source.calls == ["next_ids"]
        session.add(Item())
        session.commit()
        assert source.calls == ["next_ids", "try_next_id"]
        assert session.scalars(select(Item.id)).all() == list(range(1, 902))
    engine.dispose()


def test_rows_of_core_take_one_batch_for_each_default() -> None:
    ids, numbers = Counted(leafmint.tag("batched_id")), Counted(leafmint.tag("batched_number"))
    items = Table(
        "items",
        MetaData(),
        Column("id", BigInteger, primary_key=True, default=IdDefault(ids)),
        Column("number", BigInteger, default=IdDefault(numbers)),
    )
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        items.create(connection)
        connection.execute(insert(items), [{} for _ in range(900)])
        assert ids.calls == numbers.calls == ["next_ids"]
        assert connection.scalars(select(items.c.id)).all() == list(range(1, 901))
    engine.dispose()


def test_a_dialect_that_names_no_driver_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    IdDefault("unused")
    engine = create_engine("sqlite://")
    monkeypatch.delattr(type(engine.dialect), "driver")
    plain = Table("plain", MetaData(), Column("number", BigInteger))
    with engine.begin() as connection:
        plain.create(connection)
        connection.execute(insert(plain), [{"number": 1}, {"number": 2}])
        assert connection.scalars(select(plain.c.number)).all() == [1, 2]
    engine.dispose()


def test_ids_that_the_application_set_are_kept(engine: Engine) -> None:
    with Session(engine) as session:
        session.add_all([Order(id=500), Order(), Order(), Order(id=None)])
        session.commit()
        assert session.scalars(select(Order.id).order_by(Order.id)).all() == [1, 2, 3, 500]


def test_a_subclass_with_a_table_of_its_own_gets_one_id(engine: Engine) -> None:
    with Session(engine) as session:
        session.add_all([Urgent(), Order(), Urgent()])
        session.commit()
        assert session.scalars(select(Urgent.id).order_by(Urgent.id)).all() == [1, 3]


def test_core_inserts_and_bulk_inserts_mint_for_each_row(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(insert(ORDERS), [{} for _ in range(3)])
        connection.execute(insert(ORDERS).values([{"number": 70}, {"number": 71}]))
    with Session(engine) as session:
        returned = session.scalars(insert(Order).returning(Order.id), [{"number": n} for n in range(3)]).all()
        assert returned == [6, 7, 8]
        session.commit()


def test_an_insert_from_select_is_refused_because_all_its_rows_would_have_one_id(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(insert(ORDERS), [{} for _ in range(3)])
        with pytest.raises(StatementError, match=r"FROM SELECT .*one id for all") as refused:
            connection.execute(insert(ORDERS).from_select(["number"], select(ORDERS.c.number + 100)))
        assert isinstance(refused.value.orig, leafmint.InvalidArgumentError)
        with Session(connection) as session, pytest.raises(StatementError, match="FROM SELECT"):
            session.execute(insert(Order).from_select(["number"], select(Order.number + 100)))
        # The advice.
        numbers = connection.scalars(select(ORDERS.c.number + 100)).all()
        connection.execute(insert(ORDERS), [{"number": number} for number in numbers])
        given = select(ORDERS.c.id + 50, ORDERS.c.number)
        connection.execute(insert(ORDERS).from_select(["id", "number"], given))
        assert len(set(connection.scalars(select(ORDERS.c.id)).all())) == 12


def test_an_insert_from_select_within_another_statement_is_refused(postgres_url: str) -> None:
    engine = create_engine(make_url(postgres_url).set(drivername="postgresql+psycopg"))
    copies = Table(
        "copies",
        MetaData(),
        Column("id", BigInteger, default=IdDefault("copy")),
        Column("of", BigInteger),
        prefixes=["TEMP"],
    )
    with engine.begin() as connection:
        copies.create(connection)
        connection.execute(insert(copies), [{"of": 1}, {"of": 2}])
        copied = insert(copies).from_select(["of"], select(copies.c.of)).returning(copies.c.id).cte("copied")
        within = insert(copies).values(of=7).returning(copies.c.id).cte("within")
        with pytest.raises(StatementError, match="FROM SELECT"):
            connection.execute(select(copied.c.id))
        assert connection.scalars(select(within.c.id)).all() == [3]
    engine.dispose()


def test_an_update_is_refused_because_all_its_rows_would_have_one_id(engine: Engine) -> None:
    items = Table(
        "items",
        MetaData(),
        Column("id", BigInteger, primary_key=True),
        Column("n", BigInteger, onupdate=IdDefault("n")),
    )
    with engine.begin() as connection:
        items.create(connection)
        connection.execute(insert(items), [{"id": 1}, {"id": 2}])
        with pytest.raises(StatementError, match=r"UPDATE .*one id for all"):
            connection.execute(update(items).values(id=items.c.id + 10))


def test_the_column_is_a_plain_bigint(engine: Engine) -> None:
    from sqlalchemy.dialects import mysql

    ddl = str(CreateTable(ORDERS).compile(dialect=mysql.dialect()))
    assert "id BIGINT NOT NULL" in ddl
    assert "AUTO_INCREMENT" not in ddl


def test_dataclass_models_and_sqlmodel_take_the_same_default(tmp_path: Path) -> None:
    class Model(MappedAsDataclass, DeclarativeBase):
        pass

    class Invoice(Model):
        __tablename__ = "invoices"
        id: Mapped[int] = mapped_column(BigInteger, primary_key=True, insert_default=IdDefault("invoice"), init=False)
        total: Mapped[int]

    class Hero(SQLModel, table=True):
        id: int | None = Field(
            default=None, primary_key=True, sa_type=BigInteger, sa_column_kwargs={"default": IdDefault("hero")}
        )
        name: str

    engine = create_engine("sqlite://")
    Model.metadata.create_all(engine)
    SQLModel.metadata.create_all(engine)
    with Session(engine) as session:
        invoices, heroes = [Invoice(total=1), Invoice(total=2)], [Hero(name="a"), Hero(name="b")]
        session.add_all([*invoices, *heroes])
        session.commit()
        assert [invoice.id for invoice in invoices] == [1, 2]
        assert [hero.id for hero in heroes] == [1, 2]
    engine.dispose()


def test_a_gene_is_computed_from_the_row() -> None:
    source = leafmint.tag("sharded", gene_bits=4)
    sharded = Table(
        "sharded",
        MetaData(),
        Column("id", BigInteger, primary_key=True, default=IdDefault(source, gene=lambda row: row["user"] % 16)),
        Column("user", BigInteger),
    )
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        sharded.create(connection)
        connection.execute(insert(sharded), [{"user": 3}, {"user": 20}])
        ids = connection.scalars(select(sharded.c.id)).all()
    assert [leafmint.gene_of_id(id, 4) for id in ids] == [3, 4]
    engine.dispose()


def test_snowflakes_are_keys_too(tmp_path: Path) -> None:
    leafmint.configure(snowflake_url=f"local:{tmp_path}/workers")
    items = Table(
        "items", MetaData(), Column("id", BigInteger, primary_key=True, default=IdDefault(leafmint.snowflake()))
    )
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        items.create(connection)
        connection.execute(insert(items), [{}, {}])
        first, second = connection.scalars(select(items.c.id)).all()
    assert 0 < first < second
    engine.dispose()


@pytest.mark.parametrize("count", [1, 2])
def test_a_flush_raises_what_the_tag_raises_and_the_session_goes_on(engine: Engine, count: int) -> None:
    leafmint.configure(engine, options={"auto_create": False})
    leafmint.segment_generator().init_schema()
    with Session(engine) as session:
        session.add_all([Line(order_id=7) for _ in range(count)])
        with pytest.raises(leafmint.UnknownTagError):
            session.flush()
        leafmint.segment_generator().create_tag("line")
        session.commit()
        assert len(session.scalars(select(Line.id)).all()) == count


@pytest.mark.parametrize("count", [1, 20])
def test_an_async_session_never_blocks_its_loop(tmp_path: Path, count: int) -> None:
    file = tmp_path / "ids.db"
    leafmint.configure(f"sqlite:///{file}", options={"timeout": 60})
    leafmint.segment_generator().init_schema()

    async def longest_gap() -> float:
        engine = create_async_engine("sqlite+aiosqlite://")
        async with engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)
        gaps = []

        async def beat() -> None:
            while True:
                before = time.monotonic()
                await asyncio.sleep(0.005)
                gaps.append(time.monotonic() - before)

        heart = asyncio.create_task(beat())
        async with AsyncSession(engine) as session:
            session.add_all([Order(number=1) for _ in range(count)])
            await session.commit()
            assert (await session.scalars(select(Order.id))).all() == list(range(1, count + 1))
        heart.cancel()
        await engine.dispose()
        return max(gaps)

    with locked(file, seconds=4.0):
        began = time.monotonic()
        gap = asyncio.run(longest_gap())
        assert time.monotonic() - began > 2, "the store was not locked"
    assert gap < 2
