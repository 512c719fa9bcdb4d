"""Installs the wheel for this Python out of a folder into an empty environment, and mints with it: `wheel.py FOLDER`.

Needs Python and the folder alone, so that it runs wherever a wheel does.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """\
import asyncio, os, platform, sys, sysconfig, threading
import leafmint

COUNT = 20_000

def mint(ids):
    order = ids.tag("order")
    found = [[] for _ in range(4)]
    def fill(one):
        one.extend(order.next_id() for _ in range(COUNT))
    threads = [threading.Thread(target=fill, args=(one,)) for one in found]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return [id for one in found for id in one]

with leafmint.SegmentGenerator("sqlite:///ids.db") as ids, leafmint.SnowflakeGenerator("local:workers") as flakes:
    numbers, stamps = mint(ids), [flakes.next_id() for _ in range(COUNT)]
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as out:
            print(*mint(ids), file=out)
            print(*(flakes.next_id() for _ in range(COUNT)), file=out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as lines:
        more, later = ([int(id) for id in line.split()] for line in lines)
    assert os.waitpid(child, 0)[1] == 0
    numbers += mint(ids) + more
    stamps += [flakes.next_id() for _ in range(COUNT)] + later
    assert len(set(numbers)) == len(numbers) == 12 * COUNT, "an id twice"
    assert len(set(stamps)) == len(stamps) == 3 * COUNT, "a snowflake twice"
    assert flakes.decode(stamps[0]).worker_id != flakes.decode(later[0]).worker_id

    async def wait():
        return await ids.tag("order").next_id_async()

    assert asyncio.run(wait()) not in numbers
free = " free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
assert not free or not sys._is_gil_enabled(), "importing leafmint turned the interpreter's lock on"
python = f"{platform.platform()}, Python {platform.python_version()}{free}"
print(f"{python}: {len(numbers)} numbers and {len(stamps)} snowflakes, none twice")
"""


def main() -> None:
    """Installs and mints."""
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([sys.executable, "-m", "venv", f"{place}/venv"], check=True)
        python = f"{place}/venv/bin/python"
        install = [python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", folder, "leafmint"]
        subprocess.run(install, check=True)
        subprocess.run([python, "-I", "-W", "error::RuntimeWarning", "-c", PROGRAM], cwd=place, check=True)
        subprocess.run([f"{place}/venv/bin/leafmint", "decode", "2116681624581074986"], check=True)


if __name__ == "__main__":
    main()
