"""The fields whose values leafmint mints when a row is saved."""

from __future__ import annotations

import sys
import threading
from typing import Any

from django.core.checks import CheckMessage
from django.db import models
from django.db.migrations.state import StateApps
from django.utils.functional import cached_property

from .. import InvalidArgumentError, LateTag, TypedId, snowflake, tag
from ..sharding import gene_of_value
from .auto_increment import column_sequences
from .auto_increment.first_ids import above_rows, first_number, next_id, next_id_of_migration
from .checks.fields import check_gene, check_installed, check_tag, check_value_source
from .column_limits import ColumnLimits
from .typed_ids.columns import TypedColumn, TypedKey
from .typed_ids.texts import need_texts

__all__ = ["SegmentAutoField", "SnowflakeAutoField", "TypedIdField"]

OURS = "leafmint.django."
"""Where migrations name the fields."""


def is_out_of_reach(model: type[models.Model]) -> bool:
    """Return whether no migration alters the key of a model: its column goes on counting, whatever the setting says.

    Django's record of migrations is older than any table of leafmint. The tables of many-to-many relations stay as they
    were made, and so do those that Django does not manage.
    """
    return model._meta.db_table == "django_migrations" or bool(model._meta.auto_created) or not model._meta.managed


class TypedIfNamed(type):
    """Makes a field of a class of its own if a type of ids is named: the class itself is a field of integers."""

    typed: Any

    def __call__(cls, *args: Any, type: Any = None, **kwargs: Any) -> Any:
        """Make a field."""
        if type is None:
            return super().__call__(*args, **kwargs)
        if "typed" not in cls.__dict__:
            raise TypeError(f"{cls.__name__} has integers: extend {cls.typed.__name__}, and give that the type")
        return cls.typed(*args, type=type, **kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        """Return whether a field is one of the class, with a type of ids or without."""
        return super().__instancecheck__(instance) or ("typed" in cls.__dict__ and isinstance(instance, cls.typed))


class ThreadsSave(threading.local):
    """What the save that is under way in a thread has asked."""

    minted: Any = None
    """The field that minted the id of its row, between two questions of Django."""


save = ThreadsSave()
SAVING = models.Model._save_table.__code__


class HasMintedId(int):
    """Is true, as the `_state.adding` of an instance whose id a field has minted, and which is no row yet.

    `save` of Django 5.2 and 6 asks whether an instance is added, and next whether its key has a default. Others may ask
    the first, too, so it counts only what `save` asks.
    """

    field: Any

    def __bool__(self) -> bool:
        if sys._getframe(1).f_code is SAVING:
            save.minted = self.field
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a copy of the instance has, which may be in a process that knows no such field."""
        return bool, (True,)


class MintedAutoField(models.Field):
    """A primary key whose value is known before the INSERT. The column is a plain bigint."""

    # The database has no value to return, and no sequence.
    db_returning = False
    type: Any = None

    def __init__(self, *args: Any, gene: str | None = None, gene_bits: int = 0, **kwargs: Any) -> None:
        """Make a primary key: an auto field cannot be anything else."""
        kwargs.setdefault("primary_key", True)
        self.gene = gene
        self.gene_bits = gene_bits
        super().__init__(*args, **kwargs)

    def contribute_to_class(self, cls: type[models.Model], name: str, **kwargs: Any) -> None:
        """Join a model, unless no migration can alter its key: that stays Django's own."""
        if self.auto_created and is_out_of_reach(cls):
            plain = models.BigAutoField(verbose_name="ID", primary_key=True, auto_created=True)
            plain.contribute_to_class(cls, name, **kwargs)
        else:
            super().contribute_to_class(cls, name, **kwargs)

    def has_default(self) -> bool:
        """Return whether the id of a new row is minted: `save` must not try to update a row first.

        An id of the caller's may be that of a row.
        """
        minted, save.minted = save.minted, None
        return minted is self

    def get_default(self) -> None:
        """Return nothing: an instance that is never saved takes no id."""

    def get_pk_value_on_save(self, instance: models.Model) -> int | TypedId:
        """Return the id of a row that is saved without one."""
        if self.type is not None and not isinstance(instance._meta.apps, StateApps):
            # A service would store the row, and only then fail to show its id. A migration shows none.
            need_texts(self.type)
        id = self.mint(None if self.gene is None else self.gene_of_row(instance))
        instance._state.adding = self._minted
        return id if self.type is None else self.type(id)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Return a value that is saved."""
        # Saves of many rows spend much of their time on preparing integers that need no preparation.
        if not (type(value) is int and value > 0 and self._prepares_as_django):
            value = super().get_db_prep_save(value, connection)
        if connection.vendor == "mysql" and type(value) is int:
            return self._limits.fitting(value, connection)
        return value

    @cached_property  # type: ignore[untyped-decorator]
    def _minted(self) -> HasMintedId:
        minted = HasMintedId(True)
        minted.field = self
        return minted

    @cached_property  # type: ignore[untyped-decorator]
    def _limits(self) -> ColumnLimits:
        return ColumnLimits(self)

    @cached_property  # type: ignore[untyped-decorator]
    def _prepares_as_django(self) -> bool:
        own, django = type(self), models.BigAutoField
        return (own.get_prep_value, own.get_db_prep_value) == (django.get_prep_value, django.get_db_prep_value)

    def gene_of_row(self, instance: models.Model) -> int:
        """Return the gene that the id of a row carries.

        Raises:
            InvalidArgumentError: The field that it is computed from has no value.
        """
        field: Any = instance._meta.get_field(self.gene)
        key = field.get_prep_value(getattr(instance, field.attname))
        if key is None:
            raise InvalidArgumentError(f"the id of {instance._meta.label} carries the gene of its {self.gene}: set it")
        return gene_of_value(key, self.gene_bits)

    def mint(self, gene: int | None = None) -> int:
        """Return a new id."""
        raise NotImplementedError

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Find arguments that contradict a minted value."""
        return [*super().check(**kwargs), *check_installed(self), *check_value_source(self), *check_gene(self)]

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return what a migration writes."""
        name, path, args, kwargs = super().deconstruct()
        if self.gene is not None:
            kwargs |= {"gene": self.gene, "gene_bits": self.gene_bits}
        return (
            name,
            path.replace("leafmint.django.fields.Typed", OURS).replace("leafmint.django.fields.", OURS),
            args,
            kwargs,
        )


class IntegerKey(models.BigAutoField):
    """A primary key of integers that the database does not count."""

    def get_internal_type(self) -> str:
        """Return the type of a column without AUTO_INCREMENT or identity."""
        return "BigIntegerField"


class MintedByTag(MintedAutoField):
    """A primary key with the ids of a tag."""

    def __init__(self, *args: Any, tag: str | None = None, **kwargs: Any) -> None:
        """Name the tag."""
        self.tag = tag
        self._late_tag: LateTag | None = None
        self._is_above_rows = True
        super().__init__(*args, **kwargs)

    def get_internal_type(self) -> str:
        """Return the type of a column with identity, if ids are leased from its sequence: it must keep that."""
        return "BigAutoField" if column_sequences.are_leased_from() else super().get_internal_type()

    @property
    def late_tag(self) -> LateTag:
        """The tag that mints the ids."""
        name = self.tag or self.model._meta.db_table
        late_tag = self._late_tag
        if late_tag is None or late_tag.name != name:
            self._late_tag = late_tag = tag(name, gene_bits=self.gene_bits)
        return late_tag

    def contribute_to_class(self, cls: type[models.Model], name: str, **kwargs: Any) -> None:
        """Join a model. Of a migration, its table may have rows whose ids came from elsewhere in the same run."""
        super().contribute_to_class(cls, name, **kwargs)
        self._is_above_rows = not isinstance(cls._meta.apps, StateApps)

    def mint(self, gene: int | None = None) -> int:
        """Return the next id of the tag."""
        if gene is not None:
            return next_id(self.late_tag, self.model, gene)
        if self._is_above_rows:
            id = next_id(self.late_tag, self.model)
            # Rows of a fixture may have come since the tag was created. Only one call gets its first id.
            return id if id != self._first_number else above_rows(self.late_tag, self.model, id)
        id = next_id_of_migration(self.late_tag, self.model)
        self._is_above_rows = True
        return id

    @cached_property  # type: ignore[untyped-decorator]
    def _first_number(self) -> int:
        return first_number()

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Find a name that no tag can have."""
        return [*super().check(**kwargs), *check_tag(self)]

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return what a migration writes, with the tag if it was named."""
        name, path, args, kwargs = super().deconstruct()
        if self.tag is not None:
            kwargs["tag"] = self.tag
        return name, path, args, kwargs


class TypedSegmentAutoField(MintedByTag, TypedKey):
    """A `SegmentAutoField` with a type of ids, which is no field of integers."""

    description = "Typed id that leafmint mints"


class SegmentAutoField(MintedByTag, IntegerKey, metaclass=TypedIfNamed):
    """A primary key with the ids of a tag: small numbers that count up.

    Args:
        tag: The name of the tag, 1 to 128 characters; by default the model's table.
        type: A type of ids, such as `OrderId`, which instances then have; by default they have ints.
        gene: The name of the field whose gene each id carries, such as "user".
        gene_bits: The number of gene bits, 1 to 12.
    """

    description = "Integer that leafmint mints"

    typed = TypedSegmentAutoField


class MintedSnowflake(MintedAutoField):
    """A primary key with snowflakes."""

    def mint(self, gene: int | None = None) -> int:
        """Return the next snowflake."""
        return snowflake().next_id(gene=gene)


class TypedSnowflakeAutoField(MintedSnowflake, TypedKey):
    """A `SnowflakeAutoField` with a type of ids, which is no field of integers."""

    description = "Typed snowflake that leafmint mints"


class SnowflakeAutoField(MintedSnowflake, IntegerKey, metaclass=TypedIfNamed):
    """A primary key with snowflakes: 63-bit ids that contain the time.

    Args:
        type: As in `SegmentAutoField`.
        gene: As in `SegmentAutoField`. The layout of the snowflakes has the gene bits, too.
        gene_bits: As in `SegmentAutoField`.
    """

    description = "Snowflake that leafmint mints"
    typed = TypedSnowflakeAutoField


class TypedIdField(TypedColumn):
    """A bigint column of typed ids, for ids that are neither the key nor a foreign key.

    Instances have values such as `OrderId`, rows have numbers, forms have texts. Lookups take a typed id, its text, or
    the application's own number.

    Args:
        type: The type of ids.

    Example:
        >>> import leafmint
        >>> from leafmint.django import TypedIdField
        >>> class OrderId(leafmint.TypedId, prefix="order"): ...
        >>> TypedIdField(OrderId, null=True).to_python(42) == OrderId(42)
        True
    """

    def __init__(self, type: type[TypedId], *args: Any, **kwargs: Any) -> None:
        """Name the type of ids."""
        super().__init__(*args, type=type, **kwargs)

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Find out whether the application is missing that reads the keys."""
        return [*super().check(**kwargs), *check_installed(self)]

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return what a migration writes."""
        name, path, args, kwargs = super().deconstruct()
        return name, path.replace("leafmint.django.fields.", OURS), args, kwargs
