"""What SQLAlchemy's own ways to write, and libraries on top of it, make of minted keys and of typed columns."""
# mypy: disable-error-code="arg-type, attr-defined, call-overload, import-untyped, misc, no-untyped-call, type-arg"

import json
import uuid
from collections.abc import Iterator
from typing import Any

import factory
import leafmint
import marshmallow
import pytest
import sqladmin
import sqlalchemy_utils
from fastapi import FastAPI
from fastapi.testclient import TestClient
from gallery import KEYS_SQLALCHEMY, TYPED_IDS, loud, right, row, silent
from leafmint import late_binding
from leafmint.sqlalchemy import IdDefault, TypedIdType, id_column
from marshmallow_sqlalchemy import SQLAlchemyAutoSchema
from sqlalchemy import (
    JSON,
    Column,
    Engine,
    ForeignKey,
    MetaData,
    String,
    Table,
    cast,
    create_engine,
    event,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, make_transient, mapped_column, relationship
from sqlalchemy.pool import StaticPool
from sqlmodel import Field, SQLModel
from testing import KEYS

NUMBER = 2124282942359339095


class OrderId(leafmint.TypedId, prefix="order"):
    """The id of an order."""


ID = OrderId(NUMBER)


@pytest.fixture(autouse=True)
def configured() -> Iterator[None]:
    """Mint in memory, and encode with keys."""
    leafmint.configure(f"memory://{uuid.uuid4()}", id_keys=KEYS)
    yield
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


class Minted(DeclarativeBase):
    """Models whose keys leafmint mints."""


class MintedOrder(Minted):
    """An order."""

    __tablename__ = "orders"
    id: Mapped[int] = id_column("order")
    code: Mapped[str | None] = mapped_column(String(20), unique=True)
    total: Mapped[int] = mapped_column(default=0)
    kind: Mapped[str] = mapped_column(String(9), default="order")
    __mapper_args__ = {"polymorphic_on": "kind", "polymorphic_identity": "order"}  # noqa: RUF012


class MintedGift(MintedOrder):
    """An order with a table of its own."""

    __tablename__ = "gifts"
    id: Mapped[int] = mapped_column(ForeignKey("orders.id"), primary_key=True)
    __mapper_args__ = {"polymorphic_identity": "gift"}  # noqa: RUF012


class Counted(DeclarativeBase):
    """Models whose keys the database counts."""


class CountedOrder(Counted):
    """An order."""

    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str | None] = mapped_column(String(20), unique=True)
    total: Mapped[int] = mapped_column(default=0)
    kind: Mapped[str] = mapped_column(String(9), default="order")
    __mapper_args__ = {"polymorphic_on": "kind", "polymorphic_identity": "order"}  # noqa: RUF012


class CountedGift(CountedOrder):
    """An order with a table of its own."""

    __tablename__ = "gifts"
    id: Mapped[int] = mapped_column(ForeignKey("orders.id"), primary_key=True)
    __mapper_args__ = {"polymorphic_identity": "gift"}  # noqa: RUF012


class Shop:
    """A session on a database in memory, and models with either kind of key."""

    def __init__(self, engine: Engine, order: Any, gift: Any) -> None:
        self.session, self.order, self.gift = Session(engine), order, gift
        order.metadata.create_all(engine)

    def rows(self) -> list[tuple[Any, ...]]:
        """Return the rows of orders."""
        self.session.commit()
        return [tuple(row) for row in self.session.execute(text("SELECT id, code, total FROM orders ORDER BY id"))]


@pytest.fixture(params=["counted", "minted"])
def shop(request: pytest.FixtureRequest) -> Iterator[Shop]:
    """Return a shop with each kind of key, which must behave alike."""
    engine = create_engine("sqlite://")
    models = {"counted": (CountedOrder, CountedGift), "minted": (MintedOrder, MintedGift)}
    shop = Shop(engine, *models[request.param])
    yield shop
    shop.session.close()
    engine.dispose()


ONE = [(1, "a", 0)]


