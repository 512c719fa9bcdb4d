"""The JARs and POMs that Maven publishes name what they are, carry their licences, and stand alone."""

from __future__ import annotations

import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from programs import JAVA, TOP

POM = {"": "http://maven.apache.org/POM/4.0.0"}
VERSION = re.search(r'^version = "(.*)"', (TOP / "Cargo.toml").read_text(), re.MULTILINE)[1]  # type: ignore[index]
MODULES = {
    "java": ("leafmint", "io.github.leafmint"),
    "spring-boot-starter": ("leafmint-spring-boot-starter", "io.github.leafmint.spring.boot"),
    "shardingsphere": ("leafmint-shardingsphere", "io.github.leafmint.shardingsphere"),
    "test": ("leafmint-test", "io.github.leafmint.test"),
}


HIBERNATE = {path.name for path in (TOP / "jvm/java/src/main/resources/META-INF/services").iterdir()}
PROGRAM = """\
package shop;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.sharding.Genes;

public class Main {
    public static void main(String[] arguments) {
        try (var ids = SegmentGenerator.open("memory:")) {
            System.out.println(Genes.withGene(ids.tag("order").nextId(), 3, 4));
        }
        System.out.println(SegmentGenerator.class.getModule());
    }
}
"""


def pom(file: Path) -> ElementTree.Element:
    """Reads a POM."""
    assert file.is_file(), f"{file} is missing: run `make jars` first"
    return ElementTree.parse(file).getroot()


def published(module: str) -> ElementTree.Element:
    """Reads the POM that is published for a module."""
    return pom(TOP / "jvm" / module / "target/.flattened-pom.xml")


def archive(module: str, classifier: str = "") -> ZipFile:
    """Opens a JAR of a module."""
    file = TOP / "jvm" / module / f"target/{MODULES[module][0]}-{VERSION}{classifier}.jar"
    assert file.is_file(), f"{file} is missing: run `make jars` first"
    return ZipFile(file)


def name(dependency: ElementTree.Element) -> str:
    """Returns the name of an artefact."""
    return dependency.findtext("artifactId", "", POM)


def manifest(jar: ZipFile) -> dict[str, str]:
    """Reads the manifest of a JAR, whose long lines continue on lines that begin with a space."""
    lines = jar.read("META-INF/MANIFEST.MF").decode().replace("\r\n ", "").split("\r\n")
    return dict(line.split(": ", 1) for line in lines if line)


def test_every_module_of_the_build_is_published() -> None:
    modules = {module.text for module in pom(TOP / "jvm/pom.xml").findall("modules/module", POM)}
    assert modules == {*MODULES, "bom"}


@pytest.mark.parametrize("module", MODULES)
def test_the_manifest_names_module_version_vendor_and_licence(module: str) -> None:
    with archive(module) as jar:
        entries = manifest(jar)
    assert entries["Automatic-Module-Name"] == MODULES[module][1]
    assert entries["Implementation-Version"] == VERSION
    assert entries["Implementation-Title"] == published(module).findtext("name", namespaces=POM)
    assert entries["Implementation-Vendor"] == "leafmint developers"
    assert entries["Bundle-License"].startswith("Apache-2.0;")


@pytest.mark.parametrize("module", MODULES)
def test_a_jar_carries_the_licence_and_nothing_of_the_machine_that_built_it(module: str) -> None:
    with archive(module) as jar:
        assert jar.read("META-INF/LICENSE") == (TOP / "LICENSE").read_bytes()
        text = [name for name in jar.namelist() if not name.endswith((".class", ".so", ".dylib", "/"))]
        assert [name for name in text if str(TOP).encode() in jar.read(name)] == []


def test_the_jar_with_the_native_library_has_the_notices_of_every_crate_in_it() -> None:
    with archive("java") as jar:
        assert any(name.startswith("native/") for name in jar.namelist())
        assert jar.read("META-INF/THIRD-PARTY-NOTICES.txt") == (TOP / "THIRD-PARTY-NOTICES.txt").read_bytes()
        assert jar.read("META-INF/sbom/leafmint.cdx.json") == (TOP / "leafmint.cdx.json").read_bytes()


def test_the_jar_has_the_files_for_operators_of_the_wheel() -> None:
    files = {path.name: path.read_bytes() for path in (TOP / "py/python/leafmint/files").iterdir()}
    with archive("java") as jar:
        names = [name for name in jar.namelist() if re.fullmatch("META-INF/leafmint/.+", name)]
        assert {name.rpartition("/")[2]: jar.read(name) for name in names} == files


