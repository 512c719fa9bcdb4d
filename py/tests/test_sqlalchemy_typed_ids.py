"""Typed ids in SQLAlchemy: numbers in rows, `OrderId` in Python, and texts nowhere between."""

import asyncio
import uuid
from collections.abc import Iterator
from typing import Annotated, Any

import leafmint
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from leafmint import late_binding
from leafmint.sqlalchemy import IdDefault, TypedIdType, id_column
from sqlalchemy import (
    BigInteger,
    Column,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    bindparam,
    column,
    create_engine,
    delete,
    func,
    insert,
    literal,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.exc import StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    MappedAsDataclass,
    Session,
    joinedload,
    mapped_column,
    relationship,
    selectinload,
)
from sqlmodel import Field, SQLModel

KEYS = ["lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"]


class OrderId(leafmint.TypedId, prefix="order"):
    """The id of an order."""


class LineId(leafmint.TypedId, prefix="line"):
    """The id of a line."""


class Base(DeclarativeBase):
    """The base of the models, which knows the type of ids that no column names."""

    type_annotation_map = {LineId: TypedIdType(LineId)}  # noqa: RUF012


class Order(Base):
    """An order with lines, which may replace another one."""

    __tablename__ = "orders"
    id: Mapped[OrderId] = id_column("order", type=OrderId)
    replaces: Mapped[OrderId | None] = mapped_column(TypedIdType(OrderId))
    total: Mapped[int] = mapped_column(server_default=text("7"))
    lines: Mapped[list["Line"]] = relationship(back_populates="order")


class Line(Base):
    """A line of an order. Its reference has the type of the key that it refers to."""

    __tablename__ = "lines"
    id: Mapped[LineId] = mapped_column(primary_key=True, autoincrement=False, insert_default=IdDefault("line"))
    order_id: Mapped[OrderId] = mapped_column(ForeignKey("orders.id"))
    order: Mapped[Order] = relationship(back_populates="lines")


class Urgent(Order):
    """An order with a table of its own."""

    __tablename__ = "urgent_orders"
    id: Mapped[OrderId] = mapped_column(ForeignKey("orders.id"), primary_key=True)


ORDERS = Base.metadata.tables["orders"]


@pytest.fixture(autouse=True)
def configured() -> Iterator[None]:
    """Mint in memory, and encode with a key."""
    leafmint.configure(f"memory://{uuid.uuid4()}", id_keys=KEYS)
    yield
    late_binding._replace(late_binding.Binding())


@pytest.fixture
def engine(application_url: str) -> Iterator[Engine]:
    """Return an engine on each database, with all tables."""
    engine = create_engine(application_url)
    Base.metadata.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def session() -> Iterator[Session]:
    """Return a session on a database in memory, with all tables."""
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        yield session
    engine.dispose()


def test_rows_have_numbers_and_instances_have_typed_ids(engine: Engine) -> None:
    with Session(engine) as session:
        # The default of the total lets a bulk insert match what it returns with what it was given.
        orders = [Order(lines=[Line(), Line()]) for _ in range(3)]
        session.add_all(orders)
        session.flush()
        assert [order.id for order in orders] == [OrderId(1), OrderId(2), OrderId(3)]
        assert [line.order_id for line in orders[1].lines] == [OrderId(2), OrderId(2)]
        assert {type(line.id) for order in orders for line in order.lines} == {LineId}
        session.commit()
        assert [order.total for order in orders] == [7, 7, 7]
        assert session.execute(text("SELECT id FROM orders ORDER BY id")).scalars().all() == [1, 2, 3]
        assert session.scalars(select(Line.order_id).distinct().order_by(Line.order_id)).all()[2] == OrderId(3)


def test_the_plain_type_is_the_way_back_while_old_and_new_code_save(engine: Engine) -> None:
    plain = MetaData()
    total = Column("total", Integer, nullable=False, server_default=text("7"))
    orders = Table("orders", plain, Column("id", BigInteger, primary_key=True, autoincrement=False), total)
    orders.append_column(Column("replaces", BigInteger))
    old_id = leafmint.tag("order")
    for _ in range(3):
        with Session(engine) as session, session.begin():
            session.add(Order(replaces=OrderId(7)))
        with engine.begin() as connection:
            connection.execute(insert(orders), [{"id": old_id.next_id(), "replaces": 7}])
    with engine.connect() as connection:
        assert connection.execute(select(orders.c.id).order_by(orders.c.id)).scalars().all() == [1, 2, 3, 4, 5, 6]
        assert connection.execute(select(orders.c.replaces).distinct()).scalars().all() == [7]
        context = MigrationContext.configure(connection, opts={"include_name": only_orders})
        assert compare_metadata(context, plain) == []
    with Session(engine) as session:
        assert [order.id for order in session.scalars(select(Order).order_by(Order.id))] == [*map(OrderId, range(1, 7))]


def only_orders(name: str | None, kind: str, parents: Any) -> bool:
    """Let autogenerate look at one table."""
    return kind != "table" or name == "orders"


def test_comparisons_lists_ranges_and_expressions(engine: Engine) -> None:
    with Session(engine) as session:
        session.add_all([Order() for _ in range(5)])
        session.commit()

        def found(*conditions: object) -> list[int]:
            return [int(id) for id in session.scalars(select(Order.id).where(*conditions).order_by(Order.id))]  # type: ignore[arg-type]

        assert found(Order.id == OrderId(2)) == found(Order.id == 2) == [2]
        assert found(Order.id != OrderId(2), Order.id > OrderId(1)) == [3, 4, 5]
        assert found(Order.id.in_([OrderId(5), 4, OrderId(77)])) == [4, 5]
        assert found(Order.id.not_in([OrderId(5), OrderId(4)])) == [1, 2, 3]
        assert found(Order.id.between(OrderId(2), OrderId(3))) == [2, 3]
        assert found(Order.id > -1, Order.replaces.is_(None), Order.replaces == None) == [1, 2, 3, 4, 5]  # noqa: E711
        assert found(Order.id == literal(OrderId(3), TypedIdType(OrderId))) == [3]
        assert found(Order.id % 2 == 0) == [2, 4]
        assert session.scalar(select(func.max(Order.id))) == OrderId(5)
        assert session.scalar(select(Order.id + 1).where(Order.id == 5)) == 6
        assert session.execute(select(Order.id, func.count()).group_by(Order.id).limit(1)).one() == (OrderId(1), 1)


def test_an_id_of_another_type_and_a_text_are_refused_wherever_they_come_in(session: Session) -> None:
    for wrong in (LineId(1), str(OrderId(1)), "1"):
        for refused in (
            lambda wrong=wrong: Order.id == wrong,
            lambda wrong=wrong: Order.id.in_([OrderId(1), wrong]),
            lambda wrong=wrong: Order.id.between(1, wrong),
            lambda wrong=wrong: Order(id=wrong),
            lambda wrong=wrong: Line(order_id=wrong),
        ):
            with pytest.raises(leafmint.InvalidArgumentError, match=r"expected OrderId or int, not (LineId|str)"):
                refused()
        for statement in (
            insert(ORDERS).values(id=wrong),
            update(ORDERS).values(replaces=wrong),
            select(literal(wrong, TypedIdType(OrderId))),
        ):
            with pytest.raises(StatementError, match="expected OrderId or int"):
                session.execute(statement)
        with pytest.raises(StatementError, match="expected OrderId") as error:
            session.get(Order, wrong)
        assert isinstance(error.value.orig, leafmint.InvalidArgumentError)
    with pytest.raises(leafmint.InvalidArgumentError, match=r"read a text with OrderId\.parse"):
        Order(id="order_1")
    for nothing in (True, 1.0, b"1"):
        with pytest.raises(leafmint.InvalidArgumentError, match="expected OrderId or int"):
            Order(id=nothing)


