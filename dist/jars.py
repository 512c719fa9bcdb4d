"""Builds the native libraries of Java, and the JARs and POMs: one JAR holds the libraries of every platform."""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

from platforms import Platform
from steps import ARTEFACTS, TOP, run, say
from toolchain import TOOLS, environment, linker_arguments

LIBRARIES = TOP / "target/libraries"
REPOSITORY = ARTEFACTS / "maven"
FILES = "py/python/leafmint/files"
# A copy of the sources, so that the build begins without classes or libraries of another one.
SOURCES = TOP / "target/maven-build"


def build_library(platform: Platform) -> None:
    """Builds the native library for a platform into `target/libraries`."""
    command: list[str | Path] = [TOOLS / "cargo-zigbuild" if platform.glibc else "cargo", "rustc"]
    command += [
        "--profile",
        "dist",
        "--locked",
        "--quiet",
        "--package",
        "leafmint-jni",
        "--target",
        platform.zig_target,
    ]
    command += linker_arguments(platform)
    what = f"Java's library for {platform.name} (minutes, if nothing is compiled yet)"
    run(what, command, environment=environment(platform))
    folder = LIBRARIES / platform.name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(TOP / "target" / platform.rust / "dist" / platform.library, folder)


def build_jars(platforms: list[Platform]) -> None:
    """Builds all JARs and POMs into a Maven repository, `target/artefacts/maven`, if anything changed."""
    copy_sources(platforms)
    stamp = ARTEFACTS.parent / "maven-build.sha256"
    content = hash_of(SOURCES)
    if REPOSITORY.is_dir() and stamp.is_file() and stamp.read_text() == content:
        say("JARs and POMs: nothing changed")
        return
    stamp.unlink(missing_ok=True)
    shutil.rmtree(REPOSITORY, ignore_errors=True)
    native = ["directory=" + str(SOURCES / "native"), "platform=", "file=*/libleafmint_jni.*", "skip=true"]
    # Not installed in the local repository: an application there would get it without asking for it.
    options = ["-Prelease", "-Dmaven.test.skip=true", "-Dmaven.install.skip=true"]
    options += [f"-Dleafmint.native.{one}" for one in native]
    options += [f"-DaltDeploymentRepository=artefacts::file:{REPOSITORY}"]
    run("JARs and POMs (a minute)", ["mvn", "-B", "-ntp", "-q", "-f", SOURCES / "jvm/pom.xml", *options, "deploy"])
    stamp.write_text(content)


def copy_sources(platforms: list[Platform]) -> None:
    """Copies what Maven needs, with the libraries of the platforms."""
    shutil.rmtree(SOURCES, ignore_errors=True)
    shutil.copytree(TOP / "jvm", SOURCES / "jvm", ignore=shutil.ignore_patterns("target", "bench"))
    for name in ("LICENSE", "THIRD-PARTY-NOTICES.txt", "leafmint.cdx.json"):
        shutil.copy2(TOP / name, SOURCES)
    shutil.copytree(TOP / FILES, SOURCES / FILES)
    for platform in platforms:
        library = LIBRARIES / platform.name / platform.library
        if not library.is_file():
            sys.exit(
                f"{library.relative_to(TOP)} is missing: build it with `dist/build.py libraries` on {platform.name}"
            )
        (SOURCES / "native" / platform.name).mkdir(parents=True)
        shutil.copy2(library, SOURCES / "native" / platform.name)


def hash_of(folder: Path) -> str:
    """Returns a hash of the names and contents of all files in a folder."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(folder)}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
