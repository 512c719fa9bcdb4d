"""Loads the published JAR in two web applications of one Tomcat."""

from __future__ import annotations

import shutil
from pathlib import Path

from commands import run
from project_outside import MAVEN, version
from published_jars import jar_of
from report import check

PROGRAMS = Path(__file__).parent / "programs"
TOMCAT = "org.apache.tomcat.embed:tomcat-embed-core:10.1.55"
NEEDED = [TOMCAT, "org.apache.tomcat:tomcat-annotations-api:10.1.55"]


def use(folder: Path, java_home: Path) -> list[str]:
    """Deploys two applications, each with its own copy of the JAR, and asks both for an id; returns what was seen."""
    libraries = folder / "libraries"
    for artefact in [*NEEDED, f"org.slf4j:slf4j-api:{version('slf4j')}"]:
        run([*MAVEN, "dependency:copy", f"-Dartifact={artefact}", f"-DoutputDirectory={libraries}"], folder)
    slf4j = next(libraries.glob("slf4j-api-*.jar"))
    path = ":".join(map(str, [jar_of("leafmint"), *libraries.glob("*.jar")]))
    javac = java_home / "bin/javac"
    for name in ("one", "two"):
        inside = folder / name / "WEB-INF"
        (inside / "lib").mkdir(parents=True)
        for jar in (jar_of("leafmint"), slf4j):
            shutil.copy2(jar, inside / "lib")
        run([javac, "-cp", path, "-d", inside / "classes", PROGRAMS / "IdServlet.java"], folder)
    run([javac, "-cp", path, "-d", folder / "server", PROGRAMS / "InTomcat.java"], folder)
    server = ":".join(map(str, [folder / "server", *(jar for jar in libraries.glob("*.jar") if jar != slf4j)]))
    printed = run([java_home / "bin/java", "-cp", server, "InTomcat", folder], folder)
    ids = [line for line in printed.splitlines() if line.startswith("id ")]
    check(ids == ["id 1", "id 1"], f"two applications of a Tomcat printed: {printed}")
    return ["two applications in Tomcat"]
