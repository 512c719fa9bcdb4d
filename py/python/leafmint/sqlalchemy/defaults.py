"""Column defaults that take one batch of ids or numbers per flush, and never block an AsyncSession's loop."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator, Mapping
from datetime import date
from itertools import takewhile
from typing import Any, ClassVar, NamedTuple, Protocol, overload
from weakref import WeakKeyDictionary

from sqlalchemy import BigInteger, Column, Engine, Insert, Table, event
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import ColumnProperty, MappedColumn, Mapper, Session, mapped_column
from sqlalchemy.orm.attributes import instance_state, set_committed_value
from sqlalchemy.util import await_only
from sqlalchemy.util.concurrency import in_greenlet

from .._core import Series
from .._internal.series_batches import texts_of
from .._internal.typed_values import Id
from ..errors import InvalidArgumentError
from ..id_source import IdSource
from ..late_bound import LateSeries, tag
from .psycopg_batches import insert_in_batches
from .typed_columns import TypedIdType, in_type_of, need_keys


class AsyncIdSource(IdSource, Protocol):
    """Mints ids, also in batches that wait without blocking an event loop.

    Implemented by `Tag`, `SnowflakeGenerator`, and their late-bound forms.
    """

    # Not `async def`, which says more: that no other awaitable will do.
    def next_ids_async(self, count: int) -> Coroutine[Any, Any, list[int]]:
        """Return a coroutine of ids in ascending order."""
        ...


_ROWS = "_leafmint_values_of_rows"
"""The attribute of an execution with the values that its rows have not taken yet, by column."""


class _MintedDefault:
    """A column default that mints. A flush takes the values of all new objects in one batch."""

    noun: ClassVar[str]

    def __init__(self, source: Any, of_row: Callable[[Mapping[str, Any]], Any] | None) -> None:
        self.source: Any = source
        self.of_row = of_row
        # Only here: an application that mints nothing has no listener of ours.
        if not event.contains(Session, "before_flush", _mint_one_batch):
            event.listen(Session, "before_flush", _mint_one_batch)
            event.listen(Engine, "do_executemany", _insert_in_batches)

    def __call__(self, context: Any) -> Any:
        """Return the next value. SQLAlchemy calls it for a row that has no value.

        Raises:
            InvalidArgumentError: The statement would give one value to several rows.
        """
        if getattr(context, "compiled", None) is None:
            # Executed by itself, as in `connection.scalar(column.default)`, or called by another library.
            return self._value(None)
        return in_type_of(context.current_column, self._of_rows(context))

    def _of_rows(self, context: DefaultExecutionContext) -> Any:
        """Return the value of a row. For the first of several rows, take the values of all."""
        if len(context.compiled_parameters) == 1:
            _check(context, self.noun)
            return self._value(context)
        values: dict[Any, Iterator[Any] | None] = context.__dict__.setdefault(_ROWS, {})
        if context.current_column not in values:
            _check(context, self.noun)
            taken = self._of_all_rows(context)
            values[context.current_column] = None if taken is None else iter(taken)
        of_rows = values[context.current_column]
        return self._value(context) if of_rows is None else next(of_rows)

    def _of_all_rows(self, context: DefaultExecutionContext) -> list[Any] | None:
        """Return the values of all rows of a statement, or None if they are taken one by one."""
        if self.of_row is None:
            return self.batch(len(context.compiled_parameters))
        if type(self)._batch_for is _MintedDefault._batch_for:
            return None
        computed = _of_each_row(self.of_row, context)
        return None if computed is None else self._batch_for(computed)

    def _value(self, context: DefaultExecutionContext | None) -> Any:
        if self.of_row is None:
            return self.next()
        if context is None:
            raise TypeError("a default that depends on the row needs the row that SQLAlchemy inserts")
        row: Mapping[str, Any] = context.get_current_parameters()  # type: ignore[no-untyped-call]
        return self.next_for(self.of_row(row))

    def next(self) -> Any:
        """Return the next value."""
        raise NotImplementedError

    def next_for(self, value: Any) -> Any:
        """Return the next value for what was computed from a row."""
        raise NotImplementedError

    def batch(self, count: int) -> list[Any]:
        """Return the values of several rows in ascending order."""
        raise NotImplementedError

    def _batch_for(self, values: list[Any]) -> list[Any]:
        """Return the values for what was computed from each of several rows, if they can be taken together."""
        raise NotImplementedError

    def _mint(self, method: str, *arguments: object, **options: object) -> Any:
        # Without an async session, greenlet need not be installed.
        if "greenlet" in sys.modules and in_greenlet():
            return await_only(getattr(self.source, method + "_async")(*arguments, **options))
        return getattr(self.source, method)(*arguments, **options)


class IdDefault(_MintedDefault):
    """A column default that mints ids. For any column of the ORM or of Core, and for SQLModel.

    A flush takes the ids of all new objects in one batch. Under an AsyncSession or an async connection, a wait for ids
    does not block the event loop.

    Args:
        source: The name of a tag, which is bound late (see `leafmint.configure`), or an object that mints: a `Tag`,
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

    noun = "id"

    def __init__(self, source: str | AsyncIdSource, *, gene: Callable[[Mapping[str, Any]], int] | None = None) -> None:
        """Name or give what mints the ids."""
        super().__init__(tag(source) if isinstance(source, str) else source, gene)

    def next(self) -> int:
        """Return the next id."""
        id: int | None = self.source.try_next_id()
        return int(self._mint("next_id")) if id is None else id

    def next_for(self, value: int) -> int:
        """Return the next id with a gene."""
        return int(self._mint("next_id", gene=value))

    def batch(self, count: int) -> list[int]:
        """Return the ids of several rows in ascending order."""
        ids: list[int] = self._mint("next_ids", count)
        return ids


