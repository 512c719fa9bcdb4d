"""The page of versions names those that leafmint asks for and that the tests run on."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
ROWS = re.findall(r"^\| (\S[^|]*) \| ([^|]*) \| ([^|]*) \|$", (TOP / "docs/versions.md").read_text(), re.MULTILINE)
TABLE = {name: (needs, tested) for name, needs, tested in ROWS}
SERVERS = json.loads((TOP / "tests/servers/versions.json").read_text())
COMBINATIONS = json.loads((TOP / "tests/frameworks/combinations.json").read_text())
PYTHON = COMBINATIONS["python"]["combinations"].values()
JAVA = COMBINATIONS["java"]["combinations"].values()
POM = (TOP / "jvm/pom.xml").read_text()
OF_POM = {
    "Spring Boot": ["spring-boot.version", "spring-boot-4.0.version", "spring-boot-4.1.version"],
    "Hibernate": ["hibernate-6.6.version", "hibernate-7.2.version", "hibernate-7.4.version"],
    "MyBatis-Plus": ["mybatis-plus.version", "mybatis-plus-4.version"],
    "ShardingSphere": ["shardingsphere.version"],
}
OF_PYTHON = {
    name: name.replace("-", "_")
    for name in ("numpy", "django", "sqlalchemy", "alembic", "pydantic", "pytest", "prometheus-client")
} | {"opentelemetry-api": "opentelemetry-sdk"}
"""The names of requirements-dev.txt, by those of the extras."""


def of_frameworks(tested: str, versions: Iterable[str]) -> str:
    """Returns what a cell says: the version of each change, and the others of `make frameworks`."""
    others = dict.fromkeys(version.removesuffix(".Final") for version in versions)
    return "; ".join([tested, *[f"{', '.join(others)} by `make frameworks`"] * bool(others)])


@pytest.mark.parametrize("name", sorted(OF_PYTHON))
def test_a_package_of_python_has_the_versions_of_the_extra_and_of_the_tests(name: str) -> None:
    rows = {row.lower(): versions for row, versions in TABLE.items()}
    needs, cell = rows[name]
    assert re.search(rf'"{name}(\[\w+\])?>={re.escape(needs)}"', (TOP / "pyproject.toml").read_text().lower())
    pins = re.findall(rf"^{OF_PYTHON[name]}==(.*)$", (TOP / "requirements-dev.txt").read_text().lower(), re.MULTILINE)
    others = [combination["packages"][name] for combination in PYTHON]
    assert f"{others[0]}.".startswith(f"{needs}.")
    assert cell == of_frameworks(*pins, [version for version in others if version not in pins])


def test_the_interpreters_are_those_of_the_combinations() -> None:
    others = [combination["python"] for combination in PYTHON]
    assert TABLE["CPython"][1].startswith(of_frameworks("3.11", others))
    assert TABLE["CPython"][0] == others[0]


def test_the_jdks_are_those_of_the_combinations() -> None:
    oldest, *others = dict.fromkeys(combination["jdk"] for combination in JAVA)
    assert TABLE["JDK"] == (oldest, of_frameworks(oldest, others))


@pytest.mark.parametrize("name", OF_POM)
def test_a_framework_of_java_has_the_versions_of_the_tests(name: str) -> None:
    found = [re.search(rf"<{version}>([0-9.]+?)(\.Final)?</", POM) for version in OF_POM[name]]
    others = [
        combination["properties"][version.removesuffix(".version")]
        for combination in JAVA
        for version in OF_POM[name]
        if version.removesuffix(".version") in combination["properties"]
    ]
    assert TABLE[name][1] == of_frameworks(", ".join(version[1] for version in found if version), others)


@pytest.mark.parametrize("name", ["MariaDB", "MySQL", "PostgreSQL", "ZooKeeper"])
def test_a_server_has_the_versions_of_make_servers(name: str) -> None:
    [tested] = (tested for row, (_, tested) in TABLE.items() if row.startswith(f"[{name}]"))
    assert tested.endswith(f"; {', '.join(SERVERS[name.lower()])} by `make servers`")
