"""The pages on libraries have the rows that tests declare."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from libraries import EVERY_ROW, OUTCOMES, PAGE, READERS, Row, written


def declared() -> list[Row]:
    """Returns the rows of all languages."""
    return [row for rows, _ in READERS for row in rows()]


@pytest.mark.parametrize("page", [PAGE, EVERY_ROW], ids=lambda page: page.parent.name)
def test_the_tables_are_those_of_the_tests(page: Path) -> None:
    text = page.read_text()
    assert text == written(text), "rewrite them: python3 tests/lint/libraries.py"


def test_every_row_has_a_section_of_the_page_and_an_outcome() -> None:
    sections = set(re.findall(r"<!-- rows: (.+?) -->", EVERY_ROW.read_text()))
    assert sections == set(re.findall(r"<!-- (?:remedies|failures): (.+?) -->", PAGE.read_text()))
    assert [row for row in declared() if row.section not in sections or row.outcome not in OUTCOMES] == []
    assert [row for row in declared() if not all(row) or any("|" in cell or "\n" in cell for cell in row)] == []


def test_a_silent_row_says_what_to_do() -> None:
    assert [row for row in declared() if row.outcome == "silent" and not row.remedy()] == []


def test_a_situation_has_one_row() -> None:
    situations = Counter((row.section, row.library, row.situation) for row in declared())
    assert [situation for situation, count in situations.items() if count > 1] == []
