"""Mints from Python and from Java at the same time, out of one SQLite file, and checks that nothing repeats."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from array import array
from itertools import pairwise
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
COUNT = 3_000_000


def programs(url: str, folder: Path) -> dict[str, list[str]]:
    """Returns the command that mints in each language, the one that takes longer to start first."""
    (jar,) = (path for path in (TOP / "jvm/java/target").glob("leafmint-*.jar") if "-sources" not in path.name)
    arguments = [url, "order", str(COUNT)]
    subprocess.run(["javac", "-cp", str(jar), "-d", str(folder), str(TOP / "examples/Mint.java")], check=True)
    return {
        "Java": ["java", "-cp", f"{jar}:{folder}", "Mint", *arguments, str(folder / "Java"), str(COUNT // 30)],
        "Python": [sys.executable, str(TOP / "examples/mint.py"), *arguments, str(folder / "Python"), str(COUNT // 30)],
    }


def read(file: Path) -> array[int]:
    """Reads the ids that a program wrote, without its marks."""
    ids = array("q")
    ids.frombytes(file.read_bytes())
    return array("q", (number for number in ids if number >= 0))


def main() -> int:
    """Runs both programs at once and prints what came of it. Returns 1 where an id repeats."""
    with tempfile.TemporaryDirectory(prefix="leafmint-demo-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder}/ids.db"
        print(f"Python and Java mint {COUNT:,} ids each of biz_tag 'order', at the same time, from one SQLite file ...")
        running = {
            language: subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C"}
            )
            for language, command in programs(url, folder).items()
        }
        minted = {}
        for language, process in running.items():
            output, _ = process.communicate(timeout=300)
            if process.returncode:
                print(f"{language} failed with exit code {process.returncode}", file=sys.stderr)
                return 1
            run = json.loads(output)
            speed = run["ids"] / run["seconds"]
            print(f"  {language:6} began with {run['first']}; {run['generators']} generators, {speed:,.0f} ids per second")
            minted[language] = read(folder / language)
        highest = max(max(ids) for ids in minted.values())
        owners = bytearray(highest + 1)
        repeated = 0
        for owner, ids in enumerate(minted.values(), start=1):
            for number in ids:
                repeated += owners[number] != 0
                owners[number] = owner
        turns = sum(before != after for before, after in pairwise(owner for owner in owners if owner))
        total = sum(map(len, minted.values()))
        print(f"{total:,} ids up to {highest:,}; along the numbers, the languages took turns {turns} times")
        print(f"{repeated} DUPLICATES" if repeated else "no id twice")
        return 0 if total == 2 * COUNT and not repeated else 1


if __name__ == "__main__":
    sys.exit(main())
