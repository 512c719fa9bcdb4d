"""An application that has leafmint but does not use it is as it was: what leafmint installs for a whole process."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django_projects import Project

MODULES = (
    "leafmint",
    "leafmint.sqlalchemy",
    "leafmint.alembic",
    "leafmint.pydantic",
    "leafmint.testing",
    "leafmint.web",
)
METERS = ("leafmint.prometheus", "leafmint.opentelemetry")

STATE = """
import asyncio, atexit, gc, importlib, json, logging, os, pathlib, signal, sys, threading, warnings
import alembic, numpy, opentelemetry.metrics, prometheus_client, pydantic, sqlalchemy.orm


def state():
    return {
        "threads": sorted(file.read_text() for file in pathlib.Path("/proc/self/task").glob("*/comm")),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "signals": [str(signal.getsignal(number)) for number in signal.valid_signals()],
        "masked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "hooks": [str(hook) for hook in (sys.excepthook, sys.unraisablehook, threading.excepthook, sys.displayhook)],
        "finders": [str(finder) for finder in sys.meta_path + sys.path_hooks],
        "tracing": [str(sys.gettrace()), str(sys.getprofile()), gc.callbacks, gc.get_threshold(), gc.isenabled()],
        "switch interval": sys.getswitchinterval(),
        "warnings": str(warnings.filters),
        "root logger": [str(logging.root.handlers), logging.root.level, str(logging.getLoggerClass())],
        "event loops": str(asyncio.get_event_loop_policy()) if sys.version_info < (3, 14) else "",
        "environment": dict(os.environ),
        "flushes": len(sqlalchemy.orm.Session().dispatch.before_flush),
        "dialects": sqlalchemy.create_engine("sqlite://").dialect._has_events,
        "meters": [str(collector) for collector in prometheus_client.REGISTRY._collector_to_names],
        "atexit": atexit._ncallbacks(),
    }


state(), asyncio.new_event_loop().close()
before = state()
for name in sys.argv[1:]:
    importlib.import_module(name)
after = state()
print(json.dumps({key: [before[key], after[key]] for key in before if before[key] != after[key]}))
"""


def changes(*modules: str) -> dict[str, list[object]]:
    """Return what imports change in a process."""
    run = subprocess.run([sys.executable, "-W", "error", "-c", STATE, *modules], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found: dict[str, list[object]] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("modules", [("leafmint",), MODULES + METERS])
def test_an_import_registers_one_function_for_the_exit_and_nothing_else(modules: tuple[str, ...]) -> None:
    changed = changes(*modules)
    before, after = changed.pop("atexit")
    assert isinstance(before, int)
    assert after == before + 1
    assert changed == {}


def test_the_logger_has_a_handler_that_prints_nothing() -> None:
    script = "import logging, leafmint; print(logging.getLogger('leafmint').handlers, logging.root.handlers)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "[<NullHandler (NOTSET)>] []\n", run.stderr


def test_a_fork_and_an_exit_of_a_process_that_mints_nothing_start_nothing() -> None:
    script = """
import atexit, os
atexit.register(lambda: print(len(os.listdir("/proc/self/task"))))
import leafmint
if os.fork():
    os.wait()
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("1\n1\n", "")


@pytest.fixture
def gallery(tmp_path: Path) -> Project:
    """Return a Django project with every kind of model, whose keys the database counts."""
    return Project(tmp_path / "project", source=Path(__file__).with_name("django_gallery"))


@pytest.mark.parametrize("key", ["django.db.models.BigAutoField", "leafmint.django.SegmentAutoField"])
def test_a_django_project_with_every_kind_of_model(gallery: Project, key: str) -> None:
    gallery.settings = {"DEFAULT_AUTO_FIELD": key}
    if key.startswith("leafmint"):
        gallery.settings["LEAFMINT"] = {"DATABASE": "default"}
    (gallery.folder / "gallery/migrations/0002_places.py").rename(gallery.folder / "0002_places.py")
    gallery.manage("makemigrations", "gallery", "-v0")
    (gallery.folder / "0002_places.py").rename(gallery.folder / "gallery/migrations/0002_places.py")
    gallery.manage("migrate", "-v0")
    gallery.manage("migrate", "-v0", "gallery", "0001")
    gallery.manage("migrate", "-v0")
    places = "from gallery.models import Place, Restaurant; print([place.pk for place in Place.objects.order_by('pk')])"
    assert gallery.run(places) == ["[1, 2, 3, 4]"]
    assert gallery.run(f"{places}\nprint(Restaurant.objects.create().pk)")[-1] == "5"
    shown = gallery.manage("test", "--parallel", "2", "--noinput")
    assert "Ran 4 tests" in shown
    assert "OK" in shown


def test_a_django_project_without_the_setting_makes_no_more_queries(gallery: Project) -> None:
    script = """
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    call_command("migrate", verbosity=0)
    with CaptureQueriesContext(connection) as queries:
        call_command("migrate", verbosity=0)
        call_command("check", databases=["default"])
    print(len(queries))
    """
    gallery.settings = {"INSTALLED_APPS": ["django.contrib.auth", "django.contrib.contenttypes", "gallery"]}
    gallery.settings["MIGRATION_MODULES"] = {"gallery": None}
    without = gallery.run(script)
    (gallery.folder / "app.sqlite3").unlink()
    gallery.settings["INSTALLED_APPS"] += ["leafmint.django"]
    assert gallery.run(script) == without
