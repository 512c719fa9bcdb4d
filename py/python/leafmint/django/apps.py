"""The application that a project installs."""

from __future__ import annotations

from django.apps import AppConfig
from django.core import checks
from django.core.signals import request_started, setting_changed
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate

from . import configuration, hooks, operations
from .auto_increment import column_sequences, raised_tags, returned_keys
from .checks import columns as column_checks
from .checks import generic_keys as generic_key_checks
from .checks import settings as setting_checks
from .checks import shards as shard_checks
from .typed_ids import foreign_keys as typed_foreign_keys
from .typed_ids import migration_values


class LeafmintConfig(AppConfig):
    """Configures late-bound tags from the setting LEAFMINT."""

    name = "leafmint.django"
    label = "leafmint"
    verbose_name = "leafmint"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Read the setting, and follow what Django does to databases."""
        configuration.configure()
        typed_foreign_keys.give_types()
        migration_values.register()
        if column_sequences.are_leased_from():
            raised_tags.keep_sequences_up()
        checks.register(setting_checks.check_setting)
        checks.register(setting_checks.check_deployment, deploy=True)
        checks.register(generic_key_checks.check_generic_keys)
        checks.register(shard_checks.check_shards)
        checks.register(column_checks.check_columns, checks.Tags.database)
        connection_created.connect(hooks.on_connection)
        setting_changed.connect(hooks.on_setting_changed)
        request_started.connect(hooks.on_first_request)
        pre_migrate.connect(operations.before_migrate)
        pre_migrate.connect(raised_tags.before_migrate)
        pre_migrate.connect(returned_keys.before_migrate)
        post_migrate.connect(returned_keys.after_migrate)
        post_migrate.connect(raised_tags.after_migrate)
        hooks.renew_after_fork()
