"""Writes the tables of docs/libraries.md from the rows that tests declare: `python3 tests/lint/libraries.py`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parents[2]
PAGE = TOP / "docs/libraries.md"
TABLE = re.compile(r"(?<=<!-- rows: )(.+?) -->\n.*?(?=<!-- end -->)", re.DOTALL)
OUTCOMES = ("right", "loud", "silent")


class Row(NamedTuple):
    """What a library makes of typed ids or minted keys."""

    section: str
    library: str
    situation: str
    outcome: str
    meaning: str

    def line(self, versions: dict[str, str]) -> str:
        """Returns the row of a table."""
        version = versions.get(folded(self.library))
        name = f"{self.library} {version}" if version else self.library
        return f"| {name} | {self.situation} | {self.outcome} | {self.meaning} |"


def folded(library: str) -> str:
    """Returns the name of a distribution as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", library).lower()


def python_rows() -> Iterator[Row]:
    """Yields the rows of `@row(...)` in py/tests."""
    constants = texts_of(TOP / "py/tests/gallery.py")
    for file in sorted(set(TOP.glob("py/tests/test_*.py")) - {TOP / "py/tests/test_gallery.py"}):
        for test in ast.walk(ast.parse(file.read_text())):
            calls = test.decorator_list if isinstance(test, ast.FunctionDef) else []
            for call in calls:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "row":
                    yield Row(*(text_of(argument, constants) for argument in call.args))


def texts_of(file: Path) -> dict[str, str]:
    """Returns the texts that the constants of a module have."""
    assigned = [it for it in ast.parse(file.read_text()).body if isinstance(it, ast.Assign)]
    constants = [(it.targets[0], it.value) for it in assigned if isinstance(it.value, ast.Constant)]
    return {ast.unparse(target): str(value.value) for target, value in constants}


def text_of(argument: ast.expr, constants: dict[str, str]) -> str:
    """Returns the text of an argument: a literal, or a constant of the gallery."""
    return constants[argument.id] if isinstance(argument, ast.Name) else str(ast.literal_eval(argument))


def python_versions() -> dict[str, str]:
    """Returns the versions of libraries that the requirements name."""
    lines = [(TOP / f"requirements-{name}.txt").read_text() for name in ("dev", "gallery")]
    pins: list[tuple[str, str]] = re.findall(r"^([\w.-]+)(?:\[.*?\])?==(\S+)", "\n".join(lines), re.MULTILINE)
    return {folded(library): version for library, version in pins}


def java_rows() -> Iterator[Row]:
    """Yields the rows of `@Row(...)` in the tests of Java."""
    literals = r'(?:"(?:\\.|[^"\\])*"[\s+]*)+'
    for file in sorted(TOP.glob("jvm/**/src/test/java/**/*Test.java")):
        text = file.read_text()
        for gallery in re.findall(rf"^@Gallery\(({literals})\)", text, re.MULTILINE):
            rows = re.findall(rf"^    @Row\(((?:\s*\w+ =\s+{literals},?)+)\)", text, re.MULTILINE)
            assert len(rows) == len(re.findall(r"^    @Row\b", text, re.MULTILINE)), f"a row of {file} has no literals"
            for row in rows:
                values = {name: literal(value) for name, value in re.findall(rf"(\w+) =\s+({literals})", row)}
                yield Row(literal(gallery), *(values[name] for name in ("library", "what", "outcome", "meaning")))


def literal(java: str) -> str:
    """Returns the text of literals that are joined."""
    return "".join(json.loads(part) for part in re.findall(r'"(?:\\.|[^"\\])*"', java))


def java_versions() -> dict[str, str]:
    """Returns the versions of libraries that jvm/pom.xml names."""
    return dict(re.findall(r"<([\w.-]+)\.version>([^<$]+)</", (TOP / "jvm/pom.xml").read_text()))


READERS: list[tuple[Callable[[], Iterator[Row]], Callable[[], dict[str, str]]]] = [
    (python_rows, python_versions),
    (java_rows, java_versions),
]
"""For each language, what finds its rows and the versions of its libraries."""


def tables() -> dict[str, str]:
    """Returns the table of each section."""
    lines: dict[str, list[tuple[str, str]]] = {}
    for rows, versions in READERS:
        known = versions()
        for row in rows():
            lines.setdefault(row.section, []).append((folded(row.library), row.line(known)))
    head = "| library | what is done | outcome | what happens |\n|---|---|---|---|\n"
    # Of one library, as the tests have them.
    ordered = {section: sorted(found, key=lambda line: line[0]) for section, found in lines.items()}
    return {section: head + "".join(f"{line}\n" for _, line in found) for section, found in ordered.items()}


def written(page: str) -> str:
    """Returns the page with the tables of all rows."""
    found = tables()
    return TABLE.sub(lambda table: f"{table[1]} -->\n\n{found.get(table[1], '')}\n", page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
