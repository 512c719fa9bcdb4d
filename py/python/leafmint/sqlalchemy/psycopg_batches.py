"""INSERTs of many rows through psycopg 3: several rows a statement, all statements in one round trip.

SQLAlchemy sends rows whose keys it knows one statement each, and rows whose keys the database counts together. Without
this module, minted keys would cost more than those of a sequence.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from operator import itemgetter
from types import NoneType
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy.util import await_only

MOST_PARAMETERS = 50
"""psycopg parses a statement with more of them anew each time."""

_PLACEHOLDER = r"%\(\w+\)s(?:::[\w .\[\]]+(?:\([\d, ]+\)[\w .\[\]]*)?)?"
_INSERT = re.compile(rf"(INSERT INTO .+ VALUES )\(({_PLACEHOLDER}(?:, {_PLACEHOLDER})*)\)", re.DOTALL)
_NAME = re.compile(r"%\((\w+)\)s(::(?:BIGINT|INTEGER|SMALLINT)\b)?")


class _Insert(NamedTuple):
    """An INSERT of one row, to be repeated for several."""

    start: str
    row: str
    values: Callable[[Any], tuple[Any, ...]]
    are_ints: tuple[bool, ...]

    @property
    def most_rows(self) -> int:
        """The number of rows of a full statement."""
        return MOST_PARAMETERS // len(self.are_ints)

    def has_one_form(self, rows: Sequence[Any]) -> bool:
        """Say whether the parameters of all statements have the same types.

        psycopg prepares a statement for each combination of types, and keeps all until the last row is sent.
        """
        columns = zip(*map(self.values, rows), strict=True)
        return all(map(_are_of_one_type, map(frozenset, map(partial(map, type), columns)), self.are_ints))

    def statement(self, count: int) -> str:
        """Return the statement for several rows."""
        return self.start + ", ".join([self.row] * count)

    def parameters(self, rows: Sequence[Any]) -> list[Any]:
        """Return the parameters of a statement.

        An int goes as text: psycopg sends it with the smallest type that holds it, and prepares a statement for each
        combination of types.
        """
        return [
            str(value) if is_int and type(value) is int else value
            for row in rows
            for value, is_int in zip(self.values(row), self.are_ints, strict=True)
        ]


def insert_in_batches(cursor: Any, statement: str, rows: Sequence[Any], context: Any) -> bool:
    """Insert the rows, and return True; False for a statement that is no plain INSERT of values, and elsewhere."""
    insert = _plain_insert(statement) if _can_start_pipeline(context) else None
    if insert is None or not insert.has_one_form(rows):
        return False
    size = insert.most_rows
    full = len(rows) // size * size
    batches = [insert.parameters(rows[at : at + size]) for at in range(0, full, size)]
    rest = rows[full:]
    if not rest:
        cursor.executemany(insert.statement(size), batches)
    elif not batches:
        cursor.execute(insert.statement(len(rest)), insert.parameters(rest))
    else:
        with closing(context.root_connection.connection.cursor()) as last:
            with _one_round_trip(context):
                cursor.executemany(insert.statement(size), batches)
                last.execute(insert.statement(len(rest)), insert.parameters(rest))
            # SQLAlchemy and listeners read it from the one cursor of an executemany.
            getattr(cursor, "_cursor", cursor)._rowcount += last.rowcount
    return True


def _can_start_pipeline(context: Any) -> bool:
    # psycopg 3.0 has none, and libpq only since PostgreSQL 14.
    pipeline = getattr(context.dialect.dbapi, "Pipeline", None)
    if pipeline is None or not pipeline.is_supported():
        return False
    return not context.root_connection.connection.driver_connection.info.pipeline_status


def _are_of_one_type(classes: frozenset[type], are_ints: bool) -> bool:
    untyped = {str, NoneType, int} if are_ints else {str, NoneType}
    return classes <= untyped or (len(classes) == 1 and classes <= _typed())


def _typed() -> frozenset[type]:
    """Return classes whose values have one type of the database, however large they are."""
    from psycopg.types.json import Json, Jsonb

    return frozenset({bool, float, Decimal, UUID, date, datetime, time, timedelta, Json, Jsonb})


def _plain_insert(statement: str) -> _Insert | None:
    found = _INSERT.fullmatch(statement)
    if found is None:
        return None
    placeholders = [(each[1], each[2] is not None) for each in _NAME.finditer(found[2])]
    if not 1 < len(placeholders) <= MOST_PARAMETERS // 2:
        return None
    names, are_ints = zip(*placeholders, strict=True)
    row = _NAME.sub(r"%s\2", found[2])
    return _Insert(found[1], f"({row})", itemgetter(*names), are_ints)


@contextmanager
def _one_round_trip(context: Any) -> Iterator[None]:
    """Send all statements of a block before the first answer is awaited."""
    pipeline = context.root_connection.connection.driver_connection.pipeline()
    if not context.dialect.is_async:
        with pipeline:
            yield
        return
    await_only(pipeline.__aenter__())
    try:
        yield
    except BaseException:
        await_only(pipeline.__aexit__(*sys.exc_info()))
        raise
    # Not of sys.exc_info(): an error that the application handles would hide one of the rows.
    await_only(pipeline.__aexit__(None, None, None))
