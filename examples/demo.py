"""Mints ids in Python and Java at the same time and checks that they are unique.

The ids come from one SQLite file, and the worker ids from one directory. `make demo` builds both languages and runs
it. With `--url mysql://…` or `--url postgresql://…` the ids come from that database; leafmint makes its tables there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import uuid
from array import array
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import leafmint

TOP = Path(__file__).resolve().parent.parent
COUNT = 3_000_000
"""The ids of each language and mode."""

GENERATORS = 30
"""The generators that each program opens one after the other."""


def programs(folder: Path) -> dict[str, list[str]]:
    """Returns the command of each language. Java comes first, because it takes longer to start."""
    (jar,) = (
        path
        for path in (TOP / "jvm/java/target").glob("leafmint-*.jar")
        if not path.stem.endswith(("-sources", "-javadoc"))
    )
    subprocess.run(["javac", "-cp", str(jar), "-d", str(folder), str(TOP / "examples/Mint.java")], check=True)
    return {
        "Java": ["java", "-cp", f"{jar}:{folder}", "Mint"],
        "Python": [sys.executable, str(TOP / "examples/mint.py")],
    }


def mint(
    commands: dict[str, list[str]], url: str, tag: str, folder: Path
) -> dict[str, tuple[dict[str, Any], array[int]]]:
    """Runs the programs at the same time, and returns the summary and the ids of each."""
    running = {}
    for language, command in commands.items():
        arguments = [url, tag, str(COUNT), str(folder / language), str(COUNT // GENERATORS)]
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "env": {**os.environ, "LC_ALL": "C"},
        }
        running[language] = subprocess.Popen([*command, *arguments], text=True, **pipes)
    minted = {}
    for language, process in running.items():
        output, _ = process.communicate(timeout=300)
        if process.returncode:
            sys.exit(f"{language} failed with exit code {process.returncode}")
        ids = array("q")
        ids.frombytes((folder / language).read_bytes())
        minted[language] = (json.loads(output), array("q", (number for number in ids if number >= 0)))
    return minted


def check(minted: dict[str, tuple[dict[str, Any], array[int]]]) -> bool:
    """Prints and returns whether all ids are unique and none is missing."""
    ids = sorted(number for _, part in minted.values() for number in part)
    repeated = sum(one == other for one, other in pairwise(ids))
    print(f"  {len(ids):,} ids, " + (f"{repeated} DUPLICATES" if repeated else "all unique"))
    return not repeated and len(ids) == len(minted) * COUNT


def store(url: str | None, folder: Path) -> tuple[str, str, str]:
    """Returns the URL of the segments and a tag that exists there, and says what they are."""
    if url is None:
        return f"sqlite:///{folder}/ids.db", "order", "one SQLite file"
    with leafmint.SegmentGenerator(url) as ids:
        ids.init_schema()
        tag = f"demo-{uuid.uuid4()}"
        ids.create_tag(tag)
        return url, tag, ids.scope


def main() -> int:
    """Runs both modes. Returns 1 if an id is repeated or missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="store of the segments; by default a SQLite file")
    given = parser.parse_args().url
    with tempfile.TemporaryDirectory(prefix="leafmint-demo-") as name:
        folder = Path(name)
        commands = programs(folder)

        url, tag, where = store(given, folder)
        print(f"Segments: Python and Java mint {COUNT:,} ids each for tag '{tag}' from {where}, in parallel:")
        minted = mint(commands, url, tag, folder)
        for language, (run, _) in minted.items():
            speed = f"{run['ids'] / run['seconds']:>11,.0f}"
            print(f"  {language:6} {speed} ids per second with {run['generators']} generators; first: {run['first']}")
        unique = check(minted)

        print(f"Snowflakes: Python and Java mint {COUNT:,} ids each with worker ids from one directory, in parallel:")
        minted = mint(commands, f"local:{folder}/workers", "-", folder)
        for language, (run, _) in minted.items():
            speed = run["ids"] / run["seconds"]
            when = datetime.fromtimestamp(run["timestamp"] / 1000, timezone.utc).isoformat(timespec="milliseconds")
            print(f"  {language:6} {speed:>11,.0f} ids per second")
            print(f"         {run['first'][0]} = {when}, worker id {run['worker_id']}, sequence {run['sequence']}")
            print(f"         order number {run['order']}: business code 10, table {run['table']} of key 'user-42'")
        unique = check(minted) and unique
        return 0 if unique else 1


if __name__ == "__main__":
    sys.exit(main())
