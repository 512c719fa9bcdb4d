"""The table of the family has every system that the other pages compare with, and tests/promises.json their tests."""

from __future__ import annotations

import json
import re

from depths import exists
from programs import TOP

PAGE = (TOP / "docs/dev/family.md").read_text()
TESTS: dict[str, list[str]] = json.loads((TOP / "tests/promises.json").read_text())["the family"]


def rows() -> dict[str, list[str]]:
    """Returns the cells of each system, by its name without links."""
    cells = [re.split(r" \| ", line.strip("| ")) for line in PAGE.splitlines() if line.startswith("| ")]
    named = {re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", system): others for system, *others in cells}
    return {system: others for system, others in named.items() if system != "system"}


def test_every_test_of_the_table_exists() -> None:
    assert TESTS.keys() <= rows().keys()
    assert [test for tests in TESTS.values() for test in tests if not exists(test)] == []


def test_every_row_says_what_works_and_what_differs_and_has_tests() -> None:
    assert len(rows()) > 15
    assert [system for system, cells in rows().items() if len(cells) != 2 or not all(cells)] == []
    assert [system for system, (works, _) in rows().items() if system not in TESTS and "not" not in works] == []


def test_the_systems_of_the_comparison_are_there() -> None:
    systems = ["Leaf", "CosId", "uid-generator", "Yitter", "sonyflake", "Hutool", "tsid-creator", "tinyid", "NotFound9"]
    assert [system for system in systems if system not in PAGE] == []
