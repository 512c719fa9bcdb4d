"""Measures everything and sets up one table: `make bench`, or `make bench BENCH=--quick` to see whether it runs.

The parts run one after another, each in processes of its own, for about ten minutes. Keep the machine quiet
meanwhile. The table goes to standard output and, with the machine's facts, to docs/benchmarks/DATE.md; what stands
there from `## Notes` on is kept. Raw figures go to target/bench. With --quick nothing goes to the docs.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from figures import Figure, as_markdown, as_text
from machine import facts, late_wakes

TOP = Path(__file__).resolve().parents[1]
RAW = TOP / "target/bench"
JAR = TOP / "jvm/bench/target/benchmarks.jar"
sys.path[:0] = [str(TOP / "tests/servers")]

NOTES = "## Notes"

STARTS = ((0.001, "cold"), (0.010, "cold"), (0.100, "apart"), (0.100, "cold"), (0.100, "ready"))
"""Round trips to the store in seconds, and what there is at the start: nothing, a connection, or ids too."""

EXPECTED = {
    "relaxed order, Rust": r"^Rust .*relaxed",
    "relaxed order, Java": r"^Java .*relaxed",
    "Java": r"^Java \d+",
    "slow store": r"^slow store",
}
"""Goals that no figure may be there for, and how its name would look."""


def told(command: list[str | Path]) -> list[Figure]:
    """Runs a part that prints a figure a line, and returns them; a part that fails is told and left out."""
    done = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print(
            f"failed with status {done.returncode}: {' '.join(Path(word).name for word in map(str, command[:4]))}",
            file=sys.stderr,
        )
    return [Figure(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]


@functools.cache
def speed() -> str:
    """Builds the core's benchmarks and returns the program."""
    cargo = ["cargo", "build", "--release", "--locked", "-p", "leafmint", "--bench", "speed", "--message-format=json"]
    done = subprocess.run(cargo, cwd=TOP, stdout=subprocess.PIPE, text=True, check=True)
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    return str(next(path for message in messages if (path := message.get("executable"))))


def rust(*part: str, quick: bool) -> list[Figure]:
    """Runs one part of the core's benchmarks."""
    return told([speed(), *part, *(["--quick"] if quick else [])])


def refill(quick: bool) -> list[Figure]:
    """Mints out of a MariaDB that is so far away."""
    from link import Link
    from mariadb import MariaDb

    figures = []
    try:
        server = MariaDb()
    except (SystemExit, OSError, subprocess.CalledProcessError) as problem:
        print(f"slow store: no MariaDB can be started: {problem}", file=sys.stderr)
        return []
    with server:
        for round_trip, start in STARTS:
            server.sql("CREATE OR REPLACE DATABASE leafmint CHARACTER SET utf8mb4")
            link = Link(server.port)
            link.delay = round_trip
            figures += rust(
                "refill", f"mysql://root@127.0.0.1:{link.port}/leafmint", str(round_trip), start, quick=quick
            )
            link.close()
    return figures


def java_version(home: Path) -> str:
    """Returns the version of the JDK in a directory, or nothing."""
    release = home / "release"
    found = re.search(r'JAVA_VERSION="([^"]+)', release.read_text()) if release.exists() else None
    return found[1] if found and (home / "bin/java").exists() else ""


def jdks() -> dict[str, Path]:
    """Finds a JDK 17 and a JDK 25 by their versions."""
    named = [Path(value) for name, value in os.environ.items() if name.startswith("JAVA_HOME")]
    found: dict[str, Path] = {}
    for home in [*named, *sorted(Path("/usr/lib/jvm").glob("*"))]:
        version = java_version(home)
        if version.split(".")[0] in ("17", "25"):
            found.setdefault(version, home)
    return dict(sorted(found.items()))


def java(version: str, home: Path, quick: bool) -> list[Figure]:
    """Runs JMH, and the cap, on a JDK."""
    major = int(version.split(".")[0])
    native = ["--enable-native-access=ALL-UNNAMED"] if major > 21 else []
    # JMH hands its own arguments on to the processes that it measures in. The second JDK is a look, not a study.
    rounds = 1 if quick or major != 17 else 2
    raw = RAW / f"java-{major}.json"
    raw.unlink(missing_ok=True)
    command = [home / "bin/java", *native, f"-Dleafmint.bench.rounds={rounds}", "-jar", JAR, raw]
    subprocess.run(command, stdout=sys.stderr)
    figures = jmh(major, json.loads(raw.read_text())["figures"]) if raw.exists() else []
    raw = RAW / f"java-{major}-cap.json"
    raw.unlink(missing_ok=True)
    seconds = "0.3" if quick else "4"
    subprocess.run([home / "bin/java", *native, "-cp", JAR, "io.github.leafmint.bench.Cap", raw, seconds])
    return figures + (java_cap(major, json.loads(raw.read_text())) if raw.exists() else [])