def test_a_row_is_one_object_however_its_id_is_given(session: Session) -> None:
    order = Order(id=500, replaces=400)
    session.add(order)
    assert (order.id, order.replaces) == (OrderId(500), OrderId(400))
    session.commit()
    assert session.get(Order, OrderId(500)) is order
    assert session.get(Order, 500) is order
    assert session.scalars(select(Order)).one() is order
    assert session.merge(Order(id=500, total=9)) is order
    session.commit()
    assert (session.get_one(Order, OrderId(500)).total, order in session) == (9, True)
    order.replaces = Order.id + 1
    session.commit()
    assert order.replaces == OrderId(501)


def test_relationships_load_and_the_unit_of_work_sorts_keys(session: Session) -> None:
    session.add_all([Order(lines=[Line(), Line()]) for _ in range(3)])
    session.commit()
    for option in (joinedload(Order.lines), selectinload(Order.lines)):
        session.expunge_all()
        orders = session.scalars(select(Order).options(option).order_by(Order.id.desc())).unique().all()
        assert [[int(line.id) for line in order.lines] for order in orders] == [[5, 6], [3, 4], [1, 2]]
        assert all(line.order is order for order in orders for line in order.lines)
    for order in orders:
        order.total = 1
        order.lines[0].order = orders[0]
    session.commit()
    assert {int(line.id) for line in orders[0].lines} == {5, 6, 3, 1}
    line = Line(order_id=2)
    session.add(line)
    session.flush()
    assert line.order is session.get(Order, OrderId(2))
    for order in orders:
        for line in order.lines:
            session.delete(line)
        session.delete(order)
    session.commit()
    assert session.scalar(select(func.count()).select_from(Order)) == 0


def test_a_subclass_with_a_table_of_its_own_has_the_typed_id_of_its_parent(session: Session) -> None:
    session.add_all([Urgent(), Urgent(id=9)])
    session.commit()
    assert session.scalars(select(Urgent.id).order_by(Urgent.id)).all() == [OrderId(1), OrderId(9)]
    with pytest.raises(leafmint.InvalidArgumentError, match="expected OrderId"):
        Urgent(id=LineId(1))


def test_core_takes_and_returns_typed_ids_also_for_single_rows_and_genes() -> None:
    source = leafmint.tag("sharded", gene_bits=4)
    default = IdDefault(source, gene=lambda row: int(row["of"]) % 16)
    sharded = Table(
        "sharded",
        MetaData(),
        Column("id", TypedIdType(OrderId), primary_key=True, default=default),
        Column("of", TypedIdType(LineId)),
    )
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        sharded.create(connection)
        inserted = connection.execute(insert(sharded).values(of=LineId(3))).inserted_primary_key
        assert inserted is not None
        assert [type(id) for id in inserted] == [OrderId]
        connection.execute(insert(sharded), [{"of": LineId(5)}, {"of": 20}])
        found = connection.execute(select(sharded).order_by(sharded.c.of)).all()
        assert [(leafmint.gene_of_id(int(id), 4), of) for id, of in found] == [
            (3, LineId(3)),
            (5, LineId(5)),
            (4, LineId(20)),
        ]
    engine.dispose()


def test_an_object_whose_gene_depends_on_its_row_has_a_typed_id(session: Session) -> None:
    class Model(DeclarativeBase):
        pass

    class Item(Model):
        __tablename__ = "items"
        shelf: Mapped[int]
        id: Mapped[OrderId] = id_column(leafmint.tag("items", gene_bits=4), gene=lambda row: row["shelf"], type=OrderId)

    Model.metadata.create_all(session.connection())
    item = Item(shelf=3)
    session.add(item)
    session.flush()
    assert type(item.id) is OrderId
    assert session.get(Item, item.id) is item


