"""Type checks as applications do: basedpyright and mypy, both strict, over programs that use the installed package.

The programs are in `typed/`. They are checked in environments of their own, one of which has NumPy and SQLAlchemy.
Without NumPy, the arrays of ids have no known type. Everything else that leafmint exports must have one.
"""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import numpy

PROJECT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "typed"
TOOLS = Path(sys.executable).parent

UNTYPED_BASES = ("leafmint.django.",)
"""Modules whose classes extend those of a package without types."""


def run(command: list[str], directory: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of the environment that runs this program."""
    tool = [str(TOOLS / command[0]), *command[1:]]
    return subprocess.run(tool, cwd=directory, capture_output=True, text=True, env=os.environ | environment)


def make_environment(directory: Path, packages: list[Path]) -> Path:
    """Make an environment with leafmint and these packages. Return its interpreter."""
    venv.create(directory, with_pip=False)
    (site_packages,) = directory.glob("lib/python3*/site-packages")
    for package in [PROJECT / "py" / "python" / "leafmint", *packages]:
        (site_packages / package.name).symlink_to(package)
    return directory / "bin" / "python"


def check_programs(directory: Path, python: Path, names: list[str]) -> list[str]:
    """Return what the two type checkers report."""
    programs = [directory / name for name in names]
    for program in programs:
        program.write_text((PROGRAMS / program.name).read_text())
    (directory / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "pythonVersion": "3.10"}')
    paths = [str(program) for program in programs]
    commands = [
        ["basedpyright", "--pythonpath", str(python), *paths],
        ["mypy", "--strict", "--python-executable", str(python), "--cache-dir", str(directory / "cache"), *paths],
    ]
    runs = [run(command, directory) for command in commands]
    return [f"{ran.args[0]}:\n{ran.stdout}{ran.stderr}" for ran in runs if ran.returncode != 0]


def untyped_symbols() -> list[str]:
    """Return what leafmint exports without a type that every checker agrees on."""
    ran = run(
        ["basedpyright", "--verifytypes", "leafmint", "--ignoreexternal", "--outputjson"],
        PROJECT,
        PATH=f"{TOOLS}{os.pathsep}{os.environ['PATH']}",
    )
    symbols = json.loads(ran.stdout)["typeCompleteness"]["symbols"]
    assert any(symbol["name"] == "leafmint.SegmentGenerator" for symbol in symbols), "leafmint was not found"
    return [
        f"{symbol['name']} has no known type"
        for symbol in symbols
        if symbol["isExported"] and not (symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"])
        if not f"{symbol['name']}.".startswith(UNTYPED_BASES)
    ]


def main() -> int:
    """Check, print what is wrong, and return the exit code."""
    site_packages = Path(numpy.__file__).parents[1]
    numpys = [path for path in (site_packages / "numpy", site_packages / "numpy.libs") if path.exists()]
    sqlalchemys = [site_packages / "sqlalchemy", site_packages / "typing_extensions.py"]
    problems = untyped_symbols()
    with tempfile.TemporaryDirectory() as directory:
        for name, packages, programs in (
            ("without", [], ["sample.py"]),
            ("with", numpys + sqlalchemys, ["sample.py", "arrays.py", "orm.py"]),
        ):
            python = make_environment(Path(directory) / name, packages)
            problems += check_programs(Path(directory) / name, python, programs)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


sys.exit(main())
