"""The table of the family names tests that exist, and every system that the other pages compare with."""

from __future__ import annotations

import re

from programs import TOP

PAGE = (TOP / "docs/family.md").read_text()


def test_every_test_that_the_table_names_exists() -> None:
    named = re.findall(r"`([\w/]+\.(?:py|rs|java))(?:::(\w+))?", PAGE)
    assert len(named) > 12
    texts = {file: (TOP / file).read_text() for file, _ in named}
    assert [name for file, name in named if name and not re.search(rf"\b(def|fn|void) {name}\b", texts[file])] == []


def test_every_row_says_what_works_how_it_was_tested_and_what_differs() -> None:
    rows = [re.split(r" \| ", line.strip("| ")) for line in PAGE.splitlines() if line.startswith("| ")]
    assert len(rows) > 15
    assert [row for row in rows if len(row) != 4 or not all(row)] == []
    untested = [row[0] for row in rows if "`" not in row[2] and "not" not in row[1] and row[0] != "system"]
    assert untested == []


def test_the_systems_of_the_comparison_are_there() -> None:
    systems = ["Leaf", "CosId", "uid-generator", "Yitter", "sonyflake", "Hutool", "tsid-creator", "tinyid", "NotFound9"]
    assert [system for system in systems if system not in PAGE] == []