def test_annotated_columns_dataclasses_and_sqlmodel_have_typed_ids() -> None:
    class Model(MappedAsDataclass, DeclarativeBase):
        pass

    replaced = Annotated[OrderId, mapped_column(TypedIdType(OrderId))]

    class Invoice(Model):
        __tablename__ = "invoices"
        id: Mapped[OrderId] = mapped_column(
            TypedIdType(OrderId), primary_key=True, insert_default=IdDefault("invoice"), init=False
        )
        replaces: Mapped[replaced]

    class Knight(SQLModel, table=True):
        id: OrderId | None = Field(
            default=None,
            primary_key=True,
            sa_type=TypedIdType(OrderId),
            sa_column_kwargs={"default": IdDefault("knight")},
        )

    engine = create_engine("sqlite://")
    Model.metadata.create_all(engine)
    SQLModel.metadata.tables["knight"].create(engine)
    with Session(engine) as session:
        invoice, knights = Invoice(replaces=OrderId(7)), [Knight(), Knight()]
        session.add_all([invoice, *knights])
        session.commit()
        assert (invoice.id, invoice.replaces) == (OrderId(1), OrderId(7))
        assert [knight.id for knight in knights] == [OrderId(1), OrderId(2)]
        assert knights[1].model_dump_json() == f'{{"id":"{OrderId(2)}"}}'
    engine.dispose()


def test_an_async_session_has_typed_ids() -> None:
    async def run() -> None:
        engine = create_async_engine("sqlite+aiosqlite://")
        async with engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)
        async with AsyncSession(engine) as session:
            orders = [Order() for _ in range(3)]
            session.add_all(orders)
            await session.commit()
            assert await session.get(Order, OrderId(3)) is orders[2]
            assert (await session.scalars(select(Order.id).order_by(Order.id))).all()[0] == OrderId(1)
        await engine.dispose()

    asyncio.run(run())


def test_statements_are_cached_by_the_type_of_ids() -> None:
    def cache_key(kind: type[leafmint.TypedId]) -> object:
        return select(Column("id", TypedIdType(kind)))._generate_cache_key()

    assert cache_key(OrderId) == cache_key(OrderId) != cache_key(LineId)


def test_the_column_is_a_plain_bigint_and_its_type_has_a_name(application_url: str) -> None:
    dialect = make_url(application_url).get_dialect()()
    assert str(ORDERS.c.id.type.compile(dialect)) == "BIGINT"
    assert repr(TypedIdType(OrderId)) == "TypedIdType(OrderId)"
    assert TypedIdType(OrderId).python_type is OrderId


@pytest.mark.parametrize("wrong", [int, "order", leafmint.TypedId, OrderId(1)])
def test_what_is_no_type_of_ids_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected a type of ids"):
        TypedIdType(wrong)


def test_updates_and_deletes_of_the_orm_reach_the_objects_of_the_session(session: Session) -> None:
    orders = [Order() for _ in range(5)]
    session.add_all(orders)
    session.flush()
    in_python = {"synchronize_session": "evaluate"}
    conditions = [Order.id == 1, Order.id.in_([2, OrderId(3)]), Order.id > 4, Order.id == OrderId(4)]
    for total, condition in enumerate(conditions, 1):
        session.execute(update(Order).where(condition).values(total=total), execution_options=in_python)
    assert [order.total for order in orders] == [1, 2, 2, 4, 3]
    session.execute(update(Order), [{"id": OrderId(1), "total": 8}, {"id": 2, "total": 9}])
    session.execute(delete(Order).where(Order.id <= 4, Order.id != 2), execution_options=in_python)
    assert [order in session for order in orders] == [False, True, False, False, True]
    session.refresh(orders[1])
    assert orders[1].total == 9


