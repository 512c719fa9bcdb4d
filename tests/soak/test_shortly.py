"""Short soaks and a promotion: three languages mint while everything around them fails. `make soak` takes longer."""

from __future__ import annotations

import subprocess
import sys

import pytest
from programs import TOP

# At a low rate, so that other tests keep the processors; a fault strikes every second or two all the same.
COMMANDS = {
    "databases and files": ["tests/soak/soak.py", "--seconds", "15", "--rate", "3000", "--ids", "150000"],
    "ZooKeeper": ["tests/soak/ensemble.py", "--seconds", "10", "--rate", "3000"],
    "a promotion": ["tests/engines/run.py", "quick"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_id_comes_twice_while_everything_fails(name: str) -> None:
    done = subprocess.run([sys.executable, *COMMANDS[name]], cwd=TOP, capture_output=True, text=True, timeout=900)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