@row(
    KEYS_SQLALCHEMY, "SQLAlchemy", "`merge` of a known key, an unknown one, none", right, "the row is updated; inserted"
)
def test_merge(shop: Shop) -> None:
    shop.session.add(shop.order(code="a"))
    shop.session.commit()
    known, unknown, new = [
        shop.session.merge(shop.order(id=id, code=code)) for id, code in ((1, "b"), (77, "c"), (None, "d"))
    ]
    shop.session.flush()
    assert (known.id, unknown.id) == (1, 77)
    assert sorted(shop.rows()) == sorted([(1, "b", 0), (77, "c", 0), (new.id, "d", 0)])


@row(
    KEYS_SQLALCHEMY,
    "SQLAlchemy",
    "`bulk_save_objects`, `bulk_insert_mappings`, `insert` of lists",
    right,
    "each row has an id",
)
def test_bulk(shop: Shop) -> None:
    shop.session.bulk_save_objects([shop.order(code="a"), shop.order(id=None, code="b")])
    shop.session.bulk_insert_mappings(shop.order, [{"code": "c"}, {"code": "d"}])
    shop.session.execute(insert(shop.order), [{"code": "e"}, {"code": "f"}])
    shop.session.execute(insert(shop.order).values([{"code": "g"}, {"code": "h"}]))
    assert shop.rows() == [(id, code, 0) for id, code in enumerate("abcdefgh", 1)]


@row(
    KEYS_SQLALCHEMY,
    "SQLAlchemy",
    "`return_defaults`, `returning` of lists",
    right,
    "objects and rows have the same ids",
)
def test_returning(shop: Shop) -> None:
    orders, mappings = [shop.order(code="a"), shop.order(code="b")], [{"code": "c"}, {"code": "d"}]
    shop.session.bulk_save_objects(orders, return_defaults=True)
    shop.session.bulk_insert_mappings(shop.order, mappings, return_defaults=True)
    returned = shop.session.scalars(
        insert(shop.order).returning(shop.order.id, sort_by_parameter_order=True), [{"code": "e"}, {"code": "f"}]
    ).all()
    assert [order.id for order in orders] == [1, 2]
    assert [*(mapping["id"] for mapping in mappings), *returned] == [3, 4, 5, 6]
    assert [(id, code) for id, code, _ in shop.rows()] == list(enumerate("abcdef", 1))


@row(
    KEYS_SQLALCHEMY, "SQLAlchemy", "`on_conflict_do_update` with `returning`", right, "the id of the row that there is"
)
def test_upsert(shop: Shop) -> None:
    shop.session.add(shop.order(code="a"))
    shop.session.commit()
    given = sqlite.insert(shop.order).values([{"code": "a", "total": 5}, {"code": "b", "total": 6}])
    upsert = given.on_conflict_do_update(index_elements=["code"], set_={"total": given.excluded.total})
    options = {"populate_existing": True}
    orders = shop.session.scalars(upsert.returning(shop.order), execution_options=options).all()
    told = sorted((order.id, order.code, order.total) for order in orders)
    assert shop.rows() == told
    assert told[0] == (1, "a", 5)


# https://docs.sqlalchemy.org/en/20/core/connections.html: the value that was sent, as of any default in Python.
@row(
    KEYS_SQLALCHEMY,
    "SQLAlchemy",
    "`inserted_primary_key` of an upsert that updated",
    right,
    "the id that was sent, as with `uuid4`; the row keeps its own: use `returning`",
)
def test_inserted_primary_key_of_an_upsert() -> None:
    engine = create_engine("sqlite://")
    with Session(engine) as session:
        Minted.metadata.create_all(session.connection())
        session.add(MintedOrder(code="a"))
        session.flush()
        upsert = sqlite.insert(MintedOrder.__table__).values(code="a", total=5)
        done: Any = session.execute(upsert.on_conflict_do_update(index_elements=["code"], set_={"total": 5}))
        assert tuple(done.inserted_primary_key) == (2,)
        assert session.scalars(select(MintedOrder.id)).all() == [1]
    engine.dispose()


