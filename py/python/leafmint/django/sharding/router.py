"""A router that finds the database of an object by what its id carries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from django.db import DEFAULT_DB_ALIAS, connections, models, router
from django.db.models.signals import pre_save
from django.utils.functional import cached_property

from ... import InvalidArgumentError
from ..._internal.shard_routes import folds, question_of
from ...sharding import Shards
from ..fields import MintedAutoField


class Unrouted(str):
    """Takes the place of a database's name until an object has a value that names one. Nothing can be written to it."""

    __slots__ = ()


class ShardRouter:
    """A database router for models whose rows are spread over several databases. Subclass it.

    The models that it names have a `ShardedManager`. All others stay in one database.

    Attributes:
        shards: The databases, by their names in `DATABASES`: `GeneShards` or `SuffixShards`.
        ids: The fields whose values carry the shard: "shop.Order.id", and "shop.Item.order", which has an order's id.
        keys: The fields that genes or tables are computed from: "shop.Order.user".
        others: The database of all other models.

    Example:
        >>> from leafmint.django import ShardRouter
        >>> from leafmint.sharding import GeneShards
        >>> class OrderRouter(ShardRouter):
        ...     shards = GeneShards(["orders_0", "orders_1"], bits=4)
        ...     ids = ["shop.Order.id", "shop.Item.id", "shop.Item.order"]
        ...     keys = ["shop.Order.user"]
    """

    shards: ClassVar[Shards]
    ids: ClassVar[Sequence[str]] = ()
    keys: ClassVar[Sequence[str]] = ()
    others: ClassVar[str] = DEFAULT_DB_ALIAS

    def __init__(self) -> None:
        """Refuse from now on to save an object in another database than its own."""
        pre_save.connect(self._refuse_wrong_database, dispatch_uid=type(self))
        self._exact: set[tuple[str, Any]] = set()

    @cached_property  # type: ignore[untyped-decorator]
    def named(self) -> dict[str, dict[str, Callable[[Any], str]]]:
        """How to find the database of a value, by model and field. Ids come first."""
        found: dict[str, dict[str, Callable[[Any], str]]] = {}
        for names, database_of in ((self.ids, self.shards.of_id), (self.keys, self.shards.of_key)):
            for name in names:
                model, _, field = name.rpartition(".")
                found.setdefault(model.lower(), {})[field] = database_of
        return found

    def has(self, model: Any) -> bool:
        """Return whether the rows of a model are spread, also of a model as a migration has it."""
        return label_of(model) in self.named

    def database_of_value(self, field: Any, value: Any) -> str | None:
        """Return the database that a value of a field names; None if it names none."""
        database_of = self.named.get(label_of(field.model), {}).get(field.name)
        return None if database_of is None or value is None else database_of(field.get_prep_value(value))

    def refuse_folding(self, field: Any, value: Any, database: str) -> None:
        """Refuse a text of a key that a database may find in another spelling, whose row is in another database.

        Raises:
            InvalidConfigError: The column takes two spellings for equal.
        """
        is_key = self.named[label_of(field.model)][field.name] == self.shards.of_key
        if not is_key or (database, field) in self._exact or not isinstance(field.get_prep_value(value), str):
            return
        connection, table = connections[database], field.model._meta.db_table
        with connection.cursor() as cursor:
            cursor.execute(question_of(*map(connection.ops.quote_name, (table, field.column))))
            if cursor.fetchone()[0]:
                raise folds(table, field.column, database)
        self._exact.add((database, field))

    def database_of(self, instance: models.Model) -> str:
        """Return the database of an object. A new one is given the id that names it.

        Raises:
            InvalidArgumentError: None of its fields that name the database has a value, or they name several.
        """
        key: Any = instance._meta.pk
        if instance.pk is None and key.name in self.named[label_of(instance)] and isinstance(key, MintedAutoField):
            instance.pk = key.get_pk_value_on_save(instance)
        found = dict(self.databases_named_by(instance))
        if len(set(found.values())) == 1:
            return found.popitem()[1]
        fields = " or ".join(self.named[label_of(instance)])
        problem = f"its fields name several databases: {found}" if found else f"set its {fields}: it names the database"
        raise InvalidArgumentError(f"{instance._meta.label} {instance.pk!r}: {problem}")

    def databases_named_by(self, instance: models.Model) -> Iterator[tuple[str, str]]:
        """Yield the fields of an object that have values, and the databases that these name."""
        absent = instance.get_deferred_fields()
        for name in self.named[label_of(instance)]:
            field: Any = instance._meta.get_field(name)
            value = None if field.attname in absent else getattr(instance, field.attname)
            database = self.database_of_value(field, value)
            if database is not None:
                yield name, database

    def db_for_read(self, model: Any, instance: Any = None, **hints: Any) -> str | None:
        """Return the database from which an object is read.

        Raises:
            InvalidArgumentError: The object is unknown: one database has not all rows of a model that is spread.
        """
        if not self.has(model):
            return self._database_of_other(model, instance)
        if is_row(instance, model):
            return self.database_of(instance)
        found = self.databases_referred_to(instance, model) if instance is not None else {None}
        if None not in found and len(found) <= 1 and all_queries_find_databases(model):
            # Without a reference, it is only for what databases have in common: the query finds its database by itself.
            return next(iter(found), self.shards.names[0])
        raise InvalidArgumentError(
            f"{model._meta.label} is spread over {', '.join(self.shards.names)}, and nothing names one of them: let"
            " each manager of the model be a leafmint.django.ShardedManager, or write objects.using(...)"
        )

    def databases_referred_to(self, instance: Any, model: Any) -> set[str | None]:
        """Return the databases of the rows of a model that an object refers to; None for one that is unknown."""
        keys = [field for field in instance._meta.concrete_fields if field.is_relation and field.related_model is model]
        values = [(key.target_field, getattr(instance, key.attname)) for key in keys]
        return {self.database_of_value(field, value) for field, value in values if value is not None}

    def db_for_write(self, model: Any, instance: Any = None, **hints: Any) -> str | None:
        """Return the database in which an object is written, or the objects that refer to another one."""
        if not self.has(model) or instance is None or is_row(instance, model):
            return self.db_for_read(model, instance)
        return self._database_of_referring(model, instance)

    def _database_of_referring(self, model: Any, instance: Any) -> str:
        """Return the database of the rows of a model that refer to an object."""
        for name in self.named[label_of(model)]:
            field = model._meta.get_field(name)
            if field.is_relation and is_row(instance, field.remote_field.model):
                database = self.database_of_value(field, getattr(instance, field.target_field.attname))
                if database is not None:
                    return database
        # Django also asks while it makes an object, whose database is found when it is saved.
        return Unrouted(f"none: {model._meta.label} is not spread by {instance._meta.label}")

    def _database_of_other(self, model: Any, instance: Any) -> str | None:
        """Return the database of a model that is not spread, for which Django would take that of the hint."""
        return self.others if instance is not None and self.has(instance) and router_of(model) is None else None

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool | None:
        """Return whether an object may refer to another one: not if both are spread, and in different databases."""
        spread = [(one, instance) for instance in (first, second) if (one := router_of(instance))]
        databases = {name for one, instance in spread for _, name in one.databases_named_by(instance)}
        return len(databases) <= 1 if spread else None

    def allow_migrate(self, db: str, app_label: str, model_name: str | None = None, **hints: Any) -> bool | None:
        """Return whether a database has the table of a model."""
        label = f"{app_label}.{model_name}".lower()
        if label in self.named:
            return db in self.shards.names
        is_other = model_name is not None and not any(label in one.named for one in shard_routers())
        return False if is_other and db in self.shards.names and db != self.others else None

    def _refuse_wrong_database(self, sender: Any, instance: Any, using: str, **kwargs: Any) -> None:
        if self.has(sender) and (database := self.database_of(instance)) != using:
            raise InvalidArgumentError(f"{sender._meta.label} {instance.pk!r} belongs to {database}, not to {using!r}")


def label_of(model: Any) -> str:
    """Return the name of a model, or of the model of an object."""
    label: str = model._meta.concrete_model._meta.label_lower
    return label


def is_row(instance: Any, model: Any) -> bool:
    """Return whether an object is a row of a model."""
    return isinstance(instance, models.Model) and (isinstance(instance, model) or label_of(instance) == label_of(model))


def all_queries_find_databases(model: Any) -> bool:
    """Return whether each manager of a model makes queries that go to the database which their conditions name."""
    managers = [*model._meta.managers, model._meta.base_manager]
    return all(getattr(manager._queryset_class, "finds_database", False) for manager in managers)


def shard_routers() -> list[ShardRouter]:
    """Return the routers of the project that spread models."""
    return [one for one in router.routers if isinstance(one, ShardRouter)]


def router_of(model: Any) -> ShardRouter | None:
    """Return the router of the project that spreads a model."""
    return next((one for one in shard_routers() if one.has(model)), None)
