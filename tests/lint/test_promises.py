"""Each promise of "Faults", "In your process" and "Rare situations" has tests in tests/promises.json that exist."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from depths import exists, is_long, is_short
from programs import TOP

PROMISES: dict[str, Any] = json.loads((TOP / "tests/promises.json").read_text())
FAULTS: dict[str, list[str]] = PROMISES["faults"]
PROCESS: dict[str, dict[str, dict[str, list[str]]]] = {
    page: PROMISES[title]
    for page, title in [("in-your-process", "in your process"), ("dev/rare-situations", "rare situations")]
}
SECTIONS = [section for page in PROCESS.values() for section in page.values()]
TESTS = [*FAULTS.items(), *(promise for section in SECTIONS for promise in section.items())]

LONG = {"a virtual thread waits", "a wheel in an empty environment"}
"""The promises that `make test` does not check, but `make bench` and `make test-all`."""


def sections(page: str) -> dict[str, list[str]]:
    """Returns the rows of a page's tables of situations by heading: all cells but the last, without marks."""
    found: dict[str, list[str]] = {}
    for section in re.split(r"^## ", (TOP / f"docs/{page}.md").read_text(), flags=re.MULTILINE):
        tables = re.findall(r"^\| (?:#|by|situation) \|.*\n\|[-| ]*\n((?:\|.*\n)+)", section, re.MULTILINE)
        rows = [re.split(r" ?\| ?", row.strip("|"))[:-1] for table in tables for row in table.splitlines()]
        cells = [[re.sub(r"[`*]", "", cell).strip() for cell in row] for row in rows]
        found[section.partition("\n")[0]] = [" ".join(filter(None, row)) for row in cells]
    return {heading: rows for heading, rows in found.items() if rows}


def test_every_fault_of_the_page_has_its_tests() -> None:
    rows = [row for rows in sections("dev/faults").values() for row in rows]
    numbers = [re.match(r"[A-Z]\d+[a-c]?(, [A-Z]\d+[a-c]?)* ", row) for row in rows]
    assert None not in numbers
    assert [number for found in numbers if found for number in found[0].strip().split(", ")] == list(FAULTS)


@pytest.mark.parametrize("page", PROCESS)
def test_every_situation_in_a_process_has_its_tests(page: str) -> None:
    assert sections(page) == {heading: list(promises) for heading, promises in PROCESS[page].items()}


@pytest.mark.parametrize(("promise", "tests"), TESTS, ids=[promise for promise, _ in TESTS])
def test_every_promise_has_tests_that_exist_and_one_that_is_short(promise: str, tests: list[str]) -> None:
    assert [test for test in tests if not exists(test)] == []
    assert any(map(is_short, tests)) == (promise not in LONG)


def test_the_faults_are_numbered_without_gaps() -> None:
    for letter, least in [("T", 19), ("G", 15), ("F", 6), ("Q", 6), ("R", 5), ("W", 4)]:
        rows = [int(number) for number in re.findall(rf"^{letter}(\d+)$", "\n".join(FAULTS), re.MULTILINE)]
        assert rows == list(range(1, len(rows) + 1))
        assert len(rows) >= least


def test_the_pages_name_no_test() -> None:
    for page in ("dev/faults", *PROCESS):
        assert "::" not in (TOP / f"docs/{page}.md").read_text()


def test_a_test_is_long_by_its_own_mark_or_by_that_of_its_module() -> None:
    row = "@pytest.mark.parametrize('x', [1, pytest.param(2, marks=pytest.mark.long)])\ndef test_a(x): ...\n"
    assert not is_long(row, "test_a")
    assert is_long(row + "@pytest.mark.long\ndef test_b(): ...", "test_b")
    assert is_long("pytestmark = pytest.mark.long\n" + row, "test_a")