def jmh(major: int, measured: list[dict[str, object]]) -> list[Figure]:
    """Makes figures of what JMH measured: every ratio that has a goal, and leafmint beside its peers."""
    figures = []
    groups: dict[str, list[dict[str, object]]] = {}
    for line in measured:
        groups.setdefault(str(line["comparison"]), []).append(line)
    for title, (measure, *others) in groups.items():
        mine = next((line for line in others if line["name"] == "leafmint"), None)
        for line in others:
            detail = f"{line['nanos']:.2f} ns beside {measure['nanos']:.2f} ns; {line['configuration']}"
            if str(line["name"]).startswith("leafmint"):
                name = "" if line is mine else f", {line['name']}"
                what = f"Java {major} {title}{name}, beside {measure['name']}"
                figures.append(
                    Figure(what, float(line["ratio"]), "x", line["goal"] and "at most", line["goal"], detail)
                )
            elif mine is not None:
                faster = float(line["nanos"]) / float(mine["nanos"])
                goal = {1: 1.5, 2: 1.4}[int(line["threads"])] if line["name"] == "cosidSegmentChain" else None
                what = f"Java {major} {title}: times faster than {line['name']}"
                detail = f"{mine['nanos']:.2f} ns beside {line['nanos']:.2f} ns; {line['configuration']}"
                figures.append(Figure(what, faster, "x", goal and "at least", goal, detail))
    return figures


def java_cap(major: int, measured: list[dict[str, float]]) -> list[Figure]:
    """Makes figures of the cap."""
    figures = []
    for line in measured:
        threads = int(line["threads"])
        what = f"Java {major} snowflake nextId at the layout's cap, {threads} thread{'' if threads == 1 else 's'}"
        figures.append(Figure(what, line["rate"], "ids/ms", "at least", 4075.0, f"over {line['seconds']} s"))
        if threads > 1:
            goal = 25.0 if threads == 2 else None
            figures.append(
                Figure(f"{what}: the least thread's share", line["share"], "%", goal and "at least", goal, "")
            )
    return figures


def page(date: str, known: dict[str, str], figures: list[Figure], missing: list[str], notes: str) -> str:
    """Writes the page of the docs."""
    lines = [f"* {name}: {fact}" for name, fact in known.items()]
    return "\n".join([
        f"# Benchmarks of {date}",
        "",
        "Medians of one run of `make bench`. Ratios compare between machines, nanoseconds do not. The two sides of a",
        "ratio were measured in turn, in the same minutes; each alternative is set up as said, its best that we know.",
        "",
        *lines,
        "",
        as_markdown(figures),
        "",
        *[f"* {name}: not measured" for name in missing],
        *([""] if missing else []),
        notes,
    ])  # fmt: skip


def main() -> None:
    """Runs every part, prints the table and keeps it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="see whether everything runs; the figures mean nothing")
    options.add_argument("--date", default=datetime.date.today().isoformat(), help="names the page")
    options.add_argument(
        "--only", choices=["rust", "refill", "python", "java"], action="append", help="runs these parts only"
    )
    given = options.parse_args()
    quick, parts = given.quick, given.only or ["rust", "refill", "python", "java"]
    RAW.mkdir(parents=True, exist_ok=True)

    found = jdks()
    known = facts(list(found))
    figures: list[Figure] = []
    if "rust" in parts:
        for part in ("hot", "cap", "memory", "store"):
            figures += rust(part, quick=quick)
    if "refill" in parts:
        figures += refill(quick)
    if "python" in parts:
        figures += told([sys.executable, TOP / "py/benches/rounds.py", *(["--quick"] if quick else [])])
    if "java" in parts:
        for major in ("17", "25"):
            if not any(version.startswith(f"{major}.") for version in found):
                print(f"Java {major}: no such JDK was found (set a variable JAVA_HOME… to one)", file=sys.stderr)
        for version, home in found.items():
            figures += java(version, home, quick)
    known["sleepers after the run wake"] = late_wakes()
    missing = [
        name for name, pattern in EXPECTED.items() if not any(re.search(pattern, figure.what) for figure in figures)
    ]

    print(as_text(figures))
    print("\n".join(f"not measured: {name}" for name in missing))
    raw = {"facts": known, "figures": [vars(figure) for figure in figures]}
    (RAW / f"{given.date}.json").write_text(json.dumps(raw, indent=1))
    target = RAW / "page.md" if quick or given.only else TOP / f"docs/benchmarks/{given.date}.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    before = target.read_text() if target.exists() else ""
    notes = NOTES + before.partition(NOTES)[2] if NOTES in before else f"{NOTES}\n"
    target.write_text(page(given.date, known, figures, missing, notes))
    print(f"\nkept in {target.relative_to(TOP)}")


if __name__ == "__main__":
    main()
