"""`leafmint.sqlalchemy.Sharding`: a ShardedSession whose rows are where their ids say."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import leafmint
import pytest
from gapless_databases import empty_database, engine_url
from leafmint import late_binding
from leafmint.sharding import GeneShards, SuffixShards
from leafmint.sqlalchemy import Sharding, id_column
from sqlalchemy import (
    BigInteger,
    Column,
    Engine,
    ForeignKey,
    MetaData,
    String,
    Table,
    bindparam,
    create_engine,
    event,
    func,
    insert,
    literal,
    make_url,
    or_,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.dialects.mysql import VARCHAR
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.ext.horizontal_shard import ShardedSession
from sqlalchemy.orm import DeclarativeBase, Mapped, aliased, mapped_column, relationship, selectinload
from sqlalchemy.orm.attributes import instance_state

NAMES = ["orders_0", "orders_1", "orders_2"]
EXACT_TEXT = String(40).with_variant(VARCHAR(40, collation="utf8mb4_bin"), "mysql", "mariadb")


class OrderId(leafmint.TypedId, form="decimal", name="order"):
    """The id of an order."""


class Base(DeclarativeBase):
    """The base of the models."""


class User(Base):
    """Is in one database."""

    __tablename__ = "users"
    id: Mapped[int] = id_column("user")


class Order(Base):
    """Is where its user's orders are."""

    __tablename__ = "orders"
    id: Mapped[OrderId] = id_column(
        leafmint.tag("order", gene_bits=4), gene=lambda row: leafmint.gene_of_key(row["user_id"], 4), type=OrderId
    )
    user_id: Mapped[int] = mapped_column(BigInteger)
    total: Mapped[int] = mapped_column(default=0)
    items: Mapped[list["Item"]] = relationship(back_populates="order")


class Item(Base):
    """Is where its order is, with an id that carries no gene."""

    __tablename__ = "items"
    id: Mapped[int] = id_column("item")
    order_id: Mapped[OrderId] = mapped_column(ForeignKey("orders.id"))
    order: Mapped[Order] = relationship(back_populates="items")


class Account(Base):
    """Is where its own id says."""

    __tablename__ = "accounts"
    id: Mapped[int] = id_column("account")


class Invoice(Base):
    """Has a number with a suffix."""

    __tablename__ = "invoices"
    number: Mapped[str] = mapped_column(String(40), primary_key=True)
    customer: Mapped[str] = mapped_column(EXACT_TEXT)


SHARDING = Sharding(
    GeneShards(NAMES, bits=4), ids=[Order.id, Item.order_id, Account.id], keys=[Order.user_id], others="main"
)


def choosers(sharding: Sharding) -> dict[str, Any]:
    """Return the arguments of a session."""
    return {
        "shard_chooser": sharding.shard_chooser,
        "identity_chooser": sharding.identity_chooser,
        "execute_chooser": sharding.execute_chooser,
    }


@pytest.fixture(autouse=True)
def memory() -> Iterator[None]:
    """Lease ids in memory."""
    leafmint.configure("memory://test_sqlalchemy_sharding")
    yield
    late_binding._replace(late_binding.Binding())


@pytest.fixture
def urls(application_urls: list[str]) -> dict[str, str]:
    """Return the URLs of the databases."""
    return dict(zip(["main", *NAMES], application_urls, strict=True))


@pytest.fixture
def engines(urls: dict[str, str]) -> Iterator[dict[str, Engine]]:
    """Return the engines of four databases that have all tables."""
    engines = {name: create_engine(url) for name, url in urls.items()}
    for engine in engines.values():
        Base.metadata.create_all(engine)
    yield engines
    for engine in engines.values():
        engine.dispose()


@pytest.fixture
def session(engines: dict[str, Engine]) -> Iterator[ShardedSession]:
    """Return a session over the databases."""
    with ShardedSession(shards=engines, **choosers(SHARDING)) as session:
        yield session


@contextmanager
def asked(engines: dict[str, Engine]) -> Iterator[Counter[str]]:
    """Count the statements that each database gets."""
    found: Counter[str] = Counter()
    listeners = []
    for name, engine in engines.items():

        def count(*_: object, name: str = name) -> None:
            found[name] += 1

        event.listen(engine, "before_cursor_execute", count)
        listeners.append((engine, count))
    yield found
    for engine, count in listeners:
        event.remove(engine, "before_cursor_execute", count)


