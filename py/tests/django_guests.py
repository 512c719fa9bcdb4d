"""A process with the Django project `django_typed` that runs scripts: libraries of the gallery meet its models."""

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, Any

from django_projects import NUMBERED, Project

APPS = ("rest_framework", "django_filters", "drf_spectacular", "django_tables2", "graphene_django", "strawberry_django")
TABLES = ("actstream", "guardian")
"""Applications with tables."""

LOOP = """
import contextlib, io, json, logging, sys, django
django.setup()
logging.disable(logging.CRITICAL)
from django.core.management import call_command
from django.db import connection, transaction
from gallery import sayings

for name in TABLES:
    call_command("migrate", name, verbosity=0)
answers = sys.stdout
for line in sys.stdin:
    names, printed, said = {"__name__": "__main__"}, io.StringIO(), []
    try:
        with contextlib.redirect_stdout(printed), transaction.atomic():
            exec(PRELUDE + json.loads(line), names)
            transaction.set_rollback(True)
    except Exception as error:
        said = list(sayings(error))
    print(json.dumps([printed.getvalue().splitlines(), said]), file=answers, flush=True)
"""

PRELUDE = """
import json, leafmint
from django.db import models
from django.test import Client, RequestFactory
from shop.ids import EventId, ItemId, OrderId, PersonId
from shop.models import Event, Invoice, Item, Note, Order, Person

ada = Person.objects.create(username="ada")
order, other = Order.objects.bulk_create([Order(pk=4711, buyer=ada, replaces=4000), Order(pk=4712)])
event = Event.objects.create(order=order)

def show(*lines):
    for line in lines:
        # The text is there, and no digits of a number.
        print(str(line).replace(str(order.pk), "TEXT").replace(str(other.pk), "OTHER").replace(str(ada.pk), "ADA")
              .replace(str(event.pk), "EVENT").replace(str(OrderId(4000)), "REPLACED"))
"""


class Refused(Exception):
    """What a script raised."""


class Guests:
    """Runs scripts, each rolled back, next to a person, two orders and an event."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        """Take a process that runs the loop."""
        self.process = process

    def run(self, script: str) -> list[str]:
        """Run a script and return the lines that it shows.

        Raises:
            Refused: The script raised an error. Its causes are the causes of this one.
        """
        streams: tuple[Any, ...] = (self.process.stdin, self.process.stdout)
        into, out = streams
        print(json.dumps(textwrap.dedent(script)), file=into, flush=True)
        printed, said = json.loads(out.readline())
        if said:
            raise Refused("\n".join(said))
        lines: list[str] = printed
        return lines


@contextmanager
def started(project: Project) -> Iterator[Guests]:
    """Start the process."""
    tables = [name for name in TABLES if find_spec(name)]
    apps = [*NUMBERED[:-1], *(name for name in APPS if find_spec(name)), *tables]
    keys = ["lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"]
    leafmint = {"URL": "memory:", "SNOWFLAKE_URL": "local:workers", "ID_KEYS": keys}
    rest = {"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema"} if "drf_spectacular" in apps else {}
    project.settings = {"INSTALLED_APPS": apps, "LEAFMINT": leafmint, "REST_FRAMEWORK": rest}
    script = f"PRELUDE, TABLES = {PRELUDE!r}, {tables!r}\n{LOOP}"
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=project.folder,
        env=project.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Guests(process)
        streams: list[IO[str] | None] = [process.stdin]
        for stream in streams:
            if stream is not None:
                stream.close()