def test_without_keys_no_row_is_stored_whose_id_no_answer_could_show(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Row(leafmint.TypedId, form="decimal"):
        """A type of ids without keys."""

    rows = Table(
        "rows",
        MetaData(),
        Column("id", TypedIdType(Row), primary_key=True, default=IdDefault("row")),
        Column("a", Integer),
    )
    rows.create(session.connection())
    for name in ("LEAFMINT_ID_KEYS", "LEAFMINT_ID_KEYS_FILE"):
        monkeypatch.delenv(name, raising=False)
    late_binding._replace(late_binding.Binding(f"memory://{uuid.uuid4()}"), even_if_equal=True)
    with pytest.raises(leafmint.InvalidConfigError, match="no keys for public ids"), session.begin_nested():
        session.add_all([Order(), Order()])
    for values in ({"total": 1}, [{"total": 1}, {"total": 2}]):
        with pytest.raises(StatementError, match="no keys for public ids"), session.begin_nested():
            session.execute(insert(ORDERS), values)
    assert session.execute(text("SELECT count(*) FROM orders")).scalar() == 0
    # What needs no text needs no keys: migrations, loaded rows, ids that are given.
    session.execute(insert(ORDERS).values(id=7, total=1))
    assert session.scalars(select(Order.id)).all() == [OrderId(7)]
    session.execute(insert(rows).values(a=1))
    assert session.scalars(select(rows.c.id)).all() == [Row(1)]


def test_what_is_computed_from_an_id_is_a_number(session: Session) -> None:
    session.execute(insert(ORDERS).values(id=42))
    expressions = [
        Order.id + 1,
        1 + Order.id,
        Order.id - 2,
        Order.id % 5,
        Order.id.bitwise_and(8),
        Order.id.op(">>")(1),
    ]
    computed = [session.scalar(select(expression)) for expression in expressions]
    assert (computed, {type(value) for value in computed}) == ([43, 43, 40, 2, 8, 21], {int})
    assert session.scalar(select(func.coalesce(Order.replaces, Order.id))) == OrderId(42)


def test_a_typed_column_is_no_integer_to_others_and_a_bigint_to_the_database() -> None:
    column = ORDERS.c.id.type
    assert isinstance(column, TypedIdType)
    assert not isinstance(column.impl, Integer)
    assert (column.python_type, type(column).__mro__.count(Integer)) == (OrderId, 0)


def test_a_key_that_the_database_counts_may_be_typed(engine: Engine) -> None:
    counted = Table("counted", MetaData(), Column("id", TypedIdType(OrderId), primary_key=True), Column("a", Integer))
    assert counted.autoincrement_column is counted.c.id
    with engine.begin() as connection:
        counted.create(connection)
        # SQLite counts an INTEGER only.
        given = {"id": 1} if engine.dialect.name == "sqlite" else {}
        connection.execute(insert(counted).values(a=1, **given))
        assert connection.scalar(select(counted.c.id)) == OrderId(1)


@pytest.mark.parametrize("how", ["scalar", "None", "dict", "instance", "stub"])
def test_a_default_is_called_and_executed_by_itself(session: Session, how: str) -> None:
    # https://github.com/encode/databases/pull/206
    default: Any = ORDERS.c.id.default
    arguments: dict[str, Any] = {"None": None, "dict": {}, "instance": Order(), "stub": object()}
    made = session.scalar(default) if how == "scalar" else default.arg(arguments[how])
    assert made == 1
    order = Order(id=made)
    session.add(order)
    session.commit()
    assert order.id == OrderId(1)


def test_a_typed_id_of_which_a_statement_does_not_know_is_refused_by_every_driver(engine: Engine) -> None:
    statements: list[Any] = [
        text("SELECT count(*) FROM orders WHERE id = :id"),
        select(func.count()).where(column("id") == bindparam("id")),
    ]
    with engine.connect() as connection:
        for statement in statements:
            for given in (OrderId(42), [OrderId(42)]):
                with pytest.raises(Exception, match="OrderId"):
                    connection.execute(statement, {"id": given})
                connection.rollback()


def test_asyncmy_refuses_a_typed_id_of_which_a_statement_does_not_know(mysql_url: str) -> None:
    async def run() -> None:
        engine = create_async_engine(make_url(mysql_url).set(drivername="mysql+asyncmy"))
        async with engine.connect() as connection:
            with pytest.raises(leafmint.InvalidArgumentError, match=r"of the type OrderId.*pass int\(id\)"):
                await connection.execute(text("SELECT :id"), {"id": OrderId(42)})
        await engine.dispose()

    asyncio.run(run())
