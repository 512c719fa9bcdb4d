"""The wheel works in an environment without any other package, and its pytest plugin next to pytest."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from programs import TOP

sys.path.append(str(TOP / "tests/dist"))

import binaries

pytestmark = pytest.mark.long

LIMITS = json.loads((TOP / "tests/dist/limits.json").read_text())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a wheel as it is published, except for the profile and zig, which `make dist` adds."""
    folder = tmp_path_factory.mktemp("wheel")
    maturin = Path(sys.executable).with_name("maturin")
    build = [maturin, "build", "--release", "--locked", "--quiet", "--out", folder]
    subprocess.run(build, cwd=TOP, check=True, env={**os.environ, "VIRTUAL_ENV": str(Path(sys.executable).parents[1])})
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, TOP / "dist/docstrings.py", wheel], check=True)
    return wheel


@pytest.fixture(scope="module")
def environment(wheel: Path) -> Path:
    """Returns a virtual environment with the wheel alone."""
    folder = wheel.with_name("venv")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [folder / "bin/python", "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", wheel], check=True)
    subprocess.run([*pip, "check"], check=True)
    return folder


def test_the_wheel_installs_alone_and_mints(environment: Path, tmp_path: Path) -> None:
    program = (
        "import leafmint; order = leafmint.SegmentGenerator('sqlite:///ids.db').tag('order'); "
        "print(order.next_id(), hasattr(leafmint._core, '_panic'), leafmint.__file__)"
    )
    command = [environment / "bin/python", "-I", "-c", program]
    run = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    number, has_test_hooks, file = run.stdout.split()
    assert number == "1"
    assert has_test_hooks == "False"
    assert file.startswith(str(environment)), "not the sources"


def test_the_stub_in_the_wheel_has_the_docstrings_of_its_module(environment: Path) -> None:
    program = (
        "import ast, inspect, leafmint, pathlib; "
        "stub = ast.parse(pathlib.Path(leafmint.__file__).with_name('_core.pyi').read_text()); "
        "(kind,) = (node for node in stub.body if getattr(node, 'name', '') == 'Tag'); "
        "print(ast.get_docstring(kind) == inspect.cleandoc(leafmint.Tag.__doc__))"
    )
    run = subprocess.run([environment / "bin/python", "-I", "-c", program], check=True, capture_output=True, text=True)
    assert run.stdout == "True\n"


def test_the_wheel_keeps_to_the_stable_interface_of_python_3_10(wheel: Path) -> None:
    audit = [sys.executable, "-m", "abi3audit", "--strict", "--report", wheel]
    run = subprocess.run(audit, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert '"is_abi3": true' in run.stdout


def test_an_index_accepts_the_metadata_of_the_wheel(wheel: Path) -> None:
    run = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_library_in_the_wheel_needs_only_what_every_system_with_glibc_has(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (library,) = (archive.read(name) for name in archive.namelist() if name.endswith(".so"))
    assert binaries.machine(library) == platform.machine()
    assert "libc.so.6" in binaries.needed(library)
    assert set(binaries.needed(library)) <= set(LIMITS["needed"])
    # Of this wheel, the oldest glibc is that of the machine. `make dist-test` reads that of the published one.
    assert binaries.as_numbers(binaries.glibc_floor(library)) >= (2, 17)


def test_the_wheel_carries_the_licence_and_the_notices_of_every_crate_in_it(environment: Path) -> None:
    (licences,) = environment.glob("lib/python3*/site-packages/leafmint-*.dist-info/licenses")
    for name in ("LICENSE", "THIRD-PARTY-NOTICES.txt"):
        assert (licences / name).read_bytes() == (TOP / name).read_bytes()


def test_the_wheel_carries_the_bill_of_materials_of_the_native_library_alone(environment: Path) -> None:
    (folder,) = environment.glob("lib/python3*/site-packages/leafmint-*.dist-info/sboms")
    (bill,) = folder.iterdir()
    assert bill.read_bytes() == (TOP / "leafmint.cdx.json").read_bytes()


def test_the_check_of_a_release_installs_the_wheel_and_mints_in_threads_and_forks(environment: Path) -> None:
    command = [sys.executable, TOP / "tests/dist/wheel.py", environment.parent]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "240000 numbers and 60000 snowflakes, none twice" in run.stdout


def test_pytest_finds_the_plugin_and_warns_of_nothing_if_leafmint_was_imported_before(
    environment: Path, tmp_path: Path
) -> None:
    (tmp_path / "test_suite.py").write_text(
        "import leafmint\n"
        "def test_ids_start_at_1(leafmint_segments):\n"
        "    assert leafmint_segments.tag('order').next_id() == 1\n"
        f"    assert leafmint.__file__.startswith({str(environment)!r})\n"
    )
    program = "import leafmint, pytest; raise SystemExit(pytest.main(['-W', 'error', 'test_suite.py']))"
    (packages,) = environment.glob("lib/python3*/site-packages")
    # pytest is that of this environment.
    variables = {**os.environ, "PYTHONPATH": str(packages)}
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
