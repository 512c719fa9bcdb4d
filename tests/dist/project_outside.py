"""Uses the published JARs from a project outside, with a local Maven repository that has nothing of leafmint."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from commands import TOP, run
from published_jars import MODULES, REPOSITORY, VERSION, jar_of
from report import check

MAVEN = ["mvn", "-B", "-ntp", "-q"]
MAIN = """\
package shop;

import io.github.leafmint.SegmentGenerator;

public class Main {
    public static void main(String[] arguments) {
        try (var ids = SegmentGenerator.open("memory:")) {
            System.out.println(ids.tag("order").nextId());
        }
        System.out.println(SegmentGenerator.class.getPackage().getImplementationVersion());
        System.out.println(SegmentGenerator.class.getModule().getName());
    }
}
"""


def without_leafmint(folder: Path) -> Path:
    """Makes a local repository of links to what the real one has of others."""
    real = Path(os.environ.get("MAVEN_REPOSITORY", Path.home() / ".m2/repository"))
    copy = folder / "repository"

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    shutil.copytree(
        real, copy, copy_function=link, ignore=lambda at, _: {"leafmint"} if at.endswith("io/github") else set()
    )
    return copy


def version(of: str) -> str:
    """Returns a version that the parent POM names."""
    return re.findall(rf"<{of}.version>(.*)</{of}.version>", (TOP / "jvm/pom.xml").read_text())[0]


def pom(published: str) -> str:
    """Returns the POM of a project that knows leafmint's BOM alone."""
    plugins = "".join(
        f"<plugin><artifactId>{name}</artifactId><version>{version(name)}</version></plugin>"
        for name in ("maven-compiler-plugin", "maven-resources-plugin")
    )
    wanted = "".join(
        f"<dependency><groupId>io.github.leafmint</groupId><artifactId>{name}</artifactId></dependency>"
        for name in MODULES
    )
    return f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
      <modelVersion>4.0.0</modelVersion>
      <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
      <properties><maven.compiler.release>17</maven.compiler.release></properties>
      <repositories><repository><id>artefacts</id><url>{published}</url></repository></repositories>
      <dependencyManagement><dependencies><dependency>
        <groupId>io.github.leafmint</groupId><artifactId>leafmint-bom</artifactId><version>{VERSION}</version>
        <type>pom</type><scope>import</scope>
      </dependency></dependencies></dependencyManagement>
      <dependencies>{wanted}</dependencies>
      <build><plugins>{plugins}</plugins></build>
    </project>"""


def use(folder: Path, java_home: Path, published: str = REPOSITORY.as_uri()) -> list[str]:
    """Compiles and runs a project with the BOM, on the class path and on the module path; returns what was seen."""
    home = {"JAVA_HOME": str(java_home)}
    source = folder / "shop/src/main/java/shop/Main.java"
    source.parent.mkdir(parents=True)
    source.write_text(MAIN)
    (folder / "shop/pom.xml").write_text(pom(published))
    repository = without_leafmint(folder)
    run([*MAVEN, f"-Dmaven.repo.local={repository}", "compile"], folder / "shop", home)
    slf4j = repository / f"org/slf4j/slf4j-api/{version('slf4j')}/slf4j-api-{version('slf4j')}.jar"
    path = f"{jar_of('leafmint')}:{slf4j}"
    classes = folder / "shop/target/classes"
    java = java_home / "bin/java"
    printed = run([java, "-cp", f"{path}:{classes}", "shop.Main"], folder).split()
    check(printed == ["1", VERSION, "null"], f"on the class path: {printed}")
    (source.parents[1] / "module-info.java").write_text(
        "module shop { requires io.github.leafmint; requires java.sql; }"
    )
    modules = folder / "modules"
    run([java.with_name("javac"), "-p", path, "-d", modules, source, source.parents[1] / "module-info.java"], folder)
    printed = run([java, "-p", f"{path}:{modules}", "-m", "shop/shop.Main"], folder).split()
    # The packages of a named module have no version.
    check(printed == ["1", "null", "io.github.leafmint"], f"on the module path: {printed}")
    shutil.rmtree(repository)
    return ["a project with leafmint-bom", "module path"]