def shard(id: Any) -> str:
    """Return the database of an id."""
    return NAMES[(int(id) & 15) % 3]


def database_of(instance: Any) -> Any:
    """Return the database of a saved object."""
    return instance_state(instance).identity_token


@pytest.mark.parametrize(
    "application_urls",
    ["sqlite", pytest.param("mysql+pymysql", marks=pytest.mark.long), "postgresql+psycopg"],
    indirect=True,
)
def test_thousands_of_orders_and_their_items_are_where_their_ids_say(
    session: ShardedSession, engines: dict[str, Engine]
) -> None:
    orders = [Order(user_id=user % 48, items=[Item(), Item()]) for user in range(1500)]
    session.add_all([*orders, *(User() for _ in range(3))])
    session.commit()
    counted = 0
    for name in NAMES:
        with engines[name].connect() as connection:
            rows = connection.execute(text("SELECT o.id, user_id FROM orders o JOIN items i ON order_id = o.id")).all()
            users = connection.execute(text("SELECT count(*) FROM users")).scalar()
        assert {shard(id) for row in rows for id in row} == {name}
        assert users == 0
        counted += len(rows)
    assert counted == 3000
    ids = list(session.scalars(select(Order.id)))[::100]
    with asked(engines) as found:
        for id in ids:
            found.clear()
            session.expunge_all()
            loaded = session.get_one(Order, id)
            assert len(loaded.items) == 2
            assert all(item.order is loaded for item in loaded.items)
            assert session.scalars(select(Order).where(Order.id == int(id), Order.total == 0)).one() is loaded
            assert set(found) == {shard(id)}, found


