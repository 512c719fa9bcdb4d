"""Orders with lines by SQLAlchemy: its ORM, its Core, and its ORM on an event loop."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import leafmint
import uuid_utils.compat
from leafmint.sqlalchemy import id_column
from sqlalchemy import BigInteger, ForeignKey, Identity, Sequence, String, Uuid, create_engine, insert, make_url
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from writing import LINES, NOTE, Framework

DRIVERS = {"mysql": ("mariadb+pymysql", "mariadb+asyncmy"), "postgresql": ("postgresql+psycopg",) * 2}
KINDS = ["counted", "sequence", "uuid4", "uuid7", "segment", "snowflake"]
UUIDS = {"uuid4": uuid.uuid4, "uuid7": uuid_utils.compat.uuid7}


def key(kind: str, table: str) -> Any:
    """Returns the key of a table."""
    if kind == "counted":
        return mapped_column(BigInteger, Identity(), primary_key=True)
    if kind == "sequence":
        return mapped_column(BigInteger, Sequence(f"{table}_seq"), primary_key=True)
    if kind in UUIDS:
        return mapped_column(Uuid, primary_key=True, default=UUIDS[kind])
    return id_column(table if kind == "segment" else leafmint.snowflake())


def models(kind: str) -> tuple[Any, Any]:
    """Maps both tables of a kind."""

    class Base(DeclarativeBase):
        pass

    class Line(Base):
        __tablename__ = f"lines_{kind}"
        id: Mapped[Any] = key(kind, __tablename__)
        order_id: Mapped[Any] = mapped_column(ForeignKey(f"orders_{kind}.id"))
        product: Mapped[int]
        amount: Mapped[int]

    class Order(Base):
        __tablename__ = f"orders_{kind}"
        id: Mapped[Any] = key(kind, __tablename__)
        customer: Mapped[int]
        note: Mapped[str] = mapped_column(String(100))
        lines: Mapped[list[Line]] = relationship(Line)

    return Order, Line


class Shop:
    """Writes orders into one database."""

    def __init__(self, url: str) -> None:
        plain = make_url(url)
        driver, asynchronous = DRIVERS[plain.drivername]
        self.engine = create_engine(plain.set(drivername=driver))
        self.async_engine = create_async_engine(plain.set(drivername=asynchronous))
        self.loop = asyncio.new_event_loop()
        self.models = {kind: models(kind) for kind in KINDS}

    def orders(self, kind: str, count: int) -> list[Any]:
        """Returns new orders."""
        order, line = self.models[kind]
        return [
            order(customer=number, note=NOTE, lines=[line(product=each, amount=1) for each in range(LINES)])
            for number in range(count)
        ]

    def orm(self, kind: str, count: int) -> None:
        """Writes by the ORM."""
        with Session(self.engine) as session:
            session.add_all(self.orders(kind, count))
            session.commit()

    def asynchronous(self, kind: str, count: int) -> None:
        """Writes by the ORM on an event loop."""

        async def write() -> None:
            async with AsyncSession(self.async_engine) as session:
                session.add_all(self.orders(kind, count))
                await session.commit()

        self.loop.run_until_complete(write())

    def core(self, kind: str, count: int) -> None:
        """Writes by Core: two statements."""
        order, line = self.models[kind]
        rows: list[dict[str, Any]] = [{"customer": number, "note": NOTE} for number in range(count)]
        with self.engine.begin() as connection:
            ids = new_ids(kind, count)
            if ids is None:
                known = insert(order).returning(order.id, sort_by_parameter_order=True)
                ids = list(connection.scalars(known, rows))
            else:
                connection.execute(insert(order), [{"id": id, **row} for id, row in zip(ids, rows, strict=True)])
            lines = [{"order_id": id, "product": each, "amount": 1} for id in ids for each in range(LINES)]
            connection.execute(insert(line), lines)


def new_ids(kind: str, count: int) -> list[Any] | None:
    """Returns keys of orders, None if the database counts them."""
    if kind in UUIDS:
        return [UUIDS[kind]() for _ in range(count)]
    if kind == "segment":
        return leafmint.tag("orders_segment").next_ids(count)
    return leafmint.snowflake().next_ids(count) if kind == "snowflake" else None


def frameworks(url: str) -> dict[str, Framework]:
    """Returns the ways to write by SQLAlchemy."""
    shop = Shop(url)
    return {
        "SQLAlchemy ORM": Framework(KINDS, shop.orm),
        "SQLAlchemy Core": Framework(KINDS, shop.core),
        "SQLAlchemy async": Framework(KINDS, shop.asynchronous),
    }
