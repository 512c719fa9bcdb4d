"""The page "Libraries" has the rows that tests declare."""

from __future__ import annotations

import re
from collections import Counter

from libraries import OUTCOMES, PAGE, READERS, Row, written


def declared() -> list[Row]:
    """Returns the rows of all languages."""
    return [row for rows, _ in READERS for row in rows()]


def test_the_tables_are_those_of_the_tests() -> None:
    page = PAGE.read_text()
    assert page == written(page), "rewrite them: python3 tests/lint/libraries.py"


def test_every_row_has_a_section_of_the_page_and_an_outcome() -> None:
    sections = set(re.findall(r"<!-- rows: (.+?) -->", PAGE.read_text()))
    assert [row for row in declared() if row.section not in sections or row.outcome not in OUTCOMES] == []
    assert [row for row in declared() if not all(row) or any("|" in cell or "\n" in cell for cell in row)] == []


def test_a_situation_has_one_row() -> None:
    situations = Counter((row.section, row.library, row.situation) for row in declared())
    assert [situation for situation, count in situations.items() if count > 1] == []
