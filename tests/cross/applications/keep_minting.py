"""Mints snowflakes until standard input ends: `keep_minting.py URL FILE [USER]`.

Writes a line per call into the file: "id" and the id, or "error", its code and its message.
"""

import datetime  # noqa: F401  # leafmint needs it later, when a user may not be allowed to read it.
import os
import sys
import threading
import time
from pathlib import Path

import leafmint


def main(url: str, file: str, user: str = "") -> None:
    with Path(file).open("w", buffering=1) as reports:
        if user:
            os.setgroups([])
            os.setgid(int(user))
            os.setuid(int(user))
        ended = threading.Event()
        threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
        with leafmint.SnowflakeGenerator(url) as flakes:
            while not ended.is_set():
                try:
                    reports.writelines(f"id {number}\n" for number in flakes.next_ids(20, timeout=2))
                except leafmint.LeafmintError as error:
                    reports.write(f"error {error.code} {error}\n")
                time.sleep(0.001)


main(*sys.argv[1:])