def test_the_jar_mints_with_nothing_else_on_the_class_path() -> None:
    run = subprocess.run(["tests/dist/jar.sh", "jvm/java/target"], cwd=TOP, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "numbers and snowflakes, none twice" in run.stdout


def test_the_native_library_is_stored_because_each_start_reads_it_and_has_no_symbols() -> None:
    with archive("java") as jar:
        (library,) = (entry for entry in jar.infolist() if entry.filename.endswith((".so", ".dylib")))
        assert library.compress_type == ZIP_STORED
        assert b"drop_in_place" not in jar.read(library)


@pytest.mark.parametrize("module", MODULES)
def test_the_sources_of_every_class_are_attached_without_the_native_library(module: str) -> None:
    with archive(module) as jar, archive(module, "-sources") as sources:
        names = set(sources.namelist())
        classes = {name for name in jar.namelist() if name.endswith(".class") and "META-INF" not in name}
        assert {re.sub(r"(\$.*)?\.class$", ".java", name) for name in classes} <= names
        assert not any(name.endswith((".so", ".dylib")) for name in names)


@pytest.mark.parametrize("module", [*MODULES, "bom"])
def test_a_published_pom_stands_alone_and_has_what_maven_central_asks_for(module: str) -> None:
    project = published(module)
    assert project.find("parent", POM) is None
    for element in ("name", "description", "url", "licenses/license/url", "developers/developer", "scm/connection"):
        assert project.find(element, POM) is not None, element
    text = ElementTree.tostring(project, encoding="unicode").replace("${project.version}", "")
    assert "${" not in text, "a property of the parent"
    assert str(TOP) not in text
    scopes = {scope.text for scope in project.findall("dependencies/dependency/scope", POM)}
    assert scopes <= {"compile", "runtime", "provided"}


def test_the_description_of_the_jar_with_the_native_library_says_where_it_runs() -> None:
    description = published("java").findtext("description", "", POM)
    assert "For Linux and macOS on x86_64 and aarch64; not for Windows" in description


@pytest.mark.parametrize("module", MODULES)
def test_what_is_optional_in_the_build_is_optional_in_the_published_pom(module: str) -> None:
    def dependencies(project: ElementTree.Element) -> dict[str, bool]:
        """Returns whether each dependency that is not for tests is optional."""
        return {
            name(one): one.findtext("optional", "", POM) == "true"
            for one in project.findall("dependencies/dependency", POM)
            if one.findtext("scope", parent.get(name(one), "compile"), POM) not in ("test", "provided")
        }

    managed = pom(TOP / "jvm/pom.xml").findall("dependencyManagement/dependencies/dependency", POM)
    parent = {name(one): one.findtext("scope", "compile", POM) for one in managed}
    assert dependencies(published(module)) == dependencies(pom(TOP / "jvm" / module / "pom.xml"))


def test_only_leafmint_slf4j_and_nullness_annotations_are_forced_upon_an_application() -> None:
    forced = {
        name(dependency)
        for module in MODULES.keys() - {"test"}
        for dependency in published(module).findall("dependencies/dependency", POM)
        if dependency.findtext("optional", "", POM) != "true" and dependency.findtext("scope", "", POM) != "provided"
    }
    assert forced <= {"leafmint", "slf4j-api", "jspecify"}


def test_the_bom_has_every_artefact_in_this_version_and_nothing_else() -> None:
    managed = published("bom").findall("dependencyManagement/dependencies/dependency", POM)
    assert {name(one) for one in managed} == {artefact for artefact, _ in MODULES.values()}
    assert published("bom").findtext("version", namespaces=POM) == VERSION
    assert {one.findtext("version", namespaces=POM) for one in managed} <= {VERSION, "${project.version}"}


def test_a_module_mints_on_the_module_path_and_hibernate_finds_its_services(tmp_path: Path) -> None:
    with archive("java") as jar:
        file = str(jar.filename)
    # javac looks at each overload of `open`, of which one takes a DataSource.
    (tmp_path / "module-info.java").write_text("module shop { requires io.github.leafmint; requires java.sql; }")
    (tmp_path / "Main.java").write_text(PROGRAM)
    sources = [str(tmp_path / "module-info.java"), str(tmp_path / "Main.java")]
    subprocess.run(["javac", "-p", file, "-d", str(tmp_path / "shop"), *sources], check=True)
    command = [*JAVA, "-p", f"{file}{os.pathsep}{tmp_path / 'shop'}", "-m", "shop/shop.Main"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert printed == [str(16 + 3), "module io.github.leafmint"]
    described = subprocess.run(["jar", "--describe-module", "--file", file], capture_output=True, text=True, check=True)
    assert set(re.findall(r"provides (\S+)", described.stdout)) == HIBERNATE
