"""Two copies of the library in a process, one of them vendored, use one file: `two_copies.py FILE IDS SECONDS`."""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from array import array
from importlib import import_module
from pathlib import Path
from typing import Any

import leafmint


def vendored(folder: str) -> Any:
    """A copy of the package under another name, with a library of its own."""
    shutil.copytree(str(Path(str(leafmint.__file__)).parent), Path(folder) / "vendored_leafmint")
    sys.path.insert(0, folder)
    return import_module("vendored_leafmint")


def mint(package: Any, url: str, until: float, ids: array[int]) -> None:
    """Opens generators one after the other, each for some ids."""
    while time.monotonic() < until:
        with package.SegmentGenerator(url, default_step=50, max_step=50, timeout=60, connect_timeout=30) as generator:
            order = generator.tag("order")
            for _ in range(5):
                ids.extend(order.next_ids(40))


def main(file: str, into: str, seconds: float) -> None:
    """Lets both copies mint, each in two threads, and writes the ids."""
    with tempfile.TemporaryDirectory() as folder:
        packages = [leafmint, vendored(folder)]
        assert packages[0].SegmentGenerator is not packages[1].SegmentGenerator
        libraries = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "_core." in line}
        assert len(libraries) == 2, libraries
        until = time.monotonic() + seconds
        every = [array("q") for _ in range(4)]
        threads = [
            threading.Thread(target=mint, args=(packages[number % 2], f"sqlite:///{file}", until, ids))
            for number, ids in enumerate(every)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with Path(into).open("wb") as out:
            for ids in every:
                assert ids
                ids.tofile(out)


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
print(0)
