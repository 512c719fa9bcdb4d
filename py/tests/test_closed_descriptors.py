"""A program that closes descriptors which are not its own: no call hangs, and no descriptor of others is touched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import asyncio, os, sys, time
import leafmint

url, act = sys.argv[1:]

def opened():
    if url.startswith("sqlite"):
        generator = leafmint.SegmentGenerator(url, timeout="9s")
        mints = generator.biz_tag("order")
    else:
        generator = leafmint.SnowflakeGenerator(url, timeout="9s")
        mints = generator
    return generator, mints.next_id, mints.next_id()

generator, mint, first = opened()
os.closerange(3, 1024)
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
"""


@pytest.mark.parametrize("act", ["close", "aclose", "mint"])
@pytest.mark.parametrize("store", ["sqlite:///{}/ids.db", "local://{}/workers"])
def test_no_call_hangs_after_its_descriptors_were_closed(tmp_path: Path, store: str, act: str) -> None:
    for turn in range(2):
        folder = tmp_path / str(turn)
        folder.mkdir()
        command = [sys.executable, "-c", SCRIPT, store.format(folder), act]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout.endswith("done\n"), ended.stdout
        assert "panicked" not in ended.stderr, ended.stderr
