"""The drivers through which SQLAlchemy connects in tests, and engines of them."""

from importlib.util import find_spec
from typing import Any

from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

# It has no wheel, and needs the C library of MariaDB to be built.
MYSQLCLIENT = ["mysql+mysqldb"] if find_spec("MySQLdb") else []

SYNCHRONOUS = ["mysql+pymysql", *MYSQLCLIENT, "postgresql+psycopg", "postgresql+psycopg2"]
ASYNCHRONOUS = ["mysql+aiomysql", "mysql+asyncmy", "postgresql+psycopg_async", "postgresql+asyncpg"]
DRIVERS = [*SYNCHRONOUS, *ASYNCHRONOUS]


def engine_of(driver: str, url: str, **options: Any) -> Engine | AsyncEngine:
    """Return an engine of a driver on a server or a file, whose URL may be leafmint's."""
    made = make_url(url).set(drivername=driver)
    if made.get_dialect().is_async:
        return create_async_engine(made, **options)
    return create_engine(made, **options)
