"""Mints from Python and from Java at the same time, out of one SQLite file, and checks that nothing repeats."""

import json
import os
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
COUNT = 1_000_000


def programs(url: str, folder: Path) -> dict[str, list[str]]:
    """Returns the command that mints in each language."""
    (jar,) = (path for path in (TOP / "jvm/java/target").glob("leafmint-*.jar") if "-sources" not in path.name)
    arguments = [url, "order", str(COUNT)]
    return {
        "Python": [sys.executable, str(TOP / "examples/mint.py"), *arguments, str(folder / "Python"), str(COUNT // 4)],
        "Java": ["java", "-cp", str(jar), str(TOP / "examples/Mint.java"), *arguments, str(folder / "Java"), str(COUNT // 4)],
    }


def read(file: Path) -> array:
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
            language: subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C"})
            for language, command in programs(url, folder).items()
        }
        ids: list[int] = []
        for language, process in running.items():
            output, _ = process.communicate(timeout=300)
            if process.returncode:
                print(f"{language} failed with exit code {process.returncode}", file=sys.stderr)
                return 1
            run = json.loads(output)
            speed = run["ids"] / run["seconds"]
            print(f"  {language:6} began with {run['first']}; {run['generators']} generators, {speed:,.0f} ids per second")
            ids.extend(read(folder / language))
        unique = len(set(ids))
        print(f"{len(ids):,} ids, {unique:,} different, from {min(ids):,} to {max(ids):,}")
        print("no id twice" if unique == len(ids) == 2 * COUNT else "THERE ARE DUPLICATES")
        return 0 if unique == len(ids) == 2 * COUNT else 1


if __name__ == "__main__":
    sys.exit(main())
