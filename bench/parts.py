"""The parts of the benchmark: each runs in processes of its own and returns what it measured."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from figures import ROUNDS
from measurement import Measurement, joined, read

TOP = Path(__file__).resolve().parents[1]
RAW = TOP / "target/bench"
JAR = TOP / "jvm/bench/target/benchmarks.jar"
sys.path[:0] = [str(TOP / "tests/servers")]

STARTS = ((0.001, "cold"), (0.010, "cold"), (0.100, "apart"), (0.100, "cold"), (0.100, "ready"))
"""Round trips to the store in seconds, and what there is at the start: nothing, a connection, or ids too."""

FAILED: list[str] = []
"""The programs that failed, of whose figures there are none."""


def output(command: list[str | Path]) -> str:
    """Runs a part and returns its output, which is empty if the part fails."""
    done = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return done.stdout
    FAILED.append(f"{' '.join(str(Path(word).name) for word in command)} (status {done.returncode})")
    print(f"failed: {FAILED[-1]}", file=sys.stderr)
    return ""


SPEED = ["--package", "leafmint-tests", "--bench", "speed"]
"""The program that measures the core, as cargo takes it."""


@functools.cache
def speed() -> str:
    """Builds the core's benchmarks and returns the program."""
    cargo = ["cargo", "build", "--release", "--locked", "--message-format=json", *SPEED]
    done = subprocess.run(cargo, cwd=TOP, stdout=subprocess.PIPE, text=True, check=True)
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    return str(next(path for message in messages if (path := message.get("executable"))))


def rust(quick: bool) -> list[Measurement]:
    """Runs the core's benchmarks; memory and store calls once per round, in processes of their own."""
    flags = ["--quick"] if quick else []
    once = [read("Rust", output([speed(), part, *flags])) for part in ("hot", "numbers", "public", "cap")]
    often = [
        read("Rust", output([speed(), part])) for _ in range(1 if quick else ROUNDS) for part in ("memory", "store")
    ]
    return joined(each for measured in [*once, *often] for each in measured)


def refill(quick: bool) -> list[Measurement]:
    """Mints out of a MariaDB behind a slow link, once per round for each distance and start."""
    from link import Link
    from mariadb import MariaDb

    measured = []
    try:
        server = MariaDb()
    except (SystemExit, OSError, subprocess.CalledProcessError) as problem:
        print(f"slow store: no MariaDB can be started: {problem}", file=sys.stderr)
        return []
    with server:
        for far, start in STARTS * (1 if quick else ROUNDS):
            server.sql("CREATE OR REPLACE DATABASE leafmint CHARACTER SET utf8mb4")
            link = Link(server.port)
            link.delay = far
            url = f"mysql://root@127.0.0.1:{link.port}/leafmint"
            command = [speed(), "refill", url, str(far), start]
            measured += read("Rust", output([*command, *(["--quick"] if quick else [])]))
            link.close()
    return joined(measured)


def python(quick: bool) -> list[Measurement]:
    """Runs pyperf, and the cap."""
    command: list[str | Path] = [sys.executable, TOP / "py/benches/rounds.py", *(["--quick"] if quick else [])]
    return read("Python", output(command))


def java(quick: bool) -> list[Measurement]:
    """Runs JMH, and the cap, on each JDK: everything on the oldest, less on the others."""
    found = jdks()
    for major in ("17", "25"):
        if not any(version.split(".")[0] == major for version in found):
            print(f"Java {major}: no such JDK was found (set a variable JAVA_HOME… to one)", file=sys.stderr)
    measured = []
    for version, home in found.items():
        brief = [] if version == next(iter(found)) else ["brief"]
        measured += _jdk(int(version.split(".")[0]), home, brief, quick)
    return measured


def _jdk(major: int, home: Path, brief: list[str], quick: bool) -> list[Measurement]:
    native = ["--enable-native-access=ALL-UNNAMED"] if major > 21 else []
    rounds = "1" if quick else str(ROUNDS)
    measured = []
    # JMH hands the arguments of its own JVM on to the JVMs that it measures in.
    for name, main, milliseconds in (("jmh", "Main", "300"), ("cap", "Cap", "400")):
        raw = RAW / f"java-{major}-{name}.jsonl"
        raw.unlink(missing_ok=True)
        program: list[str | Path] = [home / "bin/java", *native, "-cp", JAR, f"io.github.leafmint.bench.{main}"]
        output([*program, raw, rounds, "20" if quick else milliseconds, *brief])
        measured += read(f"Java {major}", raw.read_text() if raw.exists() else "")
    return measured


def jdks() -> dict[str, Path]:
    """Finds a JDK 17 and a JDK 25 by their versions."""
    named = [Path(value) for name, value in os.environ.items() if name.startswith("JAVA_HOME")]
    found: dict[str, Path] = {}
    for home in [*named, *sorted(Path("/usr/lib/jvm").glob("*"))]:
        version = _java_version(home)
        if version.split(".")[0] in ("17", "25") and not any(known.startswith(version[:3]) for known in found):
            found[version] = home
    return dict(sorted(found.items()))


def _java_version(home: Path) -> str:
    release = home / "release"
    text = re.search(r'JAVA_VERSION="([^"]+)', release.read_text()) if release.exists() else None
    return text[1] if text and (home / "bin/java").exists() else ""
