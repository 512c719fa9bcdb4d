"""Installs what `make dist` built into empty environments, and runs its tests there: `make dist-test`.

`run.py [PART…]` runs some parts only. It ends with a text at the first check that fails, or with a table.
"""

from __future__ import annotations

import argparse
import platform
import tempfile
from pathlib import Path

import aarch64
import jar_on_jdks
import project_outside
import published_jars
import sdist
import tomcat
import wheel_files
import wheels_on_pythons
from commands import TOP, run
from foreign_debian import ForeignDebian, works
from java_homes import VERSIONS, java_homes
from report import Report, check, say

# The part `again` builds the JARs a second time.
PARTS = ["python", "sdist", "java", "aarch64", "again"]
NOT_HERE = ["linux-musl-x86_64", "linux-musl-aarch64", "macos-aarch64", "macos-x86_64"]


def main() -> None:
    """Runs the parts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}: all, if none is named")
    parts = parser.parse_args().parts or PARTS
    if unknown := sorted(set(parts) - set(PARTS)):
        parser.error(f"{', '.join(unknown)}: choose of {', '.join(PARTS)}")
    report = Report()
    with tempfile.TemporaryDirectory(prefix="leafmint-dist-") as name:
        folder = Path(name)
        if "python" in parts:
            python(report, folder / "python")
        if "sdist" in parts:
            sdist.check_sdist(report, folder / "sdist")
        if "java" in parts:
            java(report, folder / "java")
        if "aarch64" in parts:
            emulated(report, folder / "aarch64")
        if "again" in parts:
            published_jars.check_built_twice(report)
    for name in NOT_HERE:
        report.row("wheel, leafmint.jar", name).left_out.append("built and tested by the release workflow")
    report.print()


def python(report: Report, folder: Path) -> None:
    """Checks and installs the wheel of this machine."""
    folder.mkdir()
    architecture = platform.machine()
    wheel = wheel_files.wheel_of(architecture)
    row = wheel_files.check_wheel(report, wheel, architecture)
    wheels_on_pythons.check_on_every_python(row, wheel, folder)


def java(report: Report, folder: Path) -> None:
    """Checks and uses the JARs on every JDK of this machine."""
    folder.mkdir()
    published_jars.check_files(report)
    row = report.row("leafmint.jar", "linux-x86_64")
    homes = java_homes()
    check(bool(homes), f"there is no JDK of {', '.join(VERSIONS)}")
    class_path = jar_on_jdks.prepare(folder)
    for version in VERSIONS:
        if version not in homes:
            row.left_out.append(f"JDK {version}: not on this machine")
            continue
        say(f"leafmint.jar on JDK {version}")
        seen = []
        for number, use in enumerate((project_outside.use, tomcat.use)):
            (folder / f"{version}-{number}").mkdir()
            seen += use(folder / f"{version}-{number}", homes[version])
        seen.append(jar_on_jdks.run_tests(homes[version] / "bin/java", folder, class_path))
        row.done.append(f"JDK {version}: {', '.join(seen)}")


def emulated(report: Report, folder: Path) -> None:
    """Checks wheel and JAR for aarch64, and runs them under emulation."""
    folder.mkdir()
    wheel = wheel_files.wheel_of("aarch64")
    wheel_files.check_wheel(report, wheel, "aarch64")
    check("linux-aarch64" in published_jars.platforms_in_jar(), "the JAR has no library for aarch64")
    if reason := works():
        for artefact in ("wheel", "leafmint.jar"):
            report.row(artefact, "linux-aarch64").left_out.append(f"emulation: {reason}")
        return
    debian = ForeignDebian(folder)
    home = java_homes()[VERSIONS[0]]
    javac = home / "bin/javac"
    run([javac, "-cp", published_jars.jar_of("leafmint"), "-d", folder / "mint", TOP / "examples/Mint.java"], folder)
    aarch64.python(report, debian, wheel)
    aarch64.java(report, debian, folder / "mint/Mint.class")
    aarch64.together(report, debian)


if __name__ == "__main__":
    main()
