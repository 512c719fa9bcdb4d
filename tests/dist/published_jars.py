"""The published JARs and POMs: where they are, and what is checked of them without running them."""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

from commands import ARTEFACTS, TOP, run
from limits import check_library, check_size
from report import Report, check, say

MODULES = ["leafmint", "leafmint-spring-boot-starter", "leafmint-shardingsphere", "leafmint-test"]
REPOSITORY = ARTEFACTS / "maven"
VERSION = re.findall(r'^version = "(.*)"', (TOP / "Cargo.toml").read_text(), re.MULTILINE)[0]


def jar_of(name: str, suffix: str = ".jar") -> Path:
    """Returns a file of a module."""
    return REPOSITORY / f"io/github/leafmint/{name}/{VERSION}/{name}-{VERSION}{suffix}"


def platforms_in_jar() -> list[str]:
    """Returns the platforms whose libraries are in the JAR."""
    with ZipFile(jar_of("leafmint")) as jar:
        return sorted(name.split("/")[1] for name in jar.namelist() if name.endswith((".so", ".dylib")))


def check_files(report: Report) -> None:
    """Checks that every module has what Maven Central asks for, in its size, and that nothing else is published."""
    say("JARs: files, sizes, libraries")
    for name in MODULES:
        for suffix in (".jar", "-sources.jar", "-javadoc.jar", ".pom"):
            check(jar_of(name, suffix).is_file(), f"{jar_of(name, suffix).name} is missing: run `make dist` first")
        row = report.row(f"{name}.jar", "any" if name != "leafmint" else "all")
        check_size(row, jar_of(name), name)
        # Only this one has native parts, which have notices and a bill of materials.
        texts = ["LICENSE", *(["THIRD-PARTY-NOTICES.txt", "sbom/leafmint.cdx.json"] if name == "leafmint" else [])]
        for suffix in (".jar", "-sources.jar"):
            with ZipFile(jar_of(name, suffix)) as jar:
                missing = {f"META-INF/{text}" for text in texts} - {*jar.namelist()}
            check(not missing, f"{jar_of(name, suffix).name} lacks {sorted(missing)}")
        row.done.append("sources, javadoc, POM, licence")
    check(jar_of("leafmint-bom", ".pom").is_file(), "the POM of leafmint-bom is missing")
    published = {folder.name for folder in (REPOSITORY / "io/github/leafmint").iterdir() if folder.is_dir()}
    check(published == {*MODULES, "leafmint-bom"}, f"published: {sorted(published)}")
    with ZipFile(jar_of("leafmint")) as jar:
        for platform in platforms_in_jar():
            name = f"native/{platform}/libleafmint_jni.so"
            check(jar.getinfo(name).compress_type == ZIP_STORED, f"{name} is compressed: each start would inflate it")
            library = jar.read(name)
            row = report.row("leafmint.jar", platform)
            row.size = len(library)
            check_library(row, name, library, platform.split("-")[-1])
            row.done.append("needed libraries")


def check_built_twice(report: Report) -> None:
    """Checks that the same sources become the same JARs, byte by byte."""
    say("JARs: built a second time")
    first = hashes()
    (TOP / "target/maven-build.sha256").unlink()
    options = [option for name in platforms_in_jar() for option in ("--platform", name)]
    run([sys.executable, TOP / "dist/build.py", "jars", *options], TOP)
    second = hashes()
    check(first == second, f"built twice, these differ: {[name for name in first if first[name] != second.get(name)]}")
    report.row("leafmint.jar", "all").done.append(f"built twice: the same {len(first)} files")


def hashes() -> dict[str, str]:
    """Returns a hash of each JAR and POM."""
    files = [path for path in REPOSITORY.rglob("*") if path.suffix in (".jar", ".pom")]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
