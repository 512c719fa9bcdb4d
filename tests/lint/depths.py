"""The tests that a page names, and whether `make test` runs them or only `make test-all`, which a page calls long."""

from __future__ import annotations

import ast
import re

from programs import TOP

NAMED = re.compile(r"`([\w/]+\.(?:py|rs))::(\w+)(?:\[[^\]`]*\])?`( \(long\))?")


def named(page: str) -> list[tuple[str, str, bool]]:
    """Returns the file and the name of each test on a page, and whether the page calls it long."""
    return [(file, name, bool(long)) for file, name, long in NAMED.findall(page)]


def wrong(page: str) -> list[str]:
    """Returns the tests on a page that do not exist, or whose depth is not what the page says."""
    found = []
    for file, name, long in named(page):
        source = (TOP / file).read_text()
        if not re.search(rf"\b(def|fn) {name}\b", source):
            found.append(f"{file} has no test {name}")
        elif long != (file.endswith(".py") and is_long(source, name)):
            found.append(f"{file}::{name} is {'not ' * long}marked long")
    return found


def is_long(source: str, name: str) -> bool:
    """Returns whether a test, with all of its rows, is marked long, or the module that it is in."""
    module = ast.parse(source)
    assignments = [it for it in module.body if isinstance(it, ast.Assign)]
    marks = [it.value for it in assignments if ast.unparse(it.targets[0]) == "pytestmark"]
    tests = [it for it in module.body if isinstance(it, ast.FunctionDef) and it.name == name]
    return "pytest.mark.long" in map(ast.unparse, [*marks, *(mark for test in tests for mark in test.decorator_list)])
