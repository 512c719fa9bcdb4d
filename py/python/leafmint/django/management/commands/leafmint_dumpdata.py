"""`manage.py leafmint_dumpdata`: writes typed ids to JSON as numbers, so that fixtures survive other keys."""

from __future__ import annotations

from typing import Any

from django.core import serializers
from django.core.management.commands import dumpdata

NUMBERS = "json with numbers"


class Command(dumpdata.Command):
    """Django's `dumpdata`, with numbers for typed ids."""

    def handle(self, *app_labels: str, **options: Any) -> None:
        """Write the fixture."""
        if options["format"] == "json" and serializers.get_serializer("json").__module__.startswith("django."):
            serializers.register_serializer(NUMBERS, "leafmint.django.typed_ids.numbers_json")
            options["format"] = NUMBERS
        super().handle(*app_labels, **options)
