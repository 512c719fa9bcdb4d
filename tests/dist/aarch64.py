"""Runs wheel and JAR for aarch64 in an unpacked Debian under emulation, apart and together."""

from __future__ import annotations

import shutil
import subprocess
import sys
from array import array
from pathlib import Path

import jar_on_jdks
import wheels_on_pythons
from commands import TOP, run
from foreign_debian import JAVA, PYTHON, ForeignDebian
from published_jars import jar_of
from pythons import constraints
from report import Report, check, say

# pip does not know that Debian's C library is newer than the oldest that wheels ask for.
FOREIGN = ["--platform", "manylinux2014_aarch64", "--platform", "manylinux_2_28_aarch64", "--python-version", "3.11"]
COMMAND = f"#!{PYTHON}\nimport sys\nfrom leafmint.cli import main\nsys.exit(main())\n"
# Tests of the Java binding that are left out.
NOT_EMULATED = [
    # Eight threads mint beside a garbage collection without end, within 30 seconds.
    "garbageCollectionHandsOutNoIdTwice",
    # It mounts a file system in namespaces of its own, which do not nest here.
    "aTempDirectoryWithoutExecutionGetsTheNameOfTheProperty",
    # It counts memory, of which the emulator needs its own.
    "unreachableGeneratorsLeaveNothingBehind",
]
# Each in a process of its own, several at a time, on one file.
MINTERS = ["Python", "Java", "Python", "Java"]
IDS = 20_000


def python(report: Report, debian: ForeignDebian, wheel: Path) -> None:
    """Installs the wheel, mints and runs the tests."""
    site = debian.root / "opt/site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    run([*pip, "--no-index", *FOREIGN, "--target", site, wheel], debian.root)
    row = report.row("wheel", "linux-aarch64")
    say(f"{wheel.name} on an emulated aarch64, with CPython 3.11")
    for name in ("leafmint", "pytest"):
        (debian.root / "usr/bin" / name).unlink(missing_ok=True)
    (debian.root / "usr/bin/leafmint").write_text(COMMAND)
    (debian.root / "usr/bin/leafmint").chmod(0o755)
    mint = wheels_on_pythons.MINT.replace("sys.prefix", "'/opt/site'")
    printed = debian.run([PYTHON, "-c", mint], "/tmp", PYTHONPATH="/opt/site").split("\n")[0]
    check(printed == "[1, 2, 3] True False", f"{wheel.name} printed {printed}")
    others = debian.root / "opt/others"
    wanted = ["--requirement", TOP / "tests/dist/requirements.txt", "--constraint", constraints(debian.root)]
    run([*pip, *FOREIGN, "--target", others, *wanted], debian.root)
    row.done.append(f"emulated, CPython 3.11: {tests(debian)}")


def tests(debian: ForeignDebian) -> str:
    """Runs the tests of the Python binding, and returns how many passed and were left out."""
    home = debian.root / "opt/tests"
    home.mkdir()
    wheels_on_pythons.copy_tests(home)
    for plugin in ("published_wheel.py", "emulated_processor.py"):
        shutil.copy2(TOP / "tests/dist" / plugin, home)
    path = "/opt/site:/opt/others:/opt/tests"
    command = [PYTHON, *wheels_on_pythons.PYTEST, "-p", "emulated_processor", "py/tests"]
    return wheels_on_pythons.summary(debian.run(command, "/opt/tests", PYTHONPATH=path))


def java(report: Report, debian: ForeignDebian, mint: Path) -> None:
    """Runs the tests of the Java binding."""
    say("leafmint.jar on an emulated aarch64, with JDK 17")
    inside = debian.root / "opt/java"
    class_path = jar_on_jdks.prepare(inside)
    libraries = inside / "libraries"
    libraries.mkdir()
    for library in [jar_of("leafmint"), *class_path]:
        shutil.copy2(library, libraries)
    shutil.copy2(mint, inside)
    tests = "/opt/java/target/test-classes"
    command = jar_on_jdks.command(Path(JAVA), tests, "/opt/java/libraries/*", without=NOT_EMULATED)
    passed = jar_on_jdks.summary(debian.run(command, "/opt/java"))
    row = report.row("leafmint.jar", "linux-aarch64")
    row.done.append(f"emulated, JDK 17: {passed}, {len(NOT_EMULATED)} tests left out")


def together(report: Report, debian: ForeignDebian) -> None:
    """Mints with Java and Python on one SQLite file at the same time."""
    say("Java and Python on one SQLite file, emulated")
    shutil.copy2(TOP / "examples/mint.py", debian.root / "opt")
    minters = {
        "Python": [PYTHON, "/opt/mint.py"],
        "Java": [JAVA, "-cp", "/opt/java:/opt/java/libraries/*", "Mint"],
    }
    environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "PYTHONPATH": "/opt/site"}
    running = []
    for number, name in enumerate(MINTERS):
        arguments = ["sqlite:////tmp/shared.db?default_step=10&max_step=50", "order", IDS, f"/tmp/ids-{number}", 1000]
        command = debian.command([*minters[name], *map(str, arguments)], "/tmp")
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        running.append(subprocess.Popen(command, env=environment, text=True, **pipes))  # type: ignore[call-overload]
    ids: list[int] = []
    for number, process in enumerate(running):
        printed, _ = process.communicate(timeout=900)
        check(process.returncode == 0, f"{MINTERS[number]} on aarch64: {printed}")
        words = array("q", (debian.root / f"tmp/ids-{number}").read_bytes())
        ids += [word for word in words if word != -1]
    check(len(ids) == len(MINTERS) * IDS, f"{len(ids)} ids instead of {len(MINTERS) * IDS}")
    check(len(set(ids)) == len(ids), f"{len(ids) - len(set(ids))} ids are there twice")
    for row in (report.row("wheel", "linux-aarch64"), report.row("leafmint.jar", "linux-aarch64")):
        row.done.append(f"Java and Python on one SQLite file: {len(ids):,} ids, none twice")
