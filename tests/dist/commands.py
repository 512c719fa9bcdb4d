"""Runs commands of the tests of artefacts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
ARTEFACTS = TOP / "target/artefacts"
# auditwheel, twine and the others, next to the Python that runs this.
TOOLS = Path(sys.executable).parent


def run(
    command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] | None = None, timeout: float = 3600
) -> str:
    """Runs a command in a folder and returns what it printed; ends with that, and its errors, if it fails."""
    # Nothing that leads to the sources, and no server.
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("LEAFMINT_", "PYTHON", "VIRTUAL_"))
    }
    done = subprocess.run(
        command, cwd=folder, env={**kept, **(environment or {})}, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, errors="replace", timeout=timeout,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"FAILED with status {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout
