"""The column type of SQLAlchemy whose values are typed ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from sqlalchemy import BigInteger, ClauseElement, Column, Dialect, Integer, TypeDecorator, event, type_coerce
from sqlalchemy.orm import Mapper
from sqlalchemy.pool import Pool
from sqlalchemy.sql.operators import is_comparison
from sqlalchemy.types import TypeEngine

from .._internal.typed_values import (
    Id,
    checked_kind,
    is_number,
    refuse,
    refuse_parameters,
    typed,
)
from ..typed_ids import HIGHEST, TypedId


class NumberOfTypedId(TypeEngine[Any]):
    """A BIGINT that is no Integer to libraries that look for the type under a decorator: they would show the number."""

    __visit_name__ = "big_integer"
    # A key may be counted by the database.
    _type_affinity = Integer
    operator_classes: ClassVar[Any] = getattr(BigInteger, "operator_classes", None)


class _IdComparator(TypeDecorator.Comparator[Any]):
    """Compares with typed ids, also if the application gives numbers: the ORM compares attributes itself, too."""

    def operate(self, op: Any, *other: Any, **kwargs: Any) -> Any:
        if is_comparison(op):
            other = tuple(map(self.as_compared, other))
        return super().operate(op, *other, **kwargs)

    def _adapt_expression(self, op: Any, other: Any) -> Any:
        # What is computed from an id is a number.
        return type_coerce(self.expr, BigInteger()).comparator._adapt_expression(op, other)

    def as_compared(self, value: Any) -> Any:
        """Return the typed id of a number; of several, a list. A number that is no id may be a limit."""
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.as_compared(one) for one in value]
        kind: type[TypedId] = self.type.kind  # type: ignore[attr-defined]
        if isinstance(value, (str, TypedId)) and not isinstance(value, kind):
            refuse(kind, value)
        return kind(value) if is_number(value) and 0 <= value <= HIGHEST else value


class TypedIdType(TypeDecorator[Id]):
    """A BIGINT whose values are typed ids.

    Rows have the number, results and attributes of the ORM have values such as `OrderId`. Parameters and attributes
    also take an int, the application's own number. They refuse ids of other types, and texts: a text that was compared
    unread would be a number to MySQL, to which 'order_…' is 0. Read it with `OrderId.parse`, where it comes in.

    Args:
        kind: The type of ids, such as `OrderId`.

    Raises:
        InvalidArgumentError: A parameter or an attribute is an id of another type, a text, or anything else. The
            parameters of a statement may raise SQLAlchemy's StatementError instead, whose `orig` it is.

    Example:
        >>> import leafmint
        >>> from leafmint.sqlalchemy import TypedIdType
        >>> from sqlalchemy import column
        >>> class OrderId(leafmint.TypedId, prefix="order"): ...
        >>> print((column("id", TypedIdType(OrderId)) == OrderId(42)).compile(compile_kwargs={"literal_binds": True}))
        id = 42
    """

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = NumberOfTypedId
    # By `kind`: SQLAlchemy reads the arguments of `__init__` from attributes with their names.
    cache_ok: bool | None = True
    comparator_factory = _IdComparator
    operator_classes: ClassVar[Any] = NumberOfTypedId.operator_classes

    def __init__(self, kind: type[Id]) -> None:
        """Name the type of ids."""
        super().__init__()
        self.kind = checked_kind(kind)
        # Only here: an application without typed ids has no listener of ours.
        if not event.contains(Mapper, "mapper_configured", _listen_to_attributes):
            event.listen(Mapper, "mapper_configured", _listen_to_attributes)
            event.listen(Pool, "connect", _refuse_unread)

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return what the column is to a database."""
        return dialect.type_descriptor(BigInteger())

    @property
    def python_type(self) -> type[Id]:
        """The type of ids."""
        return self.kind

    def process_bind_param(self, value: Any, dialect: Dialect) -> int | None:
        """Return the number of a parameter."""
        if value is None or is_number(value):
            # A number that is no id may be a limit of a comparison.
            return value  # type: ignore[no-any-return]
        return int(value) if isinstance(value, self.kind) else refuse(self.kind, value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Id | None:
        """Return the typed id of a number from a row."""
        return None if value is None else self.kind(value)

    def __repr__(self) -> str:
        return f"TypedIdType({self.kind.__qualname__})"


def in_type_of(column: Any, value: Any) -> Any:
    """Return a minted id as a value of its column."""
    return column.type.kind(value) if isinstance(column.type, TypedIdType) else value


def _refuse_unread(connection: Any, _: object) -> None:
    refuse_parameters(getattr(connection, "driver_connection", connection))


def need_keys(column: Any) -> None:
    """Fail before a row is stored if no answer could show its id.

    Raises:
        InvalidConfigError: The keys of the column's type of ids are missing or invalid.
    """
    if isinstance(column.type, TypedIdType):
        column.type.kind._text()


def _listen_to_attributes(mapper: Mapper[Any], mapped: type[Any]) -> None:
    """Let attributes have typed ids, also if the application sets a number: the identity of a row is its typed id."""
    for attribute in mapper.column_attrs:
        column = attribute.columns[0]
        if isinstance(column, Column) and isinstance(column.type, TypedIdType):
            event.listen(getattr(mapped, attribute.key), "set", _typed_by(column.type.kind), retval=True)


def _typed_by(kind: type[TypedId]) -> Callable[..., Any]:
    def set_typed(instance: Any, value: Any, *_: object) -> Any:
        # The database computes an expression.
        is_expression = isinstance(value, ClauseElement) or hasattr(value, "__clause_element__")
        return value if is_expression else typed(kind, value)

    return set_typed
