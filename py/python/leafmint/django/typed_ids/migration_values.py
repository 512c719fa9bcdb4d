"""Typed ids in migrations: as defaults of fields, and in conditions of constraints and indexes."""

from __future__ import annotations

from django.db.migrations.serializer import BaseSerializer, serializer_factory
from django.db.migrations.writer import MigrationWriter

from ... import TypedId


class TypedIdSerializer(BaseSerializer):
    """Writes a typed id as its type and its number, which needs no keys."""

    def serialize(self) -> tuple[str, set[str]]:
        """Return the expression and its imports."""
        kind, imports = serializer_factory(type(self.value)).serialize()
        return f"{kind}({int(self.value)})", set(imports)


def register() -> None:
    """Let Django write typed ids."""
    MigrationWriter.register_serializer(TypedId, TypedIdSerializer)
