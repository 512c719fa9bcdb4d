"""A program that closes descriptors which are not its own: no call hangs, and no descriptor of others is touched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WAIT_UNTIL_QUIET = """
def is_quiet():
    # No other thread is between a look at a descriptor and its use, which no look can prevent.
    try:
        tasks = [open(f"/proc/self/task/{task}/stat").read() for task in os.listdir("/proc/self/task")]
    except OSError:
        # One has just ended.
        return False
    states = [task.rpartition(") ")[2][0] for task in tasks]
    return states.count("S") == len(states) - 1

while not is_quiet():
    pass
"""

SCRIPT = """
import asyncio, os, sys, time
import leafmint

url, act = sys.argv[1:]

def opened():
    if url.startswith("sqlite"):
        generator = leafmint.SegmentGenerator(url, timeout="9s")
        mints = generator.tag("order")
    else:
        generator = leafmint.SnowflakeGenerator(url, timeout="9s")
        mints = generator
    return generator, mints.next_id, mints.next_id()

generator, mint, first = opened()
@QUIET@os.closerange(3, 1024)
others = os.pipe()
began = time.monotonic()
if act == "close":
    generator.close()
elif act == "aclose":
    asyncio.run(generator.aclose())
else:
    # As long as its heartbeats need to notice.
    time.sleep(1.5)
    try:
        mint()
    except leafmint.LeafmintError as error:
        assert "descriptors" in str(error), error
    generator.close()
assert time.monotonic() - began < 30, "a call hung"
os.write(others[1], b"whole")
assert os.read(others[0], 100) == b"whole", "leafmint wrote into a descriptor that is not its own"
again, mint, second = opened()
assert second > first, "an id was handed out twice"
again.close()
print("done")
""".replace("@QUIET@", WAIT_UNTIL_QUIET)


@pytest.mark.parametrize("act", ["close", "aclose", "mint"])
@pytest.mark.parametrize("store", ["sqlite:///{}/ids.db", "local:{}/workers"])
def test_no_call_hangs_after_its_descriptors_were_closed(tmp_path: Path, store: str, act: str) -> None:
    for turn in range(2):
        folder = tmp_path / str(turn)
        folder.mkdir()
        command = [sys.executable, "-c", SCRIPT, store.format(folder), act]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout.endswith("done\n"), ended.stdout
        assert "panicked" not in ended.stderr, ended.stderr


FORKING = """
import os, sys, time
import leafmint

url = sys.argv[1]
options = {} if url.startswith(("local", "sqlite")) else {"state_dir": sys.argv[2]}
if url.startswith("sqlite"):
    generator = leafmint.SegmentGenerator(url, timeout="9s")
    generator.tag("order").next_id()
else:
    generator = leafmint.SnowflakeGenerator(url, timeout="9s", **options)
    generator.next_id()

@QUIET@os.closerange(3, 256)
mine = [open(f"{sys.argv[2]}/mine-{k}", "w+") for k in range(20)]
numbers = [one.fileno() for one in mine]

def check(where):
    for one, number in zip(mine, numbers):
        assert os.path.samestat(os.fstat(number), os.stat(one.name)), f"{where}: {number} is closed"
        assert os.fstat(number).st_size == 0, f"{where}: leafmint has written to {number}"

def check_in_child():
    child = os.fork()
    if child == 0:
        try:
            check("in a child")
        except BaseException as error:
            print(error, flush=True)
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0

check_in_child()
# As long as its heartbeats need to notice.
time.sleep(1.5)
check("in the parent")
check_in_child()
generator.close()
check("after the close")
check_in_child()
del generator
check("after all")
print("done")
""".replace("@QUIET@", WAIT_UNTIL_QUIET)


@pytest.mark.parametrize("url", ["sqlite:///{}/ids.db", "local:{}/workers", "fixed:7?namespace=closed-{}"])
def test_no_file_of_the_program_is_closed_at_the_numbers_of_descriptors_that_it_closed(
    tmp_path: Path, url: str
) -> None:
    named = url.format(tmp_path.name if url.startswith("fixed") else tmp_path)
    ended = subprocess.run(
        [sys.executable, "-c", FORKING, named, tmp_path], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout == "done\n"
