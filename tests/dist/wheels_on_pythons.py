"""Installs the wheel into an empty environment of each Python that is there, and runs the tests of the binding."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from commands import TOP, run
from pythons import VERSIONS, constraints, environment, install, interpreters
from report import Row, check, say

PYTEST = ["-m", "pytest", "-q", "-n", "2", "-p", "published_wheel", "-p", "no:cacheprovider", "--tb=short"]
# Other libraries, which are not all there for each Python, and the stub, which is compared in the sources.
PYTEST += ["--ignore-glob=*_libraries.py", "--ignore=py/tests/test_django_keys.py", "--ignore=py/tests/test_stubs.py"]
MINT = """
import sys, leafmint
with leafmint.SegmentGenerator("sqlite:///ids.db") as ids, leafmint.SnowflakeGenerator("local:workers") as flakes:
    print(ids.tag("order").next_ids(3), flakes.next_id() < flakes.next_id(), hasattr(leafmint._core, "_panic"))
assert leafmint.__file__.startswith(sys.prefix), "not the sources"
"""


def install_and_mint(python: Path, folder: Path, wheel: Path) -> Path:
    """Installs a wheel alone into an empty environment and mints; returns the environment's interpreter."""
    inside = environment(python, folder / "venv")
    install(inside, "--no-index", wheel)
    printed = run([inside, "-I", "-c", MINT], folder).split("\n")[0]
    check(printed == "[1, 2, 3] True False", f"{wheel.name} printed {printed}")
    printed = run([inside.with_name("leafmint"), "decode", "2116681624581074986"], folder)
    check("worker" in printed, f"the command leafmint printed {printed}")
    return inside


def run_tests(python: Path, folder: Path, *options: str) -> str:
    """Runs the tests of the binding next to an installed wheel, and returns how many passed and were left out."""
    copy_tests(folder)
    return summary(run([python, *PYTEST, *options, "py/tests"], folder, {"PYTHONPATH": str(TOP / "tests/dist")}))


def summary(printed: str) -> str:
    """Returns how many tests passed and were left out, from what pytest printed."""
    last = printed.rstrip().splitlines()[-1]
    passed, skipped = re.findall(r"(\d+) passed", last), re.findall(r"(\d+) skipped", last)
    check(bool(passed), f"no test ran: {last}")
    left_out = [f" ({count} left out: they need a server, test hooks or a real processor)" for count in skipped]
    return f"{passed[0]} tests{''.join(left_out)}"


def copy_tests(folder: Path) -> None:
    """Copies the tests and what they read, without the sources of the package."""
    for name in ("py/tests", "tests/vectors", "docs"):
        shutil.copytree(TOP / name, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("py/README.md", "pyproject.toml"):
        shutil.copy2(TOP / name, folder / name)


def check_on_every_python(row: Row, wheel: Path, folder: Path) -> None:
    """Installs, mints and runs the tests on each version of Python."""
    found = interpreters()
    check(bool(found), f"there is no Python of {', '.join(VERSIONS)}")
    for version in VERSIONS:
        if version not in found:
            row.left_out.append(f"CPython {version}: not on this machine")
            continue
        say(f"{wheel.name} on CPython {version}")
        home = folder / version
        home.mkdir()
        python = install_and_mint(found[version], home, wheel)
        row.done.append(f"CPython {version}: {with_all_tests(python, version, home)}")


def with_all_tests(python: Path, version: str, home: Path) -> str:
    """Installs what the tests import and runs them."""
    # Of several packages, the newest no longer support 3.10.
    pinned = [] if version == "3.10" else ["--constraint", constraints(home)]
    install(python, "--requirement", TOP / "tests/dist/requirements.txt", *pinned)
    return run_tests(python, home)
