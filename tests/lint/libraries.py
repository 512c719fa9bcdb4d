"""Writes the tables of the pages on libraries from the rows that tests declare: `python3 tests/lint/libraries.py`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parents[2]
PAGE = TOP / "docs/libraries.md"
"""What users need: what is silent, and which errors have a remedy of their own."""
EVERY_ROW = TOP / "docs/dev/libraries.md"
TABLE = re.compile(r"(?<=<!-- )(rows|remedies|failures|silent)(?:: (.+?))? -->\n.*?(?=<!-- end -->)", re.DOTALL)
OUTCOMES = ("right", "loud", "silent")


class Row(NamedTuple):
    """What a library makes of typed ids or minted keys."""

    section: str
    library: str
    situation: str
    outcome: str
    meaning: str

    def name(self, versions: dict[str, str]) -> str:
        """Returns the library with its version, if one is known."""
        version = versions.get(folded(self.library))
        return f"{self.library} {version}" if version else self.library

    def happens(self) -> str:
        """Returns what happens, without what to do about it."""
        return self.meaning.rpartition("; ")[0] or self.meaning

    def remedy(self) -> str:
        """Returns what the reader has to do, or nothing."""
        before, _, after = self.meaning.rpartition("; ")
        return after if before else ""


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


def named_rows() -> list[tuple[str, Row]]:
    """Returns all rows with the names of their libraries, by library; those of one library as the tests have them."""
    found = [(row.name(known), row) for rows, versions in READERS for known in [versions()] for row in rows()]
    return sorted(found, key=lambda named: folded(named[1].library))


def table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    """Returns a table of Markdown."""
    columns = head.count("|") + 1
    lines = [f"| {head} |", "|" + "---|" * columns, *(f"| {' | '.join(row)} |" for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def every_row(rows: list[tuple[str, Row]]) -> str:
    """Returns the table of a section with all that its rows say."""
    cells = ((name, row.situation, row.outcome, row.meaning) for name, row in rows)
    return table("library | what is done | outcome | what happens", cells)


def failures(rows: list[tuple[str, Row]]) -> str:
    """Returns the table of a section with its errors."""
    loud = [(name, row.situation, row.happens(), row.remedy()) for name, row in rows if row.outcome == "loud"]
    return table("library | what you do | error | what to do", loud)


def remedies(rows: list[tuple[str, Row]]) -> str:
    """Returns the table of a section with the errors that need something else than the string or the number."""
    cells = [(name, row.situation, row.remedy()) for name, row in rows if row.outcome == "loud" and row.remedy()]
    return table("library | what fails | what to do", cells)


def silent(rows: list[tuple[str, Row]]) -> str:
    """Returns the table of what happens without an error."""
    cells = [(name, row.situation, row.happens(), row.remedy()) for name, row in rows if row.outcome == "silent"]
    return table("library | what you do | what happens | what to do", cells)


TABLES: dict[str, Callable[[list[tuple[str, Row]]], str]] = {
    "rows": every_row,
    "remedies": remedies,
    "failures": failures,
    "silent": silent,
}


def written(page: str) -> str:
    """Returns the page with the tables of all rows."""
    rows = named_rows()

    def filled(found: re.Match[str]) -> str:
        kind, section = found[1], found[2]
        chosen = [(name, row) for name, row in rows if not section or row.section == section]
        place = f"{kind}: {section}" if section else kind
        return f"{place} -->\n\n{TABLES[kind](chosen)}\n"

    return TABLE.sub(filled, page)


if __name__ == "__main__":
    for file in (PAGE, EVERY_ROW):
        file.write_text(written(file.read_text()))