@row(
    KEYS_SQLALCHEMY,
    "SQLAlchemy",
    "`insert().from_select`",
    loud,
    "`InvalidArgumentError`; insert the selected rows as a list",
    match=r"INSERT \.\.\. FROM SELECT into orders has one id for all its rows: select the rows first",
)
def test_from_select() -> None:
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            Minted.metadata.create_all(connection)
            source = select(MintedOrder.code, MintedOrder.total)
            connection.execute(insert(MintedOrder).from_select(["code", "total"], source))
    finally:
        engine.dispose()


@row(KEYS_SQLALCHEMY, "SQLAlchemy", "joined inheritance", right, "one id in both tables")
def test_joined_inheritance(shop: Shop) -> None:
    orders = [shop.gift(code="a"), shop.order(code="b"), shop.gift(code="c")]
    shop.session.add_all(orders)
    shop.session.commit()
    assert [order.id for order in orders] == [1, 2, 3]
    assert shop.session.execute(text("SELECT id FROM gifts ORDER BY id")).scalars().all() == [1, 3]


@row(KEYS_SQLALCHEMY, "SQLAlchemy", "`id_column` in a mixin or an abstract base", right, "one tag for all its tables")
def test_mixins() -> None:
    class Models(DeclarativeBase): ...

    class Keyed:
        id: Mapped[int] = id_column("keyed")

    class Abstract(Models):
        __abstract__ = True
        id: Mapped[OrderId] = id_column("abstract", type=OrderId)

    class Note(Keyed, Models):
        __tablename__ = "notes"

    class Page(Keyed, Models):
        __tablename__ = "pages"

    class Bill(Abstract):
        __tablename__ = "bills"

    engine = create_engine("sqlite://")
    Models.metadata.create_all(engine)
    with Session(engine) as session:
        stored = [Note(), Page(), Note(), Bill()]
        session.add_all(stored)
        session.commit()
        assert [each.id for each in stored] == [1, 2, 3, OrderId(1)]
    engine.dispose()


@row(
    KEYS_SQLALCHEMY,
    "SQLAlchemy",
    "an object that was rolled back, or copied, is added",
    right,
    "one row more, with an id",
)
def test_added_again(shop: Shop) -> None:
    order = shop.order(code="a")
    savepoint = shop.session.begin_nested()
    shop.session.add(order)
    shop.session.flush()
    savepoint.rollback()
    shop.session.add(order)
    shop.session.commit()
    assert shop.rows() == [(order.id, "a", 0)]
    shop.session.refresh(order)
    make_transient(order)
    order.id, order.code = None, "b"
    shop.session.add(order)
    shop.session.commit()
    assert len(shop.rows()) == 2
    assert shop.session.get(shop.order, order.id) is order


@row(KEYS_SQLALCHEMY, "SQLAlchemy", "automap of the table", right, "the numbers: reflection finds a BIGINT")
def test_automap(shop: Shop) -> None:
    shop.session.add(shop.order(code="a"))
    shop.session.commit()
    base = automap_base()
    base.prepare(autoload_with=shop.session.connection())
    assert [order.id for order in shop.session.scalars(select(base.classes.orders))] == [1]


@row(
    KEYS_SQLALCHEMY, "factory_boy", "`create`, `create_batch`, `sqlalchemy_get_or_create`", right, "each row has an id"
)
def test_factory_boy(shop: Shop) -> None:
    class Orders(factory.alchemy.SQLAlchemyModelFactory):
        class Meta:
            model = shop.order
            sqlalchemy_session = shop.session
            sqlalchemy_session_persistence = "commit"
            sqlalchemy_get_or_create = ("code",)

        code = factory.Sequence(str)

    made = [Orders(), *Orders.create_batch(2)]
    assert [order.id for order in made] == [1, 2, 3]
    assert Orders(code=made[0].code).id == 1
    assert len(shop.rows()) == 3


