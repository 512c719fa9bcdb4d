"""Mints snowflakes: `minting.py URL USER`.

Each line of standard input is `THREADS COUNT TIMEOUT`: that many threads mint from then on, batch after batch;
with 0 threads, one batch is minted at once. For each batch, a line of standard output has "ids", the number of the
thread and the ids, or "error", that number, the error's code and its message. When standard input ends, the generator
is closed.
"""

import datetime  # noqa: F401  # leafmint needs it later, when a user may not be allowed to read it.
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import leafmint

ended = threading.Event()


def main(url: str, user: str) -> None:
    """Follows standard input."""
    if user:
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))
    with leafmint.SnowflakeGenerator(url) as flakes, ThreadPoolExecutor(8) as pool:
        running = []
        for line in sys.stdin:
            threads, count, timeout = line.split()
            if threads == "0":
                mint(flakes, 0, int(count), float(timeout))
            numbers = range(1, int(threads) + 1)
            running += [pool.submit(mint_on, flakes, number, int(count), float(timeout)) for number in numbers]
        ended.set()
        for thread in running:
            thread.result()  # raises what is no error of leafmint


def mint_on(flakes: leafmint.SnowflakeGenerator, thread: int, count: int, timeout: float) -> None:
    """Mints batch by batch."""
    while not ended.is_set():
        mint(flakes, thread, count, timeout)
        time.sleep(0.001)


def mint(flakes: leafmint.SnowflakeGenerator, thread: int, count: int, timeout: float) -> None:
    """Mints a batch, and reports it in one piece."""
    try:
        ids = [flakes.next_id(timeout=timeout)] if count == 1 else flakes.next_ids(count, timeout=timeout)
        report = f"ids {thread} {' '.join(map(str, ids))}\n"
    except leafmint.LeafmintError as error:
        report = f"error {thread} {error.code} {error}\n"
    os.write(sys.stdout.fileno(), report.encode())


main(*sys.argv[1:])
