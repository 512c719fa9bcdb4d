"""Mints snowflakes on demand: `on_demand.py URL`.

Every line of standard input is a call, every answer a line of JSON. `mint COUNT TIMEOUT` answers with the ids, or
with the code and the message of the error. `begin` lets eight threads mint on and on; `end` stops them and answers
with the ids of each and with the codes of the errors that they met. When standard input ends, the generator is
closed.
"""

import json
import sys
import threading
import time
from typing import Any

import leafmint

THREADS = 8

flakes = leafmint.SnowflakeGenerator(sys.argv[1])
stop = threading.Event()
running: list[threading.Thread] = []
drawn: list[list[int]] = []
errors: set[str] = set()


def main() -> None:
    """Answers call by call."""
    with flakes:
        while line := sys.stdin.readline():
            name, *arguments = line.split()
            print(json.dumps(CALLS[name](*arguments)), flush=True)


def mint(count: str, timeout: str) -> Any:
    """Mints a batch."""
    try:
        return {"ids": flakes.next_ids(int(count), timeout=float(timeout))}
    except leafmint.LeafmintError as error:
        return {"error": error.code, "message": str(error)}


def begin() -> Any:
    """Starts the threads."""
    stop.clear()
    for _ in range(THREADS):
        drawn.append([])
        running.append(threading.Thread(target=mint_on, args=(drawn[-1],)))
        running[-1].start()
    return {}


def mint_on(ids: list[int]) -> None:
    """Mints one by one."""
    while not stop.is_set():
        try:
            ids.append(flakes.next_id(timeout=0.2))
        except leafmint.LeafmintError as error:
            errors.add(error.code)
        time.sleep(0.001)


def end() -> Any:
    """Stops the threads."""
    stop.set()
    for thread in running:
        thread.join()
    return {"threads": drawn, "errors": sorted(errors)}


CALLS = {"mint": mint, "begin": begin, "end": end}

main()
