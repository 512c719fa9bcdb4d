"""Which databases can have the rows that a query of Django asks for."""

from __future__ import annotations

from typing import Any

from django.db.models.expressions import Col
from django.db.models.lookups import Exact, In
from django.db.models.sql.where import AND, OR, NothingNode, WhereNode

from ... import InvalidIdError
from ..._internal.shard_routes import Route, all_of, any_of
from .router import ShardRouter


def route_of(query: Any, router: ShardRouter) -> Route:
    """Return the databases of a query's rows."""
    if query.combinator:
        return any_of(route_of(one, router) for one in query.combined_queries)
    return route_of_condition(query.where, router)


def route_of_condition(condition: Any, router: ShardRouter) -> Route:
    """Return the databases of rows that meet a condition."""
    if isinstance(condition, NothingNode):
        return frozenset()
    if isinstance(condition, WhereNode):
        return route_of_conditions(condition, router)
    if isinstance(condition, (Exact, In)) and isinstance(condition.lhs, Col) and condition.rhs_is_direct_value():
        values = condition.rhs if isinstance(condition, In) else [condition.rhs]
        return any_of(route_of_value(condition.lhs.target, value, router) for value in values)
    return None


def route_of_conditions(node: Any, router: ShardRouter) -> Route:
    """Return the databases of rows that meet all conditions, or one of them."""
    if node.negated or node.connector not in (AND, OR):
        return None
    combine = all_of if node.connector == AND else any_of
    return combine(route_of_condition(child, router) for child in node.children)


def route_of_value(field: Any, value: Any, router: ShardRouter) -> Route:
    """Return the databases of rows in which a field has a value."""
    if hasattr(value, "resolve_expression"):
        return None
    try:
        database = router.database_of_value(field, value)
    except InvalidIdError:
        # No row has what is no id.
        return frozenset()
    if database is None:
        return None
    router.refuse_folding(field, value, database)
    return frozenset([database])
