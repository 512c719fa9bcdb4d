"""`leafmint.sqlalchemy` in an application with every kind of mapping, most of which do not use leafmint."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
from leafmint import testing
from leafmint.sqlalchemy import IdDefault, id_column
from sqlalchemy import BigInteger, Column, Engine, ForeignKey, Integer, MetaData, Table, create_engine, func, select
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    MappedAsDataclass,
    Session,
    column_property,
    composite,
    deferred,
    mapped_column,
    object_session,
    registry,
    synonym,
    validates,
)

FOREIGN_FLUSH = """
import leafmint
import leafmint.sqlalchemy
from sqlalchemy import create_engine, event
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, column_property, mapped_column


class Base(DeclarativeBase):
    pass


class Person(Base):
    __tablename__ = "people"
    id: Mapped[int] = mapped_column(primary_key=True)
    first: Mapped[str]
    last: Mapped[str]


Person.full = column_property(Person.first + " " + Person.last)
engine = create_engine("sqlite://")
Base.metadata.create_all(engine)
with Session(engine) as session:
    print(len(session.dispatch.before_flush))
    session.add(Person(first="Ada", last="Lovelace"))
    session.commit()
    print(session.query(Person).one().full)
engine.dispose()
"""


@pytest.fixture(autouse=True)
def engine() -> Iterator[Engine]:
    """Return an engine, with tags in memory."""
    engine = create_engine("sqlite://")
    with testing.segments():
        yield engine
    engine.dispose()


def key(tag: str) -> Column[int]:
    """Return a key of a Core table."""
    return Column("id", BigInteger, primary_key=True, default=IdDefault(tag))


def options(**given: Any) -> dict[str, Any]:
    """Return the options of a mapper."""
    return given


def stored(engine: Engine, metadata: MetaData, *instances: object) -> Session:
    """Return a session that has stored the instances."""
    metadata.create_all(engine)
    session = Session(engine)
    session.add_all(instances)
    session.commit()
    return session


def test_an_import_changes_nothing_for_an_application_that_does_not_use_leafmint() -> None:
    run = subprocess.run([sys.executable, "-c", FOREIGN_FLUSH], capture_output=True, text=True)
    assert run.stdout.splitlines() == ["0", "Ada Lovelace"], run.stderr


def test_expressions_synonyms_hybrids_and_deferred_columns_of_a_model_are_left_alone(engine: Engine) -> None:
    class Base(DeclarativeBase):
        pass

    class Person(Base):
        __tablename__ = "people"
        id: Mapped[int] = id_column("person")
        first: Mapped[str] = mapped_column()
        last: Mapped[str] = mapped_column()
        number: Mapped[int] = deferred(mapped_column(BigInteger, default=IdDefault("number")))
        full = column_property(first + " " + last)
        given = synonym("first")
        key = synonym("id")
        people: ClassVar[Any]

        @hybrid_property
        def initials(self) -> str:
            return self.first[0] + self.last[0]

    Person.people = column_property(select(func.count()).select_from(Person.__table__.alias()).scalar_subquery())
    people = [
        Person(first="Ada", last="Lovelace"),
        Person(given="Alan", last="Turing"),
        Person(key=9, first="", last=""),
    ]
    with stored(engine, Base.metadata, *people):
        shown = [(person.key, person.number, person.full, person.people) for person in people]
        assert people[0].initials == "AL"
    assert shown == [(1, 1, "Ada Lovelace", 3), (2, 2, "Alan Turing", 3), (9, 3, " ", 3)]


def test_a_key_comes_from_the_first_table_of_joined_inheritance(engine: Engine) -> None:
    class Base(DeclarativeBase):
        pass

    class Party(Base):
        __tablename__ = "parties"
        id: Mapped[int] = id_column("party")
        kind: Mapped[str]
        __mapper_args__ = options(polymorphic_on="kind", polymorphic_identity="party")

    class Person(Party):
        __tablename__ = "people"
        id: Mapped[int] = mapped_column(ForeignKey("parties.id"), primary_key=True, insert_default=IdDefault("person"))
        number: Mapped[int] = mapped_column(BigInteger, default=IdDefault("number"))
        __mapper_args__ = options(polymorphic_identity="person")

    class Pilot(Person):
        __tablename__ = "pilots"
        pilot_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
        __mapper_args__ = options(polymorphic_identity="pilot")

    rows: list[Any] = [Party(), Person(), Pilot(), Person(), Party()]
    with stored(engine, Base.metadata, *rows):
        assert [row.id for row in rows] == [1, 2, 3, 4, 5]
        assert (rows[2].pilot_id, rows[2].number, rows[3].number) == (3, 2, 3)


def test_a_key_that_the_database_counts_is_left_to_it_although_a_subclass_has_a_default(engine: Engine) -> None:
    class Base(DeclarativeBase):
        pass

    class Party(Base):
        __tablename__ = "parties"
        id: Mapped[int] = mapped_column(primary_key=True)

    class Person(Party):
        __tablename__ = "people"
        id: Mapped[int] = mapped_column(ForeignKey("parties.id"), primary_key=True, insert_default=IdDefault("person"))

    with stored(engine, Base.metadata, *(rows := [Party(), Person(), Party(), Person()])):
        assert sorted(row.id for row in rows) == [1, 2, 3, 4]


def test_single_and_concrete_inheritance(engine: Engine) -> None:
    class Base(DeclarativeBase):
        pass

    class Animal(Base):
        __tablename__ = "animals"
        id: Mapped[int] = id_column("animal")
        kind: Mapped[str]
        __mapper_args__ = options(polymorphic_on="kind", polymorphic_identity="animal")

    class Cat(Animal):
        collar: Mapped[int | None] = mapped_column(BigInteger, default=IdDefault("collar"))
        __mapper_args__ = options(polymorphic_identity="cat")

    class WildCat(Animal):
        __tablename__ = "wild_cats"
        id: Mapped[int] = id_column("wild_cat")
        kind: Mapped[str]
        __mapper_args__ = options(concrete=True, polymorphic_identity="wild")

    rows: list[Any] = [Animal(), Cat(), Cat(), WildCat(kind="lynx"), WildCat(kind="puma")]
    with stored(engine, Base.metadata, *rows):
        assert [row.id for row in rows] == [1, 2, 3, 1, 2]
        assert [row.collar for row in rows if isinstance(row, Cat)] == [1, 2]


def test_a_composite_is_read_from_the_ids_that_were_minted(engine: Engine) -> None:
    class Base(DeclarativeBase):
        pass

    @dataclass
    class Key:
        shop: int | None
        number: int | None

    class Order(Base):
        __tablename__ = "orders"
        key: Mapped[Key] = composite(mapped_column("shop", primary_key=True), id_column("order", name="number"))

    orders = [Order(key=Key(7, None)), Order(key=Key(7, None))]
    with stored(engine, Base.metadata, *orders):
        assert [order.key for order in orders] == [Key(7, 1), Key(7, 2)]


def test_imperative_mappings_of_classes_dataclasses_and_joins(engine: Engine) -> None:
    mapper = registry()
    users = Table("users", mapper.metadata, key("user"), Column("name", Integer))
    notes = Table("notes", mapper.metadata, key("note"))
    addresses = Table("addresses", mapper.metadata, key("address"), Column("user_id", ForeignKey("users.id")))

    class User:
        number: int

    @dataclass
    class Note:
        id: int | None = field(default=None, init=False)

    class AddressedUser:
        pass

    mapper.map_imperatively(User, users, properties={"number": users.c.id})
    mapper.map_imperatively(Note, notes)
    id_of_both = {"id": column_property(users.c.id, addresses.c.user_id), "address_id": addresses.c.id}
    mapper.map_imperatively(AddressedUser, users.join(addresses), properties=id_of_both)
    rows: list[Any] = [User(), Note(), User(), AddressedUser(), Note()]
    with stored(engine, mapper.metadata, *rows):
        assert [row.number for row in rows if isinstance(row, User)] == [1, 2]
        assert [row.id for row in rows if isinstance(row, Note)] == [1, 2]
        assert (rows[3].id, rows[3].address_id) == (3, 1)


def test_dataclasses_with_expressions(engine: Engine) -> None:
    class Base(MappedAsDataclass, DeclarativeBase):
        pass

    class Invoice(Base):
        __tablename__ = "invoices"
        id: Mapped[int] = mapped_column(BigInteger, primary_key=True, insert_default=IdDefault("invoice"), init=False)
        net: Mapped[int] = mapped_column()
        gross: Mapped[int] = column_property(net + 20)

    with stored(engine, Base.metadata, *(invoices := [Invoice(net=1), Invoice(net=2)])):
        assert [(invoice.id, invoice.gross) for invoice in invoices] == [(1, 21), (2, 22)]


def test_a_minted_key_is_no_change_that_validators_and_listeners_see(engine: Engine) -> None:
    class Base(DeclarativeBase):
        pass

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[int] = id_column("order")

        @validates("id")
        def refuse(self, key: str, value: int) -> int:
            raise ValueError("the application sets no id")

    with stored(engine, Base.metadata, *(orders := [Order(), Order()])):
        assert [order.id for order in orders] == [1, 2]
        assert object_session(orders[0]) is not None


def test_bulk_methods_of_the_session_mint_for_each_row(engine: Engine) -> None:
    class Base(DeclarativeBase):
        pass

    class Item(Base):
        __tablename__ = "items"
        id: Mapped[int] = id_column("item")
        name: Mapped[str | None]

    with stored(engine, Base.metadata) as session:
        session.bulk_save_objects([Item(), Item(name="tea")])
        session.bulk_insert_mappings(Item, [{}, {"name": "cup"}])
        session.add(Item())
        session.commit()
        assert session.scalars(select(Item.id).order_by(Item.id)).all() == [1, 2, 3, 4, 5]