# https://github.com/kvesteri/sqlalchemy-utils/issues/515 and /793
@row(KEYS_SQLALCHEMY, "SQLAlchemy-Utils", "`force_instant_defaults`", right, "a new object has its id at once")
def test_instant_defaults() -> None:
    class Models(DeclarativeBase): ...

    class Bill(Models):
        __tablename__ = "bills"
        id: Mapped[OrderId] = id_column("bill", type=OrderId)

    listener = sqlalchemy_utils.listeners.instant_defaults_listener
    event.listen(Bill, "init", listener)
    assert (Bill().id, Bill(id=ID).id, Bill().id) == (OrderId(1), ID, OrderId(3))


@row(KEYS_SQLALCHEMY, "sqlmodel", "`model_validate`, then the session", right, "a key is minted, or kept if given")
def test_sqlmodel() -> None:
    class Ticket(SQLModel, table=True):
        id: OrderId | None = Field(
            default=None,
            primary_key=True,
            sa_type=TypedIdType(OrderId),
            sa_column_kwargs={"default": IdDefault("ticket")},
        )
        name: str

    engine = create_engine("sqlite://")
    SQLModel.metadata.tables["ticket"].create(engine)
    with Session(engine) as session:
        tickets = [Ticket.model_validate({"name": "a"}), Ticket.model_validate({"name": "b", "id": str(ID)})]
        session.add_all(tickets)
        session.commit()
        assert [ticket.id for ticket in tickets] == [OrderId(1), ID]
        assert json.loads(tickets[1].model_dump_json()) == {"id": str(ID), "name": "b"}
    engine.dispose()


class Typed(DeclarativeBase):
    """Models with typed columns."""


class Order(Typed):
    """An order, which may replace another one."""

    __tablename__ = "typed_orders"
    id: Mapped[OrderId] = id_column("order", type=OrderId)
    replaces: Mapped[OrderId | None] = mapped_column(TypedIdType(OrderId))
    lines: Mapped[list["Line"]] = relationship(back_populates="order")


class Line(Typed):
    """A line of an order."""

    __tablename__ = "typed_lines"
    id: Mapped[int] = id_column("line")
    order_id: Mapped[OrderId] = mapped_column(ForeignKey("typed_orders.id"))
    order: Mapped[Order] = relationship(back_populates="lines")


@pytest.fixture
def typed() -> Iterator[Engine]:
    """Return an engine on a database in memory with one order."""
    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    Typed.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(Order(id=ID, lines=[Line()]))
        session.commit()
    yield engine
    engine.dispose()


@row(TYPED_IDS, "SQLAlchemy", "columns, comparisons, `func.max`", right, "the number in rows, the id in Python")
def test_typed_column(typed: Engine) -> None:
    with Session(typed) as session:
        assert session.scalar(select(func.max(Order.id)).where(Order.id >= ID)) == ID
        assert session.scalars(select(Order.id).where(Order.id.in_([ID]))).all() == [ID]


@row(
    TYPED_IDS,
    "SQLAlchemy",
    "a string, another type's id, `like`, `contains`",
    loud,
    "`InvalidArgumentError`; call `OrderId.parse`",
    match="expected OrderId or int",
)
@pytest.mark.parametrize("use", ["like", "contains", "startswith", "ilike", "regexp_match", "__eq__"])
def test_typed_column_as_text(use: str) -> None:
    getattr(Order.id, use)("2124")


@row(TYPED_IDS, "SQLAlchemy", "arithmetic, `cast`, `json_object`", right, "the number: the database has no text")
def test_typed_column_computed(typed: Engine) -> None:
    with Session(typed) as session:
        assert session.scalar(select(Order.id % 7)) == NUMBER % 7
        assert session.scalar(select(cast(Order.id, String))) == str(NUMBER)


@row(
    TYPED_IDS,
    "SQLAlchemy",
    "a value of a `JSON` column",
    loud,
    "`TypeError` names `OrderId`",
    match="OrderId is not JSON",
)
def test_json_column(typed: Engine) -> None:
    table = Table("documents", MetaData(), Column("document", JSON))
    with typed.begin() as connection:
        table.create(connection)
        connection.execute(insert(table).values(document={"id": ID}))


