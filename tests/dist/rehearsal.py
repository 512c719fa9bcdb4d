"""Rehearses a release on this machine: `make release-rehearsal`, after `make dist`.

It uploads the artefacts to a package index and a Maven repository on loopback, with the commands of a release. Each
Python and each JDK of this machine installs from there into an empty environment, and runs the quick start of the
package's page. With `--previous FOLDER`, the artefacts of an earlier version, both versions mint in turn on the same
data: the old one, the new one, and the old one again.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
import tempfile
from pathlib import Path

import project_outside
from commands import TOP, run
from java_homes import java_homes
from loopback import maven_repository, package_index
from published_jars import VERSION, jar_of
from pythons import environment, install, interpreters
from report import Report, Row, check, say

sys.path.append(str(TOP / "tests/servers"))

from mariadb import MariaDb

MINT = """
import sys, leafmint
for url in sys.argv[1:3]:
    with leafmint.SegmentGenerator(url, auto_create=True) as ids:
        print(*ids.tag("order").next_ids(1500))
for url in sys.argv[3:]:
    with leafmint.SnowflakeGenerator(url) as flakes:
        print(*(flakes.next_id() for _ in range(1500)))
"""
"""Prints 1,500 ids of each store and holder. It has only names that no version changes."""

MINT_IN_JAVA = """
import io.github.leafmint.SegmentGenerator;

public class Mint {
    public static void main(String[] urls) {
        for (String url : urls) {
            try (SegmentGenerator ids = SegmentGenerator.open(url)) {
                StringBuilder line = new StringBuilder();
                for (int count = 0; count < 1500; count++) {
                    line.append(ids.tag("order").nextId()).append(' ');
                }
                System.out.println(line);
            }
        }
    }
}
"""


def main() -> None:
    """Rehearses the release."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--previous", type=resolved, help="the artefacts of an earlier version, as target/artefacts")
    previous = parser.parse_args().previous
    report = Report()
    with tempfile.TemporaryDirectory(prefix="leafmint-rehearsal-") as name, MariaDb() as server:
        folder = Path(name)
        with package_index(folder / "python") as index:
            row = report.row("leafmint from an index", "this machine")
            quick_start_of_python(row, index, folder / "python")
            upgrade(report.row("an upgrade, and back", "this machine"), server, index, previous, folder / "upgrade")
        with maven_repository(folder / "java") as repository:
            row = report.row("leafmint from a Maven repository", "this machine")
            for version, home in java_homes().items():
                say(f"JDK {version}: a project outside")
                (folder / "java" / version).mkdir()
                seen = project_outside.use(folder / "java" / version, home, repository)
                row.done.append(f"JDK {version}: {', '.join(seen)}")
    report.print()


def resolved(path: str) -> Path:
    """Returns a path that holds in any folder."""
    return Path(path).resolve()


def quick_start_of_python(row: Row, index: str, folder: Path) -> None:
    """Installs from the index with each Python, and runs what the page of the package shows."""
    page = (TOP / "py/README.md").read_text()
    (program,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    for version, python in interpreters().items():
        say(f"CPython {version}: the quick start")
        home = folder / version
        home.mkdir()
        inside = environment(python, home / "venv")
        install(inside, "--index-url", index, "--only-binary", "leafmint", f"leafmint=={VERSION}")
        printed = run([inside, "-I", "-c", program], home).splitlines()
        check(printed == re.findall(r"# prints (.*)", program), f"the quick start printed {printed}")
        check(VERSION in run([inside.with_name("leafmint"), "--version"], home), "the command has another version")
        row.done.append(f"CPython {version}: quick start")


def upgrade(row: Row, server: MariaDb, index: str, previous: Path | None, folder: Path) -> None:
    """Mints with the earlier version, this one and the earlier one again, and looks for an id that repeats."""
    if previous is None:
        row.left_out.append("there is no earlier version: name one with PREVIOUS=FOLDER")
        return
    folder.mkdir()
    python = environment(next(iter(interpreters().values())), folder / "venv")
    urls = [f"sqlite:///{folder}/ids.db", server.url, f"local:{folder}/workers", f"{server.url}?auto_create=true"]
    old = ["--no-index", one(previous, f"leafmint-*{platform.machine()}.whl")]
    printed: list[list[list[int]]] = []
    for what in (old, ["--index-url", index, f"leafmint=={VERSION}"], old):
        install(python, "--force-reinstall", *what)
        lines = run([python, "-I", "-c", MINT, *urls], folder).splitlines()
        printed.append([[int(id) for id in line.split()] for line in lines])
    (folder / "Mint.java").write_text(MINT_IN_JAVA)
    java = next(iter(java_homes().values())) / "bin/java"
    for jar in (jar_in(previous), jar_of("leafmint"), jar_in(previous)):
        lines = run([java, "-cp", jar, folder / "Mint.java", server.url], folder).splitlines()
        for line in lines[-1:]:
            printed[-1][1] += [int(id) for id in line.split()]
    for place, url in enumerate(urls):
        ids = [id for turn in printed for id in turn[place]]
        check(len(set(ids)) == len(ids) >= 4500, f"{url}: {len(ids)} ids, {len(set(ids))} different ones")
    row.done.append("both ways on SQLite, MariaDB (Python and Java) and a directory: no id repeats")


def jar_in(artefacts: Path) -> Path:
    """Returns the JAR of the binding among some artefacts."""
    return one(artefacts, "maven/io/github/leafmint/leafmint/*/leafmint-*[0-9].jar")


def one(folder: Path, pattern: str) -> Path:
    """Returns the only file that a pattern finds."""
    found = sorted(folder.glob(pattern))
    check(len(found) == 1, f"{folder} has {len(found)} files {pattern}")
    return found[0]


if __name__ == "__main__":
    main()
