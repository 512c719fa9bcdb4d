"""Which databases can have the rows that a statement of SQLAlchemy asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from sqlalchemy import BinaryExpression, BindParameter, Column, CompoundSelect
from sqlalchemy.sql import operators
from sqlalchemy.sql.elements import BooleanClauseList, Grouping

from .._internal.shard_routes import Route, all_of, any_of


class RoutesValues(Protocol):
    """Knows the databases of the value of a column."""

    def route_of_value(self, column: Any, value: Any, /) -> Route:
        """Return the databases of rows in which a column has a value."""
        ...


def route_of(statement: Any, values: RoutesValues, parameters: Mapping[str, Any]) -> Route:
    """Return the databases of a statement's rows."""
    if isinstance(statement, CompoundSelect):
        return any_of(route_of(one, values, parameters) for one in statement.selects)
    condition = getattr(statement, "whereclause", None)
    return None if condition is None else route_of_condition(condition, values, parameters)


def route_of_condition(condition: Any, values: RoutesValues, parameters: Mapping[str, Any]) -> Route:
    """Return the databases of rows that meet a condition."""
    if isinstance(condition, Grouping):
        return route_of_condition(condition.element, values, parameters)
    if isinstance(condition, BooleanClauseList) and condition.operator in (operators.and_, operators.or_):
        combine = all_of if condition.operator is operators.and_ else any_of
        return combine(route_of_condition(one, values, parameters) for one in condition.clauses)
    if isinstance(condition, BinaryExpression) and condition.operator in (operators.eq, operators.in_op):
        return route_of_comparison(condition, values, parameters)
    return None


def route_of_comparison(condition: BinaryExpression[Any], values: RoutesValues, parameters: Mapping[str, Any]) -> Route:
    """Return the databases of rows in which a column equals one of the values of a parameter."""
    sides: list[Any] = [condition.left, condition.right]
    if isinstance(sides[0], BindParameter):
        sides.reverse()
    column = next((base for base in sides[0].base_columns if isinstance(base, Column)), None)
    if column is None or not isinstance(sides[1], BindParameter):
        return None
    value = parameters.get(sides[1].key, sides[1].effective_value)
    found = value if condition.operator is operators.in_op else [value]
    return any_of(values.route_of_value(column, one) for one in found)
