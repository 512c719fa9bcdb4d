"""The databases of a ShardedSession, chosen by what ids carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Column, Engine, Table
from sqlalchemy.orm import Mapper, ORMExecuteState, object_mapper
from sqlalchemy.orm.attributes import instance_state, set_committed_value
from sqlalchemy.sql.visitors import iterate

from .._internal.shard_routes import Route, any_of, folds, question_of
from ..errors import InvalidArgumentError, InvalidIdError
from ..sharding import Shards
from ..typed_ids import TypedId
from .shard_conditions import route_of
from .typed_columns import in_type_of

EVERYWHERE = 'name one database: bind_arguments={"shard_id": ...}'


class Sharding:
    """Chooses the databases of SQLAlchemy's `ShardedSession` by the ids and keys of rows.

    Give its three methods to a `ShardedSession`, also to that of an AsyncSession.

    Args:
        shards: The databases, by their names in the session's `shards`: `GeneShards` or `SuffixShards`.
        ids: The columns whose values carry the shard: `Order.id`, and `Item.order_id`, which has an order's id.
        keys: The columns that genes or tables are computed from: `Order.user_id`.
        others: The database of all other tables.

    Example:
        >>> import leafmint
        >>> from leafmint.sharding import GeneShards
        >>> from leafmint.sqlalchemy import Sharding
        >>> from sqlalchemy import BigInteger, Column, MetaData, Table, create_engine, insert, select
        >>> from sqlalchemy.ext.horizontal_shard import ShardedSession
        >>> orders = Table("orders", MetaData(), Column("id", BigInteger, primary_key=True))
        >>> sharding = Sharding(GeneShards(["a", "b"], bits=4), ids=[orders.c.id])
        >>> engines = {name: create_engine("sqlite://") for name in "ab"}
        >>> for engine in engines.values(): orders.metadata.create_all(engine)
        >>> with ShardedSession(
        ...     shard_chooser=sharding.shard_chooser,
        ...     identity_chooser=sharding.identity_chooser,
        ...     execute_chooser=sharding.execute_chooser,
        ...     shards=engines,
        ... ) as session:
        ...     inserted = session.execute(insert(orders), [{"id": 17}, {"id": 19}])
        ...     session.scalars(select(orders.c.id).where(orders.c.id == 17)).all()
        [17]
        >>> for engine in engines.values(): engine.dispose()
    """

    def __init__(
        self, shards: Shards, *, ids: Iterable[Any] = (), keys: Iterable[Any] = (), others: str | None = None
    ) -> None:
        """Name the columns that have the ids and keys."""
        self.shards: Shards = shards
        self.others: str | None = others
        self._named: dict[str, dict[str, Callable[[Any], str]]] = {}
        self._exact: WeakKeyDictionary[Engine, set[Any]] = WeakKeyDictionary()
        for columns, database_of in ((ids, shards.of_id), (keys, shards.of_key)):
            for attribute in columns:
                column = attribute.__clause_element__() if hasattr(attribute, "__clause_element__") else attribute
                self._named.setdefault(column.table.fullname, {})[column.key] = database_of

    def shard_chooser(self, mapper: Mapper[Any] | None, instance: Any, clause: Any = None) -> str:
        """Return the database of a new object. An id with a gene is minted now.

        Raises:
            InvalidArgumentError: None of its columns that name the database has a value, or they name several.
        """
        if instance is None:
            raise InvalidArgumentError(f"nothing says which database is meant: {EVERYWHERE}")
        named = list(self._columns_of(object_mapper(instance)))
        if not named:
            return self._other_database(object_mapper(instance))
        values = instance_state(instance).dict
        for key, column in named:
            if values.get(key) is None:
                mint_with_gene(instance, key, column)
        found = {
            key: self._database_of_value(column, values[key]) for key, column in named if values.get(key) is not None
        }
        if len(set(found.values())) == 1:
            return found.popitem()[1]
        fields = " or ".join(key for key, _ in named)
        problem = (
            f"its columns name several databases: {found}" if found else f"set its {fields}: it names the database"
        )
        raise InvalidArgumentError(f"{type(instance).__name__}: {problem}")

    def identity_chooser(self, mapper: Mapper[Any], primary_key: Any, **options: Any) -> Sequence[str]:
        """Return the database of a primary key; all, if the key names none."""
        if not any(self._columns_of(mapper)):
            return [self._other_database(mapper)]
        values = primary_key if isinstance(primary_key, tuple) else (primary_key,)
        found = (self.route_of_value(column, value) for column, value in zip(mapper.primary_key, values, strict=True))
        return self._names(next((route for route in found if route is not None), None))

    def execute_chooser(self, context: ORMExecuteState) -> Sequence[str]:
        """Return the databases of the rows of a statement: those that its conditions name, else all.

        Conditions count if they compare a named column by `==` or `in_`, joined by AND or OR. Each database sorts,
        limits and counts its own rows.

        Raises:
            InvalidArgumentError: Rows to insert are in several databases, or in none yet, or the statement is a text.
            InvalidConfigError: A database takes two spellings of a text key for equal, whose rows are in two databases.
        """
        statement: Any = context.statement
        tables = set(tables_of(statement))
        if not tables:
            raise InvalidArgumentError(f"a textual statement says no database: {EVERYWHERE}")
        if not tables & self._named.keys():
            return [self._other_database(", ".join(sorted(tables)))]
        given: Any = context.parameters or {}
        rows: list[Mapping[str, Any]] = list(given) if isinstance(given, (list, tuple)) else [given]
        if context.is_insert:
            return [self._database_of_rows(statement.table, rows)]
        values = RoutedValues(self)
        names = self._names(any_of(route_of(statement, values, row) for row in rows))
        for name in names:
            for column in values.texts:
                self._refuse_folding(context.session, name, column)
        return names

    def route_of_value(self, column: Any, value: Any) -> frozenset[str] | None:
        """Return the databases of rows in which a column has a value; None for any database."""
        if self._finder_of(column) is None or not is_of_column(column, value):
            return None
        try:
            return frozenset() if value is None else frozenset([self._database_of_value(column, value)])
        except InvalidIdError:
            # No row has what is no id.
            return frozenset()

    def is_key(self, column: Any) -> bool:
        """Return whether genes or tables are computed from a column."""
        return self._finder_of(column) == self.shards.of_key

    def _refuse_folding(self, session: Any, name: str, column: Any) -> None:
        exact = self._exact.setdefault(session.get_bind(shard_id=name).engine, set())
        if column in exact:
            return
        connection = session.connection(bind_arguments={"shard_id": name})
        quote = connection.dialect.identifier_preparer
        question = question_of(quote.format_table(column.table), quote.quote(column.name))
        if connection.exec_driver_sql(question).scalar():
            raise folds(column.table.fullname, column.name, name)
        exact.add(column)

    def _finder_of(self, column: Any) -> Callable[[Any], str] | None:
        return self._named.get(getattr(column.table, "fullname", ""), {}).get(column.key)

    def _database_of_value(self, column: Any, value: Any) -> str:
        finder = self._finder_of(column)
        if finder is None or not is_of_column(column, value):
            raise InvalidArgumentError(f"{column} has a value of type {type(value).__name__}, not of the column")
        return finder(value)

    def _columns_of(self, mapper: Mapper[Any]) -> Iterator[tuple[str, Any]]:
        """Yield the attributes of a mapper whose columns name the database."""
        for attribute in mapper.column_attrs:
            for column in attribute.columns:
                if isinstance(column, Column) and self._finder_of(column) is not None:
                    yield attribute.key, column
                    break

    def _database_of_rows(self, table: Any, rows: Iterable[Mapping[str, Any]]) -> str:
        columns = [column for column in table.columns if self._finder_of(column) is not None]
        found = {
            next((self._database_of_value(column, row[column.key]) for column in columns if column.key in row), "")
            for row in rows
        }
        if len(found) == 1 and "" not in found:
            return found.pop()
        raise InvalidArgumentError(
            f"these rows of {table.fullname} are not in one database: let each have an id or a key, and execute INSERT"
            " once for each database, or add objects to the session"
        )

    def _other_database(self, what: Any) -> str:
        if self.others is None:
            raise InvalidArgumentError(f"{what} has no database: name its columns in ids or keys, or give others=...")
        return self.others

    def _names(self, route: frozenset[str] | None) -> Sequence[str]:
        # A statement that finds nothing may go anywhere.
        return [name for name in self.shards.names if route is None or name in route] or [self.shards.names[0]]


class RoutedValues:
    """Knows the databases of values, and remembers which columns of keys were compared with a text."""

    def __init__(self, sharding: Sharding) -> None:
        """Begin with no column."""
        self.sharding = sharding
        self.texts: set[Any] = set()

    def route_of_value(self, column: Any, value: Any) -> Route:
        """Return the databases of rows in which a column has a value."""
        if isinstance(value, str) and self.sharding.is_key(column):
            self.texts.add(column)
        return self.sharding.route_of_value(column, value)


def mint_with_gene(instance: Any, key: str, column: Any) -> None:
    """Give an object its id, if it carries a gene. Other ids it has: they are minted when the flush begins."""
    default: Any = getattr(column.default, "arg", None)
    of_row = getattr(default, "of_row", None)
    if of_row is not None and hasattr(default, "next_for"):
        row = {
            one.columns[0].key: instance_state(instance).dict.get(one.key)
            for one in object_mapper(instance).column_attrs
        }
        set_committed_value(instance, key, in_type_of(column, default.next_for(of_row(row))))


def is_of_column(column: Any, value: Any) -> bool:
    """Return whether a value has the type of its column: 7 and '7' are equal in some databases, and have two genes."""
    try:
        kind = column.type.python_type
    except NotImplementedError:
        return True
    if kind is str or kind is int:
        return value is None or isinstance(value, kind)
    return value is None or isinstance(value, (int, kind) if issubclass(kind, TypedId) else kind)


def tables_of(statement: Any) -> Iterator[str]:
    """Yield the names of the tables of a statement."""
    for element in iterate(statement):
        table = element if isinstance(element, Table) else getattr(element, "table", None)
        if isinstance(table, Table):
            yield table.fullname
