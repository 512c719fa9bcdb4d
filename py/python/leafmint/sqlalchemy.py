"""Ids for SQLAlchemy: a column default that takes one batch per flush, and never blocks the loop of an AsyncSession.

`gapless` takes numbers without gaps in the transaction of a session.

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

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from sqlalchemy import BigInteger, Column, Insert, event
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import ColumnProperty, MappedColumn, Mapper, Session, mapped_column, object_mapper
from sqlalchemy.orm.attributes import instance_state, set_committed_value
from sqlalchemy.util import await_only
from sqlalchemy.util.concurrency import in_greenlet

from ._gapless_sqlalchemy import gapless
from .errors import InvalidArgumentError
from .late_bound import tag
from .mints import Mints

__all__ = ["AsyncMints", "IdDefault", "gapless", "id_column"]


class AsyncMints(Mints, Protocol):
    """Mints ids, also in batches that wait without blocking an event loop.

    Implemented by `BizTag`, `SnowflakeGenerator`, and their late-bound forms.
    """

    # Not `async def`, which says more: that no other awaitable will do.
    def next_ids_async(self, count: int) -> Coroutine[Any, Any, list[int]]:
        """Return a coroutine of ids in ascending order."""
        ...


class IdDefault:
    """A column default that mints ids. For any column of the ORM or of Core, and for SQLModel.

    A flush takes the ids of all new objects in one batch. Under an AsyncSession or an async connection, a wait for ids
    does not block the event loop.

    Args:
        source: The name of a tag, which is bound late (see `leafmint.configure`), or an object that mints: a `BizTag`,
            a `SnowflakeGenerator`, `leafmint.tag(...)` or `leafmint.snowflake()`.
        gene: For a tag with gene bits: computes the gene of a row from its parameters by column. The ids are then taken
            one by one.

    Example:
        >>> import leafmint
        >>> from leafmint.sqlalchemy import IdDefault
        >>> from sqlalchemy import BigInteger, Column, MetaData, Table
        >>> orders = Table(
        ...     "orders", MetaData(),
        ...     Column("id", BigInteger, primary_key=True, default=IdDefault("order")),
        ... )
    """

    def __init__(self, source: str | AsyncMints, gene: Callable[[Mapping[str, Any]], int] | None = None) -> None:
        """Name or give what mints the ids."""
        self.source: Any = tag(source) if isinstance(source, str) else source
        self.gene = gene
        # Only here: an application that mints no ids has no listener of ours.
        if not event.contains(Session, "before_flush", _mint_one_batch):
            event.listen(Session, "before_flush", _mint_one_batch)

    def __call__(self, context: DefaultExecutionContext | None) -> int:
        """Return the next id. SQLAlchemy calls it for a row that has no value.

        Raises:
            InvalidArgumentError: The statement would give one id to several rows.
        """
        if context is not None:
            _refuse_shared_id(context)
        if self.gene is not None:
            if context is None:
                raise TypeError("a default with a gene needs the row that SQLAlchemy inserts")
            row: Mapping[str, Any] = context.get_current_parameters()  # type: ignore[no-untyped-call]
            return int(self._mint("next_id", gene=self.gene(row)))
        id: int | None = self.source.try_next_id()
        return int(self._mint("next_id")) if id is None else id

    def batch(self, count: int) -> list[int]:
        """Return the ids of several rows in ascending order."""
        ids: list[int] = self._mint("next_ids", count)
        return ids

    def _mint(self, method: str, *arguments: object, **options: object) -> Any:
        # Without an async session, greenlet need not be installed.
        if "greenlet" in sys.modules and in_greenlet():
            return await_only(getattr(self.source, method + "_async")(*arguments, **options))
        return getattr(self.source, method)(*arguments, **options)


def _refuse_shared_id(context: DefaultExecutionContext) -> None:
    """Refuse a statement for which SQLAlchemy asks once, however many rows it writes."""
    compiled: Any = context.compiled
    if compiled is None:
        return
    column: Any = context.current_column
    table = getattr(column, "original", column).table
    statements = [compiled.statement, *(cte.element for cte in compiled.ctes or ())]
    if any(isinstance(part, Insert) and part.select is not None and part.table == table for part in statements):
        raise InvalidArgumentError(
            f"INSERT ... FROM SELECT into {table} has one id for all its rows: select the rows first and insert them"
            " with execute(insert(table), rows), or select their ids too and name the column in from_select"
        )
    if not compiled.insert_prefetch:
        raise InvalidArgumentError(
            f"UPDATE of {table} has one id for all its rows: set ids of your own, a row at a time, without onupdate"
        )


def id_column(
    source: str | AsyncMints, *, gene: Callable[[Mapping[str, Any]], int] | None = None, **options: Any
) -> MappedColumn[int]:
    """Return a primary key of the ORM whose ids leafmint mints: a BIGINT without auto-increment.

    In models of MappedAsDataclass use `mapped_column` with `insert_default=IdDefault(...)` and `init=False`.

    Args:
        source: As in `IdDefault`.
        gene: As in `IdDefault`.
        **options: Options of `mapped_column`, which override those set here.
    """
    defaults = {"primary_key": True, "autoincrement": False, "insert_default": IdDefault(source, gene)}
    return mapped_column(options.pop("type_", BigInteger), **{**defaults, **options})


_defaults_by_mapper: WeakKeyDictionary[Mapper[Any], list[tuple[str, IdDefault, bool]]] = WeakKeyDictionary()


def _defaults_of(mapper: Mapper[Any]) -> list[tuple[str, IdDefault, bool]]:
    """Return each attribute with a batched default: its key, the default, and whether None means no value."""
    found = _defaults_by_mapper.get(mapper)
    if found is None:
        inserted = [(attribute.key, _first_inserted(mapper, attribute)) for attribute in mapper.column_attrs]
        found = [
            (key, column.default.arg, column.primary_key)
            for key, column in inserted
            if column is not None and isinstance(getattr(column.default, "arg", None), IdDefault)
            if column.default.arg.gene is None
        ]
        _defaults_by_mapper[mapper] = found
    return found


def _first_inserted(mapper: Mapper[Any], attribute: ColumnProperty[Any]) -> Any:
    """Return the column that gives an attribute its value, and None for an expression.

    A key of joined inheritance is a column of several tables. SQLAlchemy mints it for the first one and copies it.
    """
    columns = {column.table: column for column in attribute.columns if isinstance(column, Column)}
    return next((columns[table] for table in mapper.tables if table in columns), None)


def _mint_one_batch(session: Session, *_: object) -> None:
    """Give ids to all new objects, with one batch for each default."""
    waiting: defaultdict[IdDefault, list[tuple[Any, str]]] = defaultdict(list)
    for instance in sorted(session.new, key=lambda instance: instance_state(instance).insert_order or 0):
        set_values = instance_state(instance).dict
        for key, default, none_is_unset in _defaults_of(object_mapper(instance)):
            if key not in set_values or (none_is_unset and set_values[key] is None):
                waiting[default].append((instance, key))
    for default, targets in waiting.items():
        # A single id too: SQLAlchemy would wrap an error of a default that it calls itself.
        ids = default.batch(len(targets)) if len(targets) > 1 else [default(None)]
        for (instance, key), id in zip(targets, ids, strict=True):
            # As SQLAlchemy itself sets what it has inserted: validators are for values of the application.
            set_committed_value(instance, key, id)
