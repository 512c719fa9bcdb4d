"""Creates leafmint's tables in the database that the setting LEAFMINT names."""

from django.db import migrations

from leafmint.django.operations import CreateTables


class Migration(migrations.Migration):
    """Creates the tables."""

    initial = True
    dependencies = ()
    operations = (CreateTables(),)
