"""The application that a project installs."""

from __future__ import annotations

from django.apps import AppConfig

from . import configuration


class LeafmintConfig(AppConfig):
    """Configures late-bound tags from the setting LEAFMINT."""

    name = "leafmint.django"
    label = "leafmint"
    verbose_name = "leafmint"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the setting."""
        configuration.configure()
