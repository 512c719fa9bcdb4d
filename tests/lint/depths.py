"""Whether tests that are named elsewhere exist, and which of them `make test` runs: the long ones need `test-all`."""

from __future__ import annotations

import ast
import re
from functools import cache

from programs import TOP

JAVA = {file.stem: file for file in TOP.glob("jvm/*/src/test/java/**/*Test.java")}


def exists(test: str) -> bool:
    """Returns whether there is such a file, or such a test: `file.rs::name`, `file.py::name[row]`, `NameTest::name`."""
    file, _, name = test.partition("::")
    if file in JAVA:
        return f"void {name}(" in text(file)
    if not name:
        return (TOP / file).exists()
    return (TOP / file).is_file() and re.search(rf"\b(def|fn) {name.partition('[')[0]}\b", text(file)) is not None


def is_short(test: str) -> bool:
    """Returns whether `make test` runs a test: some of its rows, or some tests of a file."""
    if test.startswith("bench/"):
        return False
    file, _, name = test.partition("::")
    return not file.endswith(".py") or not is_long(text(file), name.partition("[")[0])


@cache
def text(file: str) -> str:
    """Reads a source file, or the class of a Java test."""
    return (JAVA[file] if file in JAVA else TOP / file).read_text()


def is_long(source: str, name: str) -> bool:
    """Returns whether a test, with all of its rows, is marked long, or the module that it is in."""
    module = ast.parse(source)
    assignments = [it for it in module.body if isinstance(it, ast.Assign)]
    marks = [it.value for it in assignments if ast.unparse(it.targets[0]) == "pytestmark"]
    tests = [it for it in module.body if isinstance(it, ast.FunctionDef) and it.name == name]
    return "pytest.mark.long" in map(ast.unparse, [*marks, *(mark for test in tests for mark in test.decorator_list)])
