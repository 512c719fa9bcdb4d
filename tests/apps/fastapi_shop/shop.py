"""A shop: FastAPI and SQLAlchemy's asyncio, with ids from leafmint.

Environment: DATABASE_URL has the orders, LEAFMINT_URL the ids; both may be one SQLite file or one MySQL database.
LEAFMINT_ID_KEYS has the key that hides the ids from customers.

    leafmint init && python shop.py && uvicorn shop:app --workers 2
"""

import asyncio
import os
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import leafmint
from fastapi import Depends, FastAPI, HTTPException, Response
from fastapi.responses import PlainTextResponse
from leafmint.prometheus import LeafmintCollector
from leafmint.sqlalchemy import GaplessSequence, SeriesDefault, id_column
from prometheus_client import REGISTRY, Gauge, generate_latest
from pydantic import BaseModel
from sqlalchemy import ForeignKey, String, create_engine, make_url, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

DATABASE = make_url(os.environ["DATABASE_URL"])
DRIVERS = {"sqlite": ("sqlite", "sqlite+aiosqlite"), "mysql": ("mysql+pymysql", "mysql+asyncmy")}
"""The drivers of a database: for the set-up, and for the server."""
SET_UP, SERVE = (DATABASE.set(drivername=driver) for driver in DRIVERS[DATABASE.get_backend_name()])
# SQLite has one writer at a time, and lets those that wait for it in without an order: some wait long.
WAIT = {"timeout": 120} if DATABASE.get_backend_name() == "sqlite" else {}

# Orders may have gaps in their numbers, invoices may not.
ORDER_NUMBERS = leafmint.series(
    "order", period="day", zone="Europe/Madrid", step=20, format="{year}{month}{day}-{number:5}"
)
INVOICES = GaplessSequence("invoice", period="forever", format="INV-{number:6}-{check:damm}")

loop_lag = Gauge("shop_event_loop_lag_seconds", "Longest time for which the event loop did not run lately.")
REGISTRY.register(LeafmintCollector())


class OrderId(leafmint.TypedId, prefix="order"):
    """The id of an order: a number in the database, a text for customers."""


class Base(DeclarativeBase):
    """The base of the models."""


class Order(Base):
    """An order. Its id and its number are known before the INSERT."""

    __tablename__ = "shop_orders"
    id: Mapped[OrderId] = id_column("shop_order", type=OrderId)
    number: Mapped[str] = mapped_column(String(64), unique=True, default=SeriesDefault(ORDER_NUMBERS))
    item: Mapped[str] = mapped_column(String(100))


class Invoice(Base):
    """An invoice. The key keeps an order from being billed twice."""

    __tablename__ = "shop_invoices"
    order_id: Mapped[OrderId] = mapped_column(ForeignKey(Order.id), primary_key=True)
    number: Mapped[str] = mapped_column(String(64), unique=True)


class OrderIn(BaseModel):
    """What a client sends."""

    item: str


class OrderOut(BaseModel):
    """What a client gets."""

    id: OrderId
    number: str
    item: str


class InvoiceOut(BaseModel):
    """What a client gets for a paid order."""

    invoice: str


class NumberOut(BaseModel):
    """An id by itself."""

    id: OrderId


engine = create_async_engine(SERVE, connect_args=WAIT, pool_pre_ping=True)
sessions = async_sessionmaker(engine, expire_on_commit=False)


async def watch_loop() -> None:
    """Measure how late the event loop wakes a sleeper."""
    recent: deque[float] = deque(maxlen=300)
    while True:
        began = time.monotonic()
        await asyncio.sleep(0.01)
        recent.append(time.monotonic() - began - 0.01)
        loop_lag.set(max(recent))


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Close the generators when the server stops, so that unused ids are given back."""
    # An order waits for its number as it waits for its row: a series holds a tenth of what it has used, which is soon
    # gone while the database does not answer.
    leafmint.configure(options={"timeout": "60s"})
    str(OrderId(1))  # without keys, the server does not start
    watcher = asyncio.create_task(watch_loop())
    yield
    watcher.cancel()
    await leafmint.aclose()
    await engine.dispose()


app = FastAPI(lifespan=lifespan)


async def session() -> AsyncIterator[AsyncSession]:
    """Open a session for one request."""
    async with sessions() as session:
        yield session


@app.post("/orders")
async def create(order: OrderIn, session: Annotated[AsyncSession, Depends(session)]) -> OrderOut:
    """Store an order."""
    row = Order(item=order.item)
    session.add(row)
    await session.commit()
    return OrderOut(id=row.id, number=row.number, item=row.item)


@app.get("/orders/{id}")
async def read(id: OrderId, session: Annotated[AsyncSession, Depends(session)]) -> OrderOut:
    """Return an order."""
    row = await session.get(Order, id)
    if row is None:
        raise HTTPException(404)
    return OrderOut(id=row.id, number=row.number, item=row.item)


@app.post("/orders/{id}/invoice")
async def bill(id: OrderId, session: Annotated[AsyncSession, Depends(session)]) -> InvoiceOut:
    """Bill an order. If that fails, the rollback gives the number back."""
    try:
        async with session.begin():
            number = (await INVOICES.next(session)).text
            session.add(Invoice(order_id=id, number=number))
    except IntegrityError:
        raise HTTPException(409, "there is no such order, or it has an invoice") from None
    return InvoiceOut(invoice=number)


@app.get("/orders/{id}/invoice", response_class=PlainTextResponse)
async def print_invoice(id: OrderId, session: Annotated[AsyncSession, Depends(session)]) -> str:
    """Return an invoice as text."""
    found = await session.execute(select(Invoice.number, Order.number, Order.item).join(Order).where(Order.id == id))
    if (row := found.one_or_none()) is None:
        raise HTTPException(404)
    invoice, order, item = row
    return f"Invoice {invoice} for order {order}: {item}"


@app.post("/numbers")
async def number() -> NumberOut:
    """Return an id without a row, as for a message that is sent on."""
    return NumberOut(id=OrderId(await leafmint.tag("shop_order").next_id_async()))


@app.get("/metrics")
async def metrics() -> Response:
    """Return the metrics of this worker."""
    return Response(generate_latest(), media_type="text/plain; version=0.0.4")


if __name__ == "__main__":
    setup = create_engine(SET_UP)
    Base.metadata.create_all(setup)
    setup.dispose()
