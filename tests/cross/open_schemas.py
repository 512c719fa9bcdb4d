"""The schemas of real projects: the samples of this one, and two large open ones as their migrations make them."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from id_texts import ENVIRONMENT
from shops import APPS, leafmint
from surveyed import Surveyed

OPEN = APPS / "open_schemas"
SCHEMAS = ["django_shop", "spring_shop", "wagtail", "oscar"]


def make(schema: str, database: Surveyed, scratch: Path) -> None:
    """Makes the tables of a project."""
    if schema == "spring_shop":
        for statement in (APPS / "spring_shop/src/main/resources/schema.sql").read_text().split(";"):
            if statement.strip():
                database.run(statement)
    elif schema == "django_shop":
        assert leafmint("init", "--url", database.url).returncode == 0
        command = [sys.executable, "manage.py", "migrate", "--run-syncdb", "-v", "0"]
        done(command, APPS / schema, database.url, LEAFMINT_URL=database.url, QUEUE_FOLDER=str(scratch))
    else:
        command = [str(projects()), "-m", "django", "migrate", "--skip-checks", "--settings", f"settings_{schema}"]
        done([*command, "-v", "0"], OPEN, database.url)


def done(command: list[str], folder: Path, url: str, **variables: str) -> None:
    """Runs a command that makes tables."""
    environment = {**os.environ, "DATABASE_URL": url, "PYTHONDONTWRITEBYTECODE": "1", **ENVIRONMENT, **variables}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def projects() -> Path:
    """Returns an interpreter that has the open projects; installs them the first time."""
    from unpacked import cache

    wanted = OPEN / "requirements.txt"
    version = hashlib.sha256(wanted.read_bytes() + sys.version.encode()).hexdigest()[:12]
    folder = cache() / f"open-schemas-{version}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (cache() / "open-schemas.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
            pip = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "--requirement", str(wanted)], check=True)
            (folder / "ready").touch()
    return folder / "bin/python"