@row(
    TYPED_IDS,
    "SQLAlchemy",
    "a parameter of textual SQL",
    loud,
    "the driver's error, or ours, names `OrderId`",
    match="OrderId",
)
def test_textual_sql(typed: Engine) -> None:
    with typed.connect() as connection:
        connection.execute(text("SELECT * FROM typed_orders WHERE id = :id"), {"id": ID})


# https://github.com/marshmallow-code/marshmallow-sqlalchemy/pull/83
@row(
    TYPED_IDS,
    "marshmallow-sqlalchemy",
    "`SQLAlchemyAutoSchema`",
    loud,
    "`ModelConversionError`; declare a `fields.String`",
    match="Could not find field column of type .*NumberOfTypedId",
)
def test_marshmallow_schema() -> None:
    class OrderSchema(SQLAlchemyAutoSchema):
        class Meta:
            model = Order


@row(TYPED_IDS, "marshmallow-sqlalchemy", "a declared `fields.String`", right, "the text")
def test_marshmallow_declared(typed: Engine) -> None:
    class OrderSchema(SQLAlchemyAutoSchema):
        class Meta:
            model = Order

        id = marshmallow.fields.String()
        replaces = marshmallow.fields.String()

    with Session(typed) as session:
        assert OrderSchema().dump(session.get(Order, ID)) == {"id": str(ID), "replaces": None}


@pytest.fixture
def admin(typed: Engine) -> TestClient:
    """Return a client of sqladmin's pages."""
    app = FastAPI()
    pages = sqladmin.Admin(app, typed)

    class OrderPages(sqladmin.ModelView, model=Order):
        column_list = [Order.id, Order.replaces]  # noqa: RUF012
        form_columns = [Order.replaces]  # noqa: RUF012

    class LinePages(sqladmin.ModelView, model=Line):
        column_list = [Line.order_id, Line.order]  # noqa: RUF012

    pages.add_view(OrderPages)
    pages.add_view(LinePages)
    return TestClient(app)


@row(TYPED_IDS, "sqladmin", "lists, exports, forms of rows that refer to it", right, "the text")
def test_sqladmin(admin: TestClient) -> None:
    for page in ("order/list", "order/export/csv", "order/export/json", "line/list", "line/create", "line/edit/1"):
        answer = admin.get(f"/admin/{page}").text
        assert str(ID) in answer
        assert str(NUMBER) not in answer


@row(
    TYPED_IDS,
    "sqladmin",
    "`column_searchable_list` with a typed column",
    silent,
    "searches the digits of the number; name columns that people read",
)
def test_sqladmin_search(typed: Engine) -> None:
    app = FastAPI()

    class OrderPages(sqladmin.ModelView, model=Order):
        column_searchable_list = [Order.id]  # noqa: RUF012

    sqladmin.Admin(app, typed).add_view(OrderPages)
    found = [str(ID) in TestClient(app).get(f"/admin/order/list?search={term}").text for term in (str(NUMBER), "77")]
    assert found == [True, False]


# https://github.com/smithyhq/sqladmin/issues/635
@row(
    TYPED_IDS,
    "sqladmin",
    "the pages of one row whose key is typed",
    loud,
    "500: `TypeError` names `OrderId`",
    match="OrderId takes an int, not str; parse takes a text",
)
@pytest.mark.parametrize("page", ["details", "edit"])
def test_sqladmin_row(admin: TestClient, page: str) -> None:
    admin.get(f"/admin/order/{page}/{ID}")


# https://github.com/smithyhq/sqladmin/issues/157
@row(
    TYPED_IDS,
    "sqladmin",
    "a form with a typed column",
    loud,
    "500: `NoConverterFound` names the column",
    match="Could not find field converter for column replaces .*TypedIdType",
)
def test_sqladmin_form(admin: TestClient) -> None:
    admin.get("/admin/order/create")
