"""The wheel works in an environment without any other package, and its pytest plugin next to pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import TOP


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a virtual environment with the wheel alone."""
    folder = tmp_path_factory.mktemp("wheel")
    maturin = Path(sys.executable).with_name("maturin")
    build = [maturin, "build", "--release", "--locked", "--quiet", "--out", folder]
    subprocess.run(build, cwd=TOP, check=True, env={**os.environ, "VIRTUAL_ENV": str(Path(sys.executable).parents[1])})
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel], check=True)
    return folder / "venv"


def test_the_wheel_installs_alone_and_mints(environment: Path, tmp_path: Path) -> None:
    program = (
        "import leafmint; order = leafmint.SegmentGenerator('sqlite:///ids.db').biz_tag('order'); "
        "print(order.next_id(), hasattr(leafmint._core, '_panic'), leafmint.__file__)"
    )
    command = [environment / "bin/python", "-I", "-c", program]
    run = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    number, has_test_hooks, file = run.stdout.split()
    assert number == "1"
    assert has_test_hooks == "False"
    assert file.startswith(str(environment)), "not the sources"


def test_pytest_finds_the_plugin_and_warns_of_nothing_if_leafmint_was_imported_before(
    environment: Path, tmp_path: Path
) -> None:
    (tmp_path / "test_suite.py").write_text(
        "import leafmint\n"
        "def test_ids_start_at_1(leafmint_segments):\n"
        "    assert leafmint_segments.biz_tag('order').next_id() == 1\n"
        f"    assert leafmint.__file__.startswith({str(environment)!r})\n"
    )
    program = "import leafmint, pytest; raise SystemExit(pytest.main(['-W', 'error', 'test_suite.py']))"
    (packages,) = environment.glob("lib/python3*/site-packages")
    # pytest is that of this environment.
    variables = {**os.environ, "PYTHONPATH": str(packages)}
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
