"""The page of versions names those that leafmint asks for and that the tests run on."""

import json
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
ROWS = re.findall(r"^\| (\S[^|]*) \| ([^|]*) \| ([^|]*) \|$", (TOP / "docs/versions.md").read_text(), re.MULTILINE)
TABLE = {name: (needs, tested) for name, needs, tested in ROWS}
SERVERS = json.loads((TOP / "tests/servers/versions.json").read_text())
POM = (TOP / "jvm/pom.xml").read_text()
OF_POM = {
    "Spring Boot": ["spring-boot.version", "spring-boot-4.0.version", "spring-boot-4.1.version"],
    "Hibernate": ["hibernate-6.6.version", "hibernate-7.2.version", "hibernate-7.4.version"],
    "MyBatis-Plus": ["mybatis-plus.version", "mybatis-plus-4.version"],
    "ShardingSphere": ["shardingsphere.version"],
}


@pytest.mark.parametrize(
    "name", ["numpy", "django", "sqlalchemy", "alembic", "pydantic", "pytest", "prometheus-client"]
)
def test_a_package_of_python_has_the_versions_of_the_extra_and_of_the_tests(name: str) -> None:
    rows = {row.lower(): versions for row, versions in TABLE.items()}
    needs, tested = rows[name]
    assert re.search(rf'"{name}(\[\w+\])?>={re.escape(needs)}"', (TOP / "pyproject.toml").read_text().lower())
    assert f"\n{name.replace('-', '_')}=={tested}\n" in (TOP / "requirements-dev.txt").read_text().lower()


@pytest.mark.parametrize("name", OF_POM)
def test_a_framework_of_java_has_the_versions_of_the_tests(name: str) -> None:
    found = [re.search(rf"<{version}>([0-9.]+?)(\.Final)?</", POM) for version in OF_POM[name]]
    assert TABLE[name][1] == ", ".join(version[1] for version in found if version)


@pytest.mark.parametrize("name", ["MariaDB", "MySQL", "PostgreSQL", "ZooKeeper"])
def test_a_server_has_the_versions_of_make_servers(name: str) -> None:
    [tested] = (tested for row, (_, tested) in TABLE.items() if row.startswith(f"[{name}]"))
    assert tested.endswith(f"; {', '.join(SERVERS[name.lower()])} by `make servers`")
