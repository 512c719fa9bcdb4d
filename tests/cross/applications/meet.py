"""Asks servers for one id in each mode, one after the other: `meet.py URL…`.

Prints a line of JSON for each: the error's code and message, or the id; what the call took in seconds; the memory in
use in MB.
"""

import json
import sys
import time
from pathlib import Path

import leafmint

OPTIONS = {"timeout": 0.5, "connect_timeout": 0.4}


def memory() -> float:
    """The resident memory of this process in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def segment(url: str) -> int:
    with leafmint.SegmentGenerator(url, **OPTIONS) as ids:
        return ids.tag("order").next_id()


def snowflake(url: str) -> int:
    with leafmint.SnowflakeGenerator(url, state_files=False, auto_create=True, **OPTIONS) as flakes:
        return flakes.next_id()


for url in sys.argv[1:]:
    for mint in (segment, snowflake):
        began = time.monotonic()
        answer: dict[str, object] = {}
        try:
            answer["id"] = mint(url)
        except leafmint.LeafmintError as error:
            answer = {"code": error.code, "message": str(error)}
        answer |= {"mode": mint.__name__, "seconds": time.monotonic() - began, "memory": memory()}
        print(json.dumps(answer), flush=True)
