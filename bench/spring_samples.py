"""Shows which part of a Spring start is the starter's, from samples of all its threads.

    mvn -f jvm/pom.xml -Papps,dist -DskipTests package
    python3 tests/servers/mariadb.py .venv/bin/python bench/spring_samples.py --runs 14

Two starts of one application differ by more than the starter costs if other work shares the machine, so that
`spring_start.py` needs a quiet one. Samples do not: they say what a start did, not how long it took. Each start is
scaled by the work that is the same with and without leafmint: all that its main thread does outside leafmint and
outside the configuration classes. The parts are printed for a start that takes 4 s without leafmint, as means with
their standard errors. The profiler is async-profiler, from Maven Central. It sees no cost of leafmint that is spread
over the common work, such as a larger heap.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from subprocess import Popen

import spring_start
from spring_start import BOOTS, sample_jars, start

PROFILER = "tools.profiler:async-profiler:4.1"
FOLDERS = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}
START_MS = 4000

NATIVE = "leafmint: native library unpacked and loaded"
OWN = "leafmint: everything else"
CONFIGURATION = "Spring: configuration classes and their conditions"
COMMON = "Spring: the rest of the main thread (the yardstick)"
OTHERS = "other threads, such as compilers and garbage collectors"
PARTS = [NATIVE, OWN, CONFIGURATION, COMMON, OTHERS]


def profiler(folder: Path) -> Path:
    """Fetches the profiler's library."""
    subprocess.run(
        ["mvn", "-B", "-q", "dependency:copy", f"-Dartifact={PROFILER}", f"-DoutputDirectory={folder}"], check=True
    )
    with zipfile.ZipFile(next(folder.glob("async-profiler-*.jar"))) as jar:
        return Path(jar.extract(f"{FOLDERS[platform.machine()]}/libasyncProfiler.so", folder))


def part(stack: str) -> str | None:
    """Returns which part of the start a stack belongs to, None if it belongs to the end of the process."""
    if "Shutdown" in stack:
        return None
    if "io/github/leafmint/internal/natives/NativeLibrary" in stack:
        return NATIVE
    if "leafmint" in stack:
        return OWN
    if "ConfigurationClassPostProcessor" in stack or "ConditionEvaluator" in stack:
        return CONFIGURATION
    return COMMON if "SpringApplication.run" in stack else OTHERS


def end(process: Popen[str]) -> None:
    """Ends the application in order: the profiler writes its samples at the end."""
    process.terminate()
    process.communicate()


def samples(jar: Path, java: list[str], agent: Path, folder: Path) -> Counter[str]:
    """Starts the application, and returns the number of samples of each part."""
    stacks = folder / "stacks.txt"
    options = f"start,event=itimer,interval=1ms,threads,cstack=no,collapsed,file={stacks}"
    start(jar, [*java, f"-agentpath:{agent}={options}"], end)
    counts: Counter[str] = Counter()
    for line in stacks.read_text().splitlines():
        stack, _, count = line.rpartition(" ")
        if name := part(stack):
            counts[name] += int(count)
    return counts


def measure(boot: str, folder: Path, agent: Path, runs: int, java: list[str]) -> None:
    """Starts the sample on one Boot in turn with and without leafmint, and prints the parts."""
    jars = sample_jars(boot, folder)
    counted = [[samples(jar, java, agent, folder) for jar in jars] for _ in range(runs)]
    without = [pair[1] for pair in counted]
    yardstick = statistics.mean(each[COMMON] for each in without)
    milliseconds = START_MS / statistics.mean(each.total() for each in without)

    def scaled(each: Counter[str], name: str) -> float:
        return each[name] * yardstick / each[COMMON] * milliseconds

    print(f"Spring Boot {boot}, {runs} starts with leafmint and {runs} without, of {START_MS} ms each:", flush=True)
    for name in PARTS:
        more, less = ([scaled(pair[index], name) for pair in counted] for index in (0, 1))
        error = ((statistics.variance(more) + statistics.variance(less)) / runs) ** 0.5
        print(f"  {statistics.mean(more) - statistics.mean(less):+5.0f} ± {error:.0f} ms  {name}", flush=True)


def main() -> None:
    """Measures each Boot."""
    given = spring_start.options(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        agent = profiler(Path(folder))
        for boot in given.boot or BOOTS:
            measure(boot, Path(folder), agent, given.runs, given.java)


if __name__ == "__main__":
    main()
