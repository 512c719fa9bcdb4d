"""The wheel works in an environment without any other package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from programs import TOP


def test_the_wheel_installs_alone_and_mints(tmp_path: Path) -> None:
    maturin = Path(sys.executable).with_name("maturin")
    build = [maturin, "build", "--release", "--locked", "--quiet", "--out", tmp_path]
    subprocess.run(build, cwd=TOP, check=True, env={**os.environ, "VIRTUAL_ENV": str(Path(sys.executable).parents[1])})
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel], check=True)
    program = (
        "import leafmint, importlib.util as modules; "
        "order = leafmint.SegmentGenerator('sqlite:///ids.db').biz_tag('order'); "
        "plugin = modules.find_spec('leafmint_pytest').origin; "
        "print(order.next_id(), hasattr(leafmint._core, '_panic'), leafmint.__file__, plugin)"
    )
    run = subprocess.run([python, "-I", "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True)
    number, has_test_hooks, *files = run.stdout.split()
    assert number == "1"
    assert has_test_hooks == "False"
    assert all(file.startswith(str(tmp_path)) for file in files), "not the sources"
