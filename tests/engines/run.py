"""Mints on engines while something happens to them, and prints a table: `make engines`.

`run.py [NAME…]` runs the proofs of the engines named, or of all. It fails if an id comes twice, if a lease overlaps
another one, or if a process waits for longer than the proof allows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests/servers"), str(TOP / "tests/soak"), str(TOP / "tests/cross")]

import clusters  # noqa: E402
import replicas  # noqa: E402
from proof import HEAD  # noqa: E402

ENGINES: dict[str, Callable[[], list[str]]] = {
    # The one that `make test` runs; it is part of the next one.
    "quick": lambda: replicas.promoted(quick=True),
    "postgresql": replicas.postgresql,
    "galera": clusters.galera,
    "one-primary": lambda: clusters.group_replication(single_primary=True),
    "three-primaries": lambda: clusters.group_replication(single_primary=False),
}


def main(names: list[str]) -> int:
    """Runs the proofs; returns 1 if one fails."""
    print(HEAD, flush=True)
    problems = [problem for name in names or list(ENGINES)[1:] for problem in ENGINES[name]()]
    for problem in problems:
        print(f"FAILED: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