class SeriesDefault(_MintedDefault):
    """A column default that mints the numbers of a series, as text in its format.

    For text columns of the ORM or of Core, and for SQLModel. Batches and async sessions work as with `IdDefault`. A
    rollback returns no number. Numbers are leased a few at a time: a transaction that has written to a SQLite file
    cannot take more from the same file, so give leafmint a file of its own.

    Args:
        source: `leafmint.series(...)`, which is bound late (see `leafmint.configure`), or a `Series`; with a format.
        on: Computes the date of a document from the row's parameters by column; None means the present date. The
            numbers of several rows are taken together, period by period, unless the date depends on another default.

    Raises:
        InvalidArgumentError: The late-bound series has no format.

    Example:
        >>> import leafmint
        >>> from leafmint.sqlalchemy import SeriesDefault
        >>> from sqlalchemy import Column, Date, MetaData, String, Table
        >>> number = leafmint.series("invoice", period="year", zone="Europe/Madrid", format="{year}/{number:5}")
        >>> invoices = Table(
        ...     "invoices", MetaData(),
        ...     Column("issued_on", Date),
        ...     Column("number", String(64), default=SeriesDefault(number, on=lambda row: row["issued_on"])),
        ... )
    """

    noun = "number"

    def __init__(
        self, source: LateSeries | Series, *, on: Callable[[Mapping[str, Any]], date | None] | None = None
    ) -> None:
        """Give the series, and how to find the date of a row."""
        if isinstance(source, LateSeries) and source.format is None:
            raise InvalidArgumentError(f"{source} has no format, in which the column has its numbers: add format=...")
        super().__init__(source, on)

    def next(self) -> str:
        """Return the next number as text."""
        return str(self._mint("next").text)

    def next_for(self, value: date | None) -> str:
        """Return the next number of a date as text."""
        return str(self._mint("next", on=value).text)

    def batch(self, count: int) -> list[str]:
        """Return the numbers of several rows as texts, in ascending order."""
        return [str(number.text) for number in self._mint("next_many", count)]

    def _batch_for(self, values: list[date | None]) -> list[str]:
        """Return the numbers of several dates as texts, in the order of the dates."""
        return texts_of(self.source.period, values, lambda count, day: self._mint("next_many", count, on=day))


class _Peeked(Mapping[str, Any]):
    """The parameters of a row before its defaults ran. Notes whether the value of one of those was asked for."""

    def __init__(self, row: Mapping[str, Any], pending: frozenset[str]) -> None:
        self.row, self.pending, self.was_early = row, pending, False

    def __getitem__(self, key: str) -> Any:
        self.was_early |= key in self.pending
        return self.row[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.row)

    def __len__(self) -> int:
        return len(self.row)


def _of_each_row(of_row: Callable[[Mapping[str, Any]], Any], context: Any) -> list[Any] | None:
    """Return what is computed from each row, or None if that needs a default which has not run yet."""
    columns = context.compiled.insert_prefetch
    before = takewhile(lambda column: column is not context.current_column, columns)
    pending = frozenset(column.key for column in before)
    first, *others = context.compiled_parameters
    if not pending:
        return [of_row(row) for row in (first, *others)]
    rows = [_Peeked(row, pending) for row in others]
    try:
        computed = [of_row(row) for row in rows]
    except Exception:
        # It may be what is missing, and is raised again in its row if not.
        return None
    return None if any(row.was_early for row in rows) else [of_row(first), *computed]


def _check(context: DefaultExecutionContext, noun: str) -> None:
    """Refuse a statement for which SQLAlchemy asks once, however many rows it writes, and one without keys."""
    compiled: Any = context.compiled
    column: Any = context.current_column
    need_keys(column)
    table = getattr(column, "original", column).table
    statements = [compiled.statement, *(cte.element for cte in compiled.ctes or ())]
    if any(isinstance(part, Insert) and part.select is not None and part.table == table for part in statements):
        raise InvalidArgumentError(
            f"INSERT ... FROM SELECT into {table} has one {noun} for all its rows: select the rows first and insert"
            f" them with execute(insert(table), rows), or select their {noun}s too and name the column in from_select"
        )
    if not compiled.insert_prefetch:
        raise InvalidArgumentError(
            f"UPDATE of {table} has one {noun} for all its rows: set {noun}s of your own, a row at a time, without"
            " onupdate"
        )


@overload
def id_column(
    source: str | AsyncIdSource,
    *,
    gene: Callable[[Mapping[str, Any]], int] | None = None,
    type: type[Id],
    **options: Any,
) -> MappedColumn[Id]: ...


@overload
def id_column(
    source: str | AsyncIdSource,
    *,
    gene: Callable[[Mapping[str, Any]], int] | None = None,
    type: None = None,
    **options: Any,
) -> MappedColumn[int]: ...


def id_column(
    source: str | AsyncIdSource,
    *,
    gene: Callable[[Mapping[str, Any]], int] | None = None,
    type: Any = None,
    **options: Any,
) -> MappedColumn[Any]:
    """Return a primary key of the ORM whose ids leafmint mints: a BIGINT without auto-increment.

    In models of MappedAsDataclass use `mapped_column` with `insert_default=IdDefault(...)` and `init=False`.

    Args:
        source: As in `IdDefault`.
        gene: As in `IdDefault`.
        type: A type of ids, such as `OrderId`, which attributes and results then have; by default they have ints.
        **options: Options of `mapped_column`, which override those set here.
    """
    defaults = {"primary_key": True, "autoincrement": False, "insert_default": IdDefault(source, gene=gene)}
    column_type = BigInteger if type is None else TypedIdType(type)
    return mapped_column(options.pop("type_", column_type), **{**defaults, **options})


class _Minted(NamedTuple):
    """An attribute of a mapper with a batched default."""

    key: str
    column: Any
    none_is_unset: bool


_minted_by_mapper: WeakKeyDictionary[Mapper[Any], list[_Minted]] = WeakKeyDictionary()


def _minted_of(mapper: Mapper[Any]) -> list[_Minted]:
    """Return the attributes with batched defaults."""
    found = _minted_by_mapper.get(mapper)
    if found is None:
        inserted = [(attribute.key, _first_inserted(mapper, attribute)) for attribute in mapper.column_attrs]
        found = [
            # As SQLAlchemy does, which inserts a null only for types to which None is a value.
            _Minted(key, column, column.primary_key or not column.type.should_evaluate_none)
            for key, column in inserted
            if column is not None and isinstance(getattr(column.default, "arg", None), _MintedDefault)
            if column.default.arg.of_row is None
        ]
        _minted_by_mapper[mapper] = found
    return found


def _first_inserted(mapper: Mapper[Any], attribute: ColumnProperty[Any]) -> Any:
    """Return the column that gives an attribute its value, and None for an expression.

    A key of joined inheritance is a column of several tables. SQLAlchemy mints it for the first one and copies it.
    """
    columns = {column.table: column for column in attribute.columns if isinstance(column, Column)}
    return next((columns[table] for table in mapper.tables if table in columns), None)


def _insert_in_batches(cursor: Any, statement: str, rows: Any, context: Any) -> bool:
    """Insert rows through psycopg, if one of their columns has a minted default."""
    if getattr(context.dialect, "driver", None) != "psycopg" or not context.isinsert:
        return False
    if any(listener is not _insert_in_batches for listener in context.dialect.dispatch.do_executemany):
        return False
    table = getattr(context.compiled.statement, "table", None)
    return isinstance(table, Table) and _is_minted(table) and insert_in_batches(cursor, statement, rows, context)


def _is_minted(table: Table) -> bool:
    return any(isinstance(getattr(column.default, "arg", None), _MintedDefault) for column in table.columns)


def _mint_one_batch(session: Session, *_: object) -> None:
    """Give values to all new objects, with one batch for each default."""
    waiting: defaultdict[_MintedDefault, list[tuple[Any, _Minted]]] = defaultdict(list)
    states = [state for state in map(instance_state, session.new) if _minted_of(state.mapper)]
    for state in sorted(states, key=lambda state: state.insert_order or 0):
        for minted in _minted_of(state.mapper):
            if minted.key not in state.dict or (minted.none_is_unset and state.dict[minted.key] is None):
                waiting[minted.column.default.arg].append((state.obj(), minted))
    for default, targets in waiting.items():
        need_keys(targets[0][1].column)
        # A single value too: SQLAlchemy would wrap an error of a default that it calls itself.
        values = default.batch(len(targets)) if len(targets) > 1 else [default(None)]
        for (instance, minted), value in zip(targets, values, strict=True):
            # As SQLAlchemy itself sets what it has inserted: validators are for values of the application.
            set_committed_value(instance, minted.key, in_type_of(minted.column, value))
