"""The JAR's metadata for GraalVM's native-image lists what the native library looks up by name, and nothing else.

The lookups are recorded in a JVM, by an agent that does what native-image's own agent does.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from programs import JAVA, TOP, jar

APPLICATIONS = TOP / "tests/cross/applications"
METADATA = "META-INF/native-image/io.github.leafmint/leafmint"
PRIMITIVES = {"I": "int", "J": "long", "Z": "boolean"}
UNSEEN = {"java.lang.IllegalStateException", "java.lang.NoClassDefFoundError"}
"""Thrown for bugs, which the program does not have."""


def metadata(name: str) -> Any:
    """Reads a file of the metadata."""
    with ZipFile(jar()) as archive:
        return json.loads(archive.read(f"{METADATA}/{name}"))


def types(signature: str) -> tuple[str, ...]:
    """Returns the Java names of the types in a signature, for example `(ILjava/lang/String;)`."""
    found = re.findall(r"(\[*)(?:L([^;]+);|([IJZ]))", signature)
    return tuple((name.replace("/", ".") or PRIMITIVES[letter]) + "[]" * len(array) for array, name, letter in found)


def key(line: str) -> tuple[Any, ...]:
    """Returns a recorded lookup as the metadata has it."""
    kind, name, *rest = line.split(" ")
    name = re.sub(r"^L(.*);$", r"\1", name).replace("/", ".")
    if kind == "method":
        return name, rest[0], types(rest[1].split(")")[0])
    return (name, rest[0]) if kind == "field" else (name,)


def listed() -> set[tuple[Any, ...]]:
    """Returns the lookups that the metadata allows: classes, their methods and their fields."""
    found: set[tuple[Any, ...]] = set()
    for entry in metadata("jni-config.json"):
        name = entry["name"]
        found.add((name,))
        found |= {(name, one["name"], tuple(one["parameterTypes"])) for one in entry.get("methods", [])}
        found |= {(name, one["name"]) for one in entry.get("fields", [])}
    return found


@pytest.fixture(scope="module")
def lookups(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Runs a program that uses everything, and returns what was looked up."""
    scratch = tmp_path_factory.mktemp("lookups")
    settings = subprocess.run(["java", "-XshowSettings:properties", "-version"], capture_output=True, text=True).stderr
    home = Path(re.search(r"java\.home = (.*)", settings)[1])  # type: ignore[index]
    agent, seen = scratch / "agent.so", scratch / "seen.txt"
    includes = [f"-I{home / 'include'}", f"-I{home / 'include/linux'}"]
    source = str(APPLICATIONS / "jni_lookups.c")
    subprocess.run(["gcc", "-shared", "-fPIC", *includes, "-o", str(agent), source, "-ldl"], check=True)
    program = [f"-agentpath:{agent}={seen}", "-cp", str(jar()), str(APPLICATIONS / "Lookups.java"), str(scratch)]
    run = subprocess.run([*JAVA, *program], capture_output=True, text=True)
    assert run.stdout.endswith("done\n"), run.stdout + run.stderr
    return seen.read_text().splitlines()


def test_what_is_looked_up_from_native_code_is_listed(lookups: list[str]) -> None:
    assert {key(line) for line in lookups if not line.startswith("forName")} - listed() == set()


def test_what_is_listed_is_looked_up_or_thrown(lookups: list[str]) -> None:
    seen = {key(line) for line in lookups}
    seen |= {(name,) for name, *_ in seen}
    thrown = UNSEEN | {name for name, *_ in seen if name.startswith("io.github.leafmint.")}
    assert {entry for entry in listed() - seen if entry[0] not in thrown} == set()


def made_by_jackson() -> set[str]:
    """Return the classes that annotations of ours name: Jackson makes an object of each by reflection."""
    return {
        f"io.github.leafmint.{source.parent.name}.{name.replace('.', '$')}"
        for source in (TOP / "jvm/java/src/main/java").rglob("jackson*/With*.java")
        for name in re.findall(r"sing = ([\w.]+)\.class", source.read_text())
    }


def test_classes_that_are_found_by_name_are_kept_for_reflection(lookups: list[str]) -> None:
    names = {key(line)[0] for line in lookups if line.startswith("forName")}
    assert {entry["name"] for entry in metadata("reflect-config.json")} == names | made_by_jackson()
    assert len(made_by_jackson()) == 10


def test_every_error_is_listed_with_its_constructor() -> None:
    names = [error["java"] for error in json.loads((TOP / "tests/vectors/errors.json").read_text())]
    assert {(f"io.github.leafmint.{name}", "<init>", ("java.lang.String",)) for name in names} <= listed()


def test_the_native_library_and_the_page_are_kept() -> None:
    patterns = [entry["pattern"] for entry in metadata("resource-config.json")["resources"]["includes"]]
    with ZipFile(jar()) as archive:
        read = [name for name in archive.namelist() if name.endswith((".so", ".dylib", "/page.html"))]
    assert len(read) >= 2
    assert all(any(re.fullmatch(pattern, name) for pattern in patterns) for name in read)
