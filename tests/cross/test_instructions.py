"""The cost of an id in instructions of the Rust hot paths. They are counted, so a busy machine changes nothing.

They change with the compiler. If a bound fails for that reason alone, raise it to the figure in the message and a
tenth more.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from packages import need
from programs import TOP

pytestmark = pytest.mark.long

FEW, MANY = 20_000, 120_000


def has_counter() -> bool:
    """Returns whether the kernel keeps time with the processor's counter."""
    source = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    return source.exists() and source.read_text().strip() in ("tsc", "arch_sys_counter")


BOUNDS = {
    "next_id": 12.0,
    "try_next_id": 18.0,
    "relaxed": 27.0,
    "next_id_with_gene": 59.0,
    "snowflake_system": 135.0,
    # Without a counter that the kernel keeps time with, ids are stamped with the system's clock.
    "snowflake": 118.0 if has_counter() else 135.0,
}


def instructions(path: str, count: int, out: Path) -> int:
    """Returns how many instructions the program took to mint `count` ids."""
    program = [str(TOP / "target/release/hot_paths"), path, str(count)]
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    done = subprocess.run([*tool, *program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return int(re.findall(r"Collected : (\d+)", done.stderr)[0])


def each(path: str, out: Path) -> float:
    """Returns the instructions of one id: start and end of the program fall out of the difference."""
    return (instructions(path, MANY, out) - instructions(path, FEW, out)) / (MANY - FEW)


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> float:
    """What the loop costs without an id, in the program as the optimiser makes it."""
    need(["valgrind"], ["valgrind"], "")
    build = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "leafmint-programs", "--bin", "hot_paths"]
    subprocess.run(build, cwd=TOP, check=True)
    return each("nothing", tmp_path_factory.mktemp("loop") / "out")


@pytest.mark.parametrize(("path", "bound"), BOUNDS.items())
def test_an_id_costs_no_more_instructions_than_its_bound(path: str, bound: float, loop: float, tmp_path: Path) -> None:
    cost = each(path, tmp_path / "out") - loop
    print(f"{path}: {cost:.2f} instructions, at most {bound}")
    assert cost <= bound, f"{path} costs {cost:.2f} instructions an id, more than {bound}"
