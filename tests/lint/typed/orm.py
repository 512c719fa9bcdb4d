"""Columns of SQLAlchemy whose ids and numbers leafmint mints, and numbers without gaps, for the type checkers.

It is never run.
"""

from datetime import date

import leafmint
from leafmint.sqlalchemy import AsyncIdSource, GaplessSequence, IdDefault, SeriesDefault, TypedIdType, id_column
from sqlalchemy import BigInteger, Column, Connection, MetaData, String, Table
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, scoped_session


class Base(DeclarativeBase):
    """The base of the models."""


invoices = leafmint.series("invoice", period="year", zone="Europe/Madrid", format="{year}/{number}")


class OrderId(leafmint.TypedId, prefix="order"):
    """The id of an order."""


class Order(Base):
    """Has a key with a type, and may replace another order."""

    __tablename__ = "orders"
    id: Mapped[OrderId] = id_column("order", type=OrderId)
    replaces: Mapped[OrderId | None] = mapped_column(TypedIdType(OrderId))


class Event(Base):
    """Has a snowflake, and numbers of every other source."""

    __tablename__ = "events"
    id: Mapped[int] = id_column(leafmint.snowflake())
    number: Mapped[int] = mapped_column(BigInteger, default=IdDefault(leafmint.tag("number")))
    issued_on: Mapped[date]
    invoice: Mapped[str] = mapped_column(String, default=SeriesDefault(invoices, on=lambda row: row["issued_on"]))


def replaced(session: Session, id: OrderId) -> OrderId | None:
    """Return the id of the order that another one replaces."""
    return session.get_one(Order, id).replaces


bills = GaplessSequence(
    "bill", period="year", zone="Europe/Madrid", key="shop-7", format="{key}/{year}-{number:5}", start=1000
)


def number(transaction: Session | scoped_session[Session] | Connection) -> str:
    """Take numbers without gaps."""
    taken: list[leafmint.SeriesNumber] = [bills.next(transaction), *bills.next_many(transaction, 2)]
    last: leafmint.SeriesNumber | None = bills.last(transaction, on=date(2026, 11, 25))
    return f"{bills.name} {bills.period} {bills.zone} {bills.key} {bills.start} {taken} {last}"


async def number_async(transaction: AsyncSession | AsyncConnection) -> list[leafmint.SeriesNumber]:
    """Take numbers without gaps."""
    last = await bills.last(transaction)
    taken = await bills.next_many(transaction, 2, on=date(2026, 11, 25))
    return [await bills.next(transaction), *taken] + ([] if last is None else [last])


with leafmint.SegmentGenerator("memory:") as ids, leafmint.SnowflakeGenerator("local:workers") as flakes:
    sources: list[AsyncIdSource] = [ids.tag("order"), flakes, leafmint.tag("order"), leafmint.snowflake()]
    tables = [
        Table(f"orders_{index}", MetaData(), Column("id", BigInteger, primary_key=True, default=IdDefault(source)))
        for index, source in enumerate(sources)
    ]
    print(Event, replaced, tables, SeriesDefault(ids.series("order", period="forever", format="{number}")))
