"""A copy of the Django project `django_project`, whose scripts and commands run as processes."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_forks
from sqlalchemy import create_engine, make_url, text

DRIVERS = {"mysql": "mysql+pymysql", "postgresql": "postgresql+psycopg"}

SOURCE = Path(__file__).with_name("django_project")

SHARED = Path(__file__).parent
"""The folder of the settings that the projects share."""

BIG = {"DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField"}

ROWS = """
from django.db import migrations


def save(apps, schema_editor):
    items = apps.get_model("shop", "Item").objects
    items.create(name="of a migration")
    items.bulk_create([items.model(name="another")])


class Migration(migrations.Migration):
    dependencies = [("shop", "0001_initial")]
    operations = [migrations.RunPython(save)]
"""

PYTHON = [sys.executable, "-W", "error"]

BEGIN = "import django, leafmint\ndjango.setup()\n"

CREATE = "from shop.models import Item; print([Item.objects.create(name=str(n)).pk for n in range({})])"


SHOP = ["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.messages"]

NUMBERED = [*SHOP, "django.contrib.sessions", "leafmint.django", "shop", "billing"]

PLAIN = ["django.contrib.auth", "django.contrib.contenttypes", "leafmint.django", "shop"]
"""The applications of a project without pages."""

MODELS = """
from django.db import models
from leafmint.django import SeriesField


class Invoice(models.Model):
    issued_on = models.DateField(null=True)
    number = SeriesField(
        series="invoice", period="year", zone="Europe/Madrid", format="INV-{year}-{number:5}", on="issued_on"
    )


class Customer(models.Model):
    name = models.CharField(max_length=20)
    number = SeriesField(period="forever", format="C{number:4}")
"""

ADMIN = """
from django.contrib import admin
from .models import Customer


@admin.register(Customer)
class CustomerAdmin(admin.ModelAdmin):
    list_display = ["name", "number"]
    readonly_fields = ["number"]
"""


@dataclass
class Project:
    """A project in a folder of its own, with settings of its own."""

    folder: Path
    settings: dict[str, Any] = field(default_factory=dict)
    source: Path = SOURCE

    def __post_init__(self) -> None:
        """Copy the project."""
        shutil.copytree(self.source, self.folder, ignore=shutil.ignore_patterns("__pycache__"))

    def process(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run Python in the project."""
        if command[0] in ("-c", "manage.py"):
            return django_forks.run(PYTHON, command, self.folder, self.environment())
        return subprocess.run(
            [*PYTHON, *command], cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=300
        )

    def start(self, script: str) -> "subprocess.Popen[str]":
        """Start a script that goes on running, with pipes."""
        command, pipe = [*PYTHON, "-c", BEGIN + textwrap.dedent(script)], subprocess.PIPE
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment(), text=True, stdin=pipe, stdout=pipe, stderr=pipe
        )

    def environment(self) -> dict[str, str]:
        """Return the variables of a process of the project."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LEAFMINT_")}
        environment |= {"SETTINGS": json.dumps(patient(self.settings)), "DJANGO_SETTINGS_MODULE": "settings"}
        path = [str(SHARED), *filter(None, [os.environ.get("PYTHONPATH")])]
        return environment | {"PYTHONPATH": os.pathsep.join(path)}

    def manage(self, *command: str) -> str:
        """Run a command of `manage.py`, which must succeed, and return what it prints."""
        run = self.process("manage.py", *command)
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout + run.stderr

    def migrate(self, *apps: str) -> None:
        """Create the tables, by default those of the shop."""
        # In one process, because each takes most of its time to start.
        self.run(
            f"""
            from django.core.management import call_command
            call_command("makemigrations", *{apps or ("shop",)}, verbosity=0)
            call_command("migrate", verbosity=0)
            """
        )

    def migrate_all(self) -> None:
        """Create the tables of the shop in each database."""
        self.run(
            """
            from django.conf import settings
            from django.core.management import call_command
            call_command("makemigrations", "shop", verbosity=0)
            for name in settings.DATABASES:
                call_command("migrate", database=name, verbosity=0)
            """
        )

    def run(self, script: str) -> list[str]:
        """Run a script, which must succeed, and return the lines that it prints."""
        run = self.process("-c", BEGIN + textwrap.dedent(script))
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout.splitlines()


def patient(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings with times that a busy machine does not use up, unless a test has its own."""
    leafmint = settings.get("LEAFMINT", {})
    if not leafmint.get("DATABASE"):
        return settings
    options = {"timeout": 60, "connect_timeout": 60, **leafmint.get("OPTIONS", {})}
    return {**settings, "LEAFMINT": {**leafmint, "OPTIONS": options}}


def add_billing(project: Project) -> None:
    """Write an application whose rows have numbers."""
    folder = project.folder / "billing"
    (folder / "migrations").mkdir(parents=True)
    for name, source in {"migrations/__init__": "", "__init__": "", "models": MODELS, "admin": ADMIN}.items():
        (folder / f"{name}.py").write_text(source)


def server_database(url: str, name: str) -> dict[str, Any]:
    """Return Django's settings of a database of a test server."""
    parts = urlsplit(url)
    return {
        "ENGINE": f"django.db.backends.{parts.scheme}",
        "NAME": name,
        "HOST": parts.hostname,
        "PORT": parts.port or "",
        "USER": parts.username or "",
        "PASSWORD": parts.password or "",
    }


@contextmanager
def empty_database(url: str) -> Iterator[dict[str, Any]]:
    """Make a database on a test server, give Django's settings of it, and drop it."""
    name, server_url = f"django_{uuid.uuid4().hex[:8]}", make_url(url)
    server = create_engine(server_url.set(drivername=DRIVERS[server_url.drivername]), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        yield server_database(url, name)
        connection.execute(text(f"DROP DATABASE {name}"))
    server.dispose()


def save_rows(project: Project, number: int, after: str) -> None:
    """Write a migration that saves two rows."""
    rows = ROWS.replace("0001_initial", after).replace('name="', f'name="{number} ')
    (project.folder / f"shop/migrations/{number:04}_rows.py").write_text(rows)


def switch_with_rows(project: Project, databases: dict[str, Any]) -> None:
    """Let the project have keys of the database, two of which are deleted, and then switch to minted ones in one go.

    The migrations save rows before and after the switch.
    """
    project.settings = {**project.settings, **BIG, "DATABASES": databases}
    (project.folder / "shop/migrations/0001_initial.py").unlink()
    project.manage("makemigrations", "shop", "-v0")
    save_rows(project, 2, "0001_initial")
    project.manage("migrate", "-v0")
    assert project.run(CREATE.format(3)) == ["[3, 4, 5]"]
    project.run("from shop.models import Item; Item.objects.filter(pk__gt=3).delete()")
    del project.settings["DEFAULT_AUTO_FIELD"]
    project.manage("makemigrations", "shop", "-v0", "--name=switch")
    save_rows(project, 4, "0003_switch")
