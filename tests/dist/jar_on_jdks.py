"""Runs the tests of the Java binding against the published JAR."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from zipfile import ZipFile

from commands import TOP, run
from published_jars import jar_of
from report import check

MAVEN = ["mvn", "-B", "-ntp", "-q"]
NEED_SERVERS = [
    "MySqlTest", "PostgresTest", "ZooKeeperTest", "TicketsTest", "CredentialsTest", "HibernateTest", "DataSourceTest",
    "R2dbcGeneratorsTest", "DriverThreadsTest", "JdbcConnectionTest", "GaplessSequenceTest", "GaplessWritersTest",
    "R2dbcGaplessTest", "AuditTest", "SequenceTest", "TypedIdHibernateTest", "TypedIdDriversTest",
    "FrameworkTypedIdTest",
]  # fmt: skip
LAUNCHER = "org.junit.platform:junit-platform-console-standalone:1.12.2"


def prepare(folder: Path) -> list[Path]:
    """Compiles the tests and collects what they need; returns the class path without leafmint."""
    folder.mkdir(exist_ok=True)
    java = TOP / "jvm/java"
    paths = folder / "class-path"
    goals = ["test-compile", "dependency:build-classpath", f"-Dmdep.outputFile={paths}"]
    run([*MAVEN, "-f", TOP / "jvm/pom.xml", "-pl", "java", "-Dleafmint.native.skip", *goals], TOP)
    run([*MAVEN, "dependency:copy", f"-Dartifact={LAUNCHER}", f"-DoutputDirectory={folder}"], folder)
    shutil.copytree(java / "target/test-classes", folder / "target/test-classes")
    for read in ("tests/vectors", "docs/reference"):
        shutil.copytree(TOP / read, folder / read)
    # By it the tests find what they read.
    (folder / "Cargo.lock").touch()
    # Some tests read the classes as files.
    with ZipFile(jar_of("leafmint")) as jar:
        jar.extractall(folder / "target/classes")
    others = [Path(path) for path in paths.read_text().strip().split(":")]
    (launcher,) = folder.glob("junit-platform-console-standalone-*.jar")
    # The launcher brings JUnit.
    return [launcher, *(path for path in others if not re.match(r"junit-|opentest4j|apiguardian", path.name))]


def command(java: Path, tests: str, class_path: str, without: list[str] | None = None) -> list[str | Path]:
    """Returns the command that runs the tests that need no server, without some methods."""
    options = ["--details=tree", "--disable-banner", "--disable-ansi-colors", "--scan-classpath", tests]
    options += ["--exclude-classname", rf".*\b({'|'.join(NEED_SERVERS)})"]
    if without:
        options += ["--exclude-methodname", rf".*#({'|'.join(without)})"]
    path = f"{tests}:{class_path}"
    return [java, "-cp", path, "org.junit.platform.console.ConsoleLauncher", "execute", *options]


def summary(printed: str) -> str:
    """Returns how many tests passed and what was left out, from what JUnit printed."""
    passed = re.findall(r"\[ *(\d+) tests successful", printed)
    check(bool(passed) and int(passed[0]) > 100, f"too few tests ran: {printed}")
    return f"{passed[0]} tests ({', '.join(NEED_SERVERS)} left out)"


def run_tests(java: Path, folder: Path, class_path: list[Path]) -> str:
    """Runs the tests that need no server, and returns how many passed."""
    path = ":".join(map(str, [jar_of("leafmint"), *class_path]))
    return summary(run(command(java, str(folder / "target/test-classes"), path), folder))