@pytest.fixture
def application_urls(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[list[str]]:
    """Return the URLs of four empty databases, in SQLAlchemy's spelling."""
    kind = getattr(request, "param", "sqlite")
    if kind == "sqlite":
        yield [f"sqlite:///{tmp_path / name}.db" for name in ["main", *NAMES]]
        return
    fixture = "mysql_url" if kind.startswith("mysql") else "postgres_url"
    server = make_url(request.getfixturevalue(fixture)).set(drivername=kind)
    admin = create_engine(server, isolation_level="AUTOCOMMIT")
    databases = [f"sharding_{name}" for name in ["main", *NAMES]]
    with admin.connect() as connection:
        for name in databases:
            connection.execute(text(f"CREATE DATABASE {name}"))
        yield [server.set(database=name).render_as_string(hide_password=False) for name in databases]
        for name in databases:
            connection.execute(text(f"DROP DATABASE {name}"))
    admin.dispose()


def test_a_new_object_goes_where_its_id_or_its_key_says(session: ShardedSession) -> None:
    accounts = [Account() for _ in range(48)]
    session.add_all(accounts)
    order = Order(user_id=5)
    item = Item(order=order)
    user = User()
    session.add_all([item, user])
    session.flush()
    assert all(account in session and database_of(account) == shard(account.id) for account in accounts)
    assert order.id == OrderId(int(order.id))
    assert database_of(order) == database_of(item) == shard(5) == shard(order.id)
    assert database_of(user) == "main"
    assert session.get(User, user.id) is user


def test_a_statement_goes_to_the_databases_that_its_conditions_name(
    session: ShardedSession, engines: dict[str, Engine]
) -> None:
    session.add_all([Order(user_id=user, items=[Item()]) for user in range(48)])
    session.commit()
    ids = {order.user_id: order.id for order in session.scalars(select(Order))}
    assert len(ids) == 48
    other, same = aliased(Order), [ids[1], ids[4], ids[7]]
    one, two, every = {"orders_1"}, {"orders_1", "orders_2"}, set(NAMES)
    statements: list[tuple[Any, set[str], int]] = [
        (select(Order).where(Order.id == ids[1]), one, 1),
        (select(Order).where(literal(int(ids[1])) == Order.id), one, 1),
        (select(Order.total).where(Order.user_id == 1), one, 1),
        (select(Order).where(Order.id.in_(same)), one, 3),
        (select(Order).where(Order.id.in_([ids[1], ids[2]])), two, 2),
        (select(Order).where(or_(Order.id == ids[1], Order.user_id == 2)), two, 2),
        (select(Order).where(or_(Order.id == ids[1], Order.user_id == 2), Order.user_id == 2), {"orders_2"}, 1),
        (select(Item).join(Order).where(Order.user_id == 1), one, 1),
        (select(Item).where(Item.order_id == ids[1]), one, 1),
        (select(other).where(other.id == ids[1]), one, 1),
        (select(Order).where(Order.id == bindparam("id", ids[1])), one, 1),
        (union_all(select(Order.id).where(Order.user_id == 1), select(Order.id).where(Order.user_id == 2)), two, 2),
        (select(Order).where(Order.total == 0), every, 48),
        (select(Order).where(~(Order.id == ids[1])), every, 47),
        (select(Order).where(Order.id >= min(ids.values()), Order.total == 0), every, 48),
        (select(Order).where(Order.id.in_(select(Item.order_id))), every, 48),
        (select(Order).where(Order.id == -5), {"orders_0"}, 0),
        (select(Order).where(Order.id.in_([])), {"orders_0"}, 0),
        (select(func.count()).select_from(User), {"main"}, 1),
    ]
    for statement, databases, count in statements:
        with asked(engines) as found:
            assert len(session.execute(statement).all()) == count, str(statement)
        assert set(found) == databases, str(statement)


def test_loading_of_related_objects_asks_the_databases_of_their_ids(
    session: ShardedSession, engines: dict[str, Engine]
) -> None:
    session.add_all([Order(user_id=user, items=[Item(), Item()]) for user in range(48)])
    session.commit()
    session.expunge_all()
    with asked(engines) as found:
        eager = select(Order).where(Order.user_id == 4).options(selectinload(Order.items))
        assert len(session.scalars(eager).one().items) == 2
        assert set(found) == {"orders_1"}
    session.expunge_all()
    item = session.scalars(select(Item)).first()
    assert item is not None
    with asked(engines) as found:
        assert item.order.id == item.order_id
        assert set(found) == {shard(item.order_id)}


def test_changes_are_made_where_the_rows_are(session: ShardedSession, engines: dict[str, Engine]) -> None:
    session.add_all([Order(user_id=user) for user in range(6)])
    session.commit()
    with asked(engines) as found:
        session.execute(update(Order).where(Order.user_id == 4).values(total=9))
        assert set(found) == {"orders_1"}
    changed = session.scalars(select(Order).where(Order.total == 9)).one()
    changed.total = 10
    session.delete(session.scalars(select(Order).where(Order.user_id == 2)).one())
    session.commit()
    assert sorted(session.scalars(select(Order.total))) == [0, 0, 0, 0, 10]


def test_core_rows_of_one_database_are_inserted_there_and_others_refused(session: ShardedSession) -> None:
    orders = Base.metadata.tables["orders"]
    session.execute(insert(orders), [{"id": 16, "user_id": 0}, {"id": 32, "user_id": 16}])
    assert len(session.scalars(select(Order)).all()) == 2
    for rows in ([{"id": 16, "user_id": 0}, {"id": 17, "user_id": 1}], [{"total": 1}]):
        with pytest.raises(leafmint.InvalidArgumentError, match="not in one database"):
            session.execute(insert(orders), rows)


def test_what_names_no_database_or_two_is_refused(session: ShardedSession) -> None:
    for wrong, message in [
        (Order(id=OrderId(17), user_id=2), "name several databases: {'id': 'orders_1', 'user_id': 'orders_2'}"),
        (Order(id=OrderId(17), user_id="1"), "orders.user_id has a value of type str"),
        (Item(), "set its order_id"),
    ]:
        session.add(wrong)
        with pytest.raises(leafmint.InvalidArgumentError, match=message):
            session.flush()
        session.rollback()
    for statement in (text("SELECT 1"), select(1)):
        with pytest.raises(leafmint.InvalidArgumentError, match="shard_id"):
            session.execute(statement)
    assert session.execute(text("SELECT 1"), bind_arguments={"shard_id": "orders_0"}).scalar() == 1
    with pytest.raises(leafmint.InvalidArgumentError, match="shard_id"):
        session.connection(bind_arguments={"mapper": Order.__mapper__})


def test_a_table_without_a_database_is_refused(engines: dict[str, Engine]) -> None:
    sharding = Sharding(GeneShards(NAMES, bits=4), ids=[Order.id])
    with ShardedSession(shards=engines, **choosers(sharding)) as session:
        with pytest.raises(leafmint.InvalidArgumentError, match="users has no database"):
            session.scalars(select(User)).all()
        session.add(User())
        with pytest.raises(leafmint.InvalidArgumentError, match="others"):
            session.flush()


def test_numbers_with_a_suffix_name_their_databases(engines: dict[str, Engine]) -> None:
    rule = leafmint.ShardRule("10", tables=64)
    sharding = Sharding(SuffixShards(NAMES, rule), ids=[Invoice.number], keys=[Invoice.customer])
    with ShardedSession(shards=engines, **choosers(sharding)) as session:
        numbers = {name: rule.mint(leafmint.tag("invoice"), name) for name in ("ada", "bob", "cleo", "dan")}
        session.add_all([Invoice(number=number, customer=name) for name, number in numbers.items()])
        session.commit()
        session.expunge_all()
        for name, number in numbers.items():
            with asked(engines) as found:
                assert session.get_one(Invoice, number).customer == name
                assert session.scalars(select(Invoice).where(Invoice.customer == name)).one().number == number
                assert set(found) == {NAMES[rule.table_of(name) % 3]}


@pytest.mark.parametrize("kind", ["sqlite", "mysql", "postgres"])
def test_a_text_key_that_a_database_folds_is_refused_and_an_exact_one_found(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folding = {"sqlite": "NOCASE", "postgres": "folds"}.get(kind)
    exact = {"mysql": "utf8mb4_bin", "postgres": "C"}.get(kind)
    folded, kept = (
        Table(name, MetaData(), Column("id", BigInteger, primary_key=True), Column("user", String(30, collation)))
        for name, collation in (("folded", folding), ("kept", exact))
    )
    sharding = Sharding(GeneShards(NAMES[:2], bits=8), ids=[folded.c.id, kept.c.id], keys=[folded.c.user, kept.c.user])
    with ExitStack() as stack:
        engines = {}
        for name in NAMES[:2]:
            (tmp_path / name).mkdir()
            url = stack.enter_context(empty_database(kind, request, tmp_path / name))
            engine = engines[name] = create_engine(engine_url(url))
            stack.callback(engine.dispose)
            with engine.begin() as connection:
                if kind == "postgres":
                    connection.exec_driver_sql(
                        "CREATE COLLATION folds (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
                    )
                folded.create(connection)
                kept.create(connection)
        with ShardedSession(shards=engines, **choosers(sharding)) as session:
            session.execute(insert(kept), [{"user": "Ann0", "id": leafmint.gene_of_key("Ann0", 8)}])
            session.commit()
            assert session.execute(select(kept.c.user).where(kept.c.user == "Ann0")).scalars().all() == ["Ann0"]
            for _ in range(2):
                with pytest.raises(leafmint.InvalidConfigError, match="binary collation"):
                    session.execute(select(folded.c.id).where(folded.c.user.in_(["Ann0"])))
            assert session.execute(select(folded.c.id).where(folded.c.id == 7)).all() == []


def test_an_async_session_stores_and_finds_rows_where_their_ids_say(
    engines: dict[str, Engine], urls: dict[str, str]
) -> None:
    async def work() -> None:
        asynchronous = {
            name: create_async_engine(url.replace("sqlite:", "sqlite+aiosqlite:")) for name, url in urls.items()
        }
        shards = {name: engine.sync_engine for name, engine in asynchronous.items()}
        async with AsyncSession(sync_session_class=ShardedSession, shards=shards, **choosers(SHARDING)) as session:
            session.add_all([Order(user_id=user, items=[Item()]) for user in range(12)])
            await session.commit()
            found = (await session.scalars(select(Order).where(Order.user_id == 7))).one()
            assert (await session.get_one(Order, found.id)) is found
        for engine in asynchronous.values():
            await engine.dispose()

    asyncio.run(work())
    for name in NAMES:
        with engines[name].connect() as connection:
            rows = connection.execute(text("SELECT id FROM orders")).scalars().all()
            assert len(rows) == 4
            assert {shard(id) for id in rows} == {name}
