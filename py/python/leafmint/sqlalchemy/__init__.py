"""Ids and numbers for SQLAlchemy: defaults that take one batch per flush, and never block an AsyncSession's loop.

`GaplessSequence` takes numbers without gaps in the transaction of a session.

>>> import leafmint
>>> from leafmint.sqlalchemy import id_column
>>> from sqlalchemy import create_engine
>>> from sqlalchemy.orm import DeclarativeBase, Mapped, Session
>>> class Base(DeclarativeBase): ...
>>> class Order(Base):
...     __tablename__ = "orders"
...     id: Mapped[int] = id_column("order")
>>> leafmint.configure("memory://sqlalchemy")
>>> engine = create_engine("sqlite://")
>>> Base.metadata.create_all(engine)
>>> with Session(engine) as session:
...     session.add_all([Order(), Order()])
...     session.flush()
...     sorted(order.id for order in session.identity_map.values())
[1, 2]
>>> engine.dispose()
"""

from .defaults import AsyncIdSource, IdDefault, SeriesDefault, id_column
from .gapless_sequence import GaplessSequence
from .sharding import Sharding
from .typed_columns import TypedIdType

__all__ = [
    "AsyncIdSource",
    "GaplessSequence",
    "IdDefault",
    "SeriesDefault",
    "Sharding",
    "TypedIdType",
    "id_column",
]
