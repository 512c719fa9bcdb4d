"""An id in hand costs no system call: 200,000 cost at most the few that wake the background refill."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from packages import need

MINT = """
import os, leafmint
next_id = leafmint.SegmentGenerator("sqlite:///{path}?default_step=1000000").tag("order").next_id
next_id()
os.write(1, b"begin")
for _ in range(200_000):
    next_id()
os.write(1, b"end")
"""


def test_two_hundred_thousand_ids_cost_no_system_call_beyond_refill_wake_ups(tmp_path: Path) -> None:
    need(["strace"], ["strace"], "")
    trace = tmp_path / "trace"
    program = MINT.format(path=tmp_path / "ids.db")
    subprocess.run(["strace", "-o", str(trace), sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
    lines = trace.read_text().splitlines()
    begin, end = (
        next(at for at, line in enumerate(lines) if line.startswith(f'write(1, "{mark}"')) for mark in ("begin", "end")
    )
    calls = lines[begin + 1 : end]
    # A refill is woken through an eventfd, once that is known to be leafmint's still, or a futex: a few times for a
    # whole segment, not once an id.
    assert len(calls) <= 20, calls
    assert all(call.startswith(("epoll_ctl(", "write(", "futex(")) for call in calls), calls
