"""Measures what the starter adds to the start of a Spring application: processor time with it and without its JARs.

    mvn -f jvm/pom.xml -Papps,dist -DskipTests package
    python3 tests/servers/mariadb.py .venv/bin/python bench/spring_start.py --runs 15

Each Boot is started in turn with and without leafmint until it reports that it has started, without Leaf's HTTP
interface, which the sample switches on and the starter leaves off. The classes of the sample, which use leafmint in
every way that there is, are replaced by one that does not use it, with the same libraries. Printed are the medians and
the least of the user and system time of all its threads, and the mean difference with its standard error. Keep the
machine quiet: threads that share a core with other processes need more time for the same work. On another machine
`spring_samples.py` says more.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile
from copy import copy
from pathlib import Path
from subprocess import Popen
from threading import Timer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

TOP = Path(__file__).resolve().parents[1]
sys.path.append(str(TOP / "tests/servers"))

from mariadb import VARIABLE  # noqa: E402
from throwaway import free_port  # noqa: E402

BOOTS = ["3.5", "4.0", "4.1"]
TICK = os.sysconf("SC_CLK_TCK")
LONGEST_SECONDS = 300
STARTED = "Started ShopApplication"
CLASSES = "BOOT-INF/classes/"
PLAIN = """\
package shop;

@org.springframework.boot.autoconfigure.SpringBootApplication
public class ShopApplication {
    public static void main(String[] arguments) {
        org.springframework.boot.SpringApplication.run(ShopApplication.class, arguments);
    }
}
"""


def options(purpose: str | None) -> argparse.Namespace:
    """Reads the command line."""
    options = argparse.ArgumentParser(description=purpose, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=15, help="starts with leafmint, and without: 2 or more")
    options.add_argument("--boot", choices=BOOTS, action="append", help="measures these only")
    options.add_argument("--java", action="append", default=[], help="options of the virtual machine")
    given = options.parse_args()
    if not shutil.which("java") or VARIABLE not in os.environ:
        sys.exit(f"needs java, and a server in {VARIABLE}: see --help")
    return given


def without_leafmint(jar: Path, other: Path) -> Path:
    """Copies an executable JAR without the JARs of leafmint."""
    with zipfile.ZipFile(jar) as source, zipfile.ZipFile(other, "w") as target:
        for entry in source.infolist():
            if not entry.filename.startswith("BOOT-INF/lib/leafmint"):
                target.writestr(copy(entry), source.read(entry), entry.compress_type)
    return other


def plain(jar: Path, folder: Path) -> Path:
    """Copies an executable JAR with an application in it that does not use leafmint, and has no settings for it."""
    with zipfile.ZipFile(jar) as source:
        source.extractall(folder / "jar")
    (folder / "ShopApplication.java").write_text(PLAIN)
    libraries = str(folder / "jar/BOOT-INF/lib/*")
    subprocess.run(["javac", "-cp", libraries, "-d", folder / "classes", folder / "ShopApplication.java"], check=True)
    with zipfile.ZipFile(jar) as source, zipfile.ZipFile(folder / "plain.jar", "w") as target:
        for entry in source.infolist():
            # The loader wants the folder, too.
            if not entry.filename.startswith(CLASSES) or entry.filename == CLASSES:
                target.writestr(copy(entry), source.read(entry), entry.compress_type)
        target.writestr(f"{CLASSES}application.yaml", "spring.application.name: spring-shop\n")
        target.write(folder / "classes/shop/ShopApplication.class", f"{CLASSES}shop/ShopApplication.class")
    return folder / "plain.jar"


def sample_jars(boot: str, folder: Path) -> tuple[Path, Path]:
    """Returns the sample on one Boot with leafmint and without it, after one start of each."""
    (folder / boot).mkdir()
    with_it = plain(TOP / f"tests/apps/spring_shop/boot-{boot}/target/spring-shop.jar", folder / boot)
    without = without_leafmint(with_it, folder / "without.jar")
    for jar in (with_it, without):
        start(jar, [])
    return with_it, without


def processor_seconds(pid: int) -> float:
    """Returns the user and system time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def start(jar: Path, java: list[str], end: Callable[[Popen[str]], object] = Popen.kill) -> float:
    """Starts the sample, and returns the processor time that it has used once it has started, before `end`."""
    server = urlsplit(os.environ[VARIABLE])
    environment = {
        **os.environ,
        "SERVER_PORT": str(free_port()),
        "SPRING_DATASOURCE_URL": f"jdbc:mariadb://{server.hostname}:{server.port}{server.path}",
        "SPRING_DATASOURCE_USERNAME": server.username or "",
        "SPRING_DATASOURCE_PASSWORD": server.password or "",
    }
    command = ["java", *java, "-Dleafmint.leaf-api.enabled=false", "-jar", str(jar)]
    with Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        deadline = Timer(LONGEST_SECONDS, process.kill)
        deadline.daemon = True
        deadline.start()
        seen = []
        for line in process.stdout:
            seen.append(line)
            if STARTED in line:
                used = processor_seconds(process.pid)
                end(process)
                deadline.cancel()
                return used
    sys.exit(f"the sample did not start, or not within {LONGEST_SECONDS} s:\n" + "".join(seen))


def measure(boot: str, folder: Path, given: argparse.Namespace) -> None:
    """Starts the sample on one Boot in turn with and without leafmint, and prints the difference."""
    with_it, without = sample_jars(boot, folder)
    pairs = [(start(with_it, given.java), start(without, given.java)) for _ in range(given.runs)]
    more, less = zip(*pairs, strict=True)
    differences = [1000 * (one - other) for one, other in pairs]
    error = statistics.stdev(differences) / given.runs**0.5
    print(
        f"Spring Boot {boot}: {statistics.median(more):.2f} s with leafmint, {statistics.median(less):.2f} s without;"
        f" {statistics.median(differences):+.0f} ms in the median of the pairs,"
        f" {statistics.mean(differences):+.0f} ± {error:.0f} ms in the mean;"
        f" at least {min(more):.2f} and {min(less):.2f} s: {1000 * (min(more) - min(less)):+.0f} ms",
        flush=True,
    )


def main() -> None:
    """Measures each Boot."""
    given = options(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for boot in given.boot or BOOTS:
            measure(boot, Path(folder), given)


if __name__ == "__main__":
    main()
