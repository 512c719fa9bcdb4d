"""The page about faults names tests that exist, and says which of them only `make test-all` runs."""

from __future__ import annotations

import re

from depths import is_long, named, wrong
from programs import TOP

PAGE = (TOP / "docs/faults.md").read_text()


def test_every_test_that_the_page_names_exists_and_is_as_long_as_the_page_says() -> None:
    assert len(named(PAGE)) > 25
    assert wrong(PAGE) == []


def test_every_file_that_the_page_names_exists() -> None:
    files = re.findall(r"`((?:core|py|tests)/[\w/]+\.(?:py|rs))`", PAGE)
    assert [file for file in files if not (TOP / file).is_file()] == []


def test_the_rows_are_numbered_without_gaps() -> None:
    for letter, least in [("T", 19), ("G", 15), ("F", 6), ("Q", 8), ("R", 5), ("W", 4)]:
        rows = [int(number) for number in re.findall(rf"^\| {letter}(\d+) \|", PAGE, re.MULTILINE)]
        assert rows == list(range(1, len(rows) + 1))
        assert len(rows) >= least


def test_a_test_is_long_by_its_own_mark_or_by_that_of_its_module() -> None:
    row = "@pytest.mark.parametrize('x', [1, pytest.param(2, marks=pytest.mark.long)])\ndef test_a(x): ...\n"
    assert not is_long(row, "test_a")
    assert is_long(row + "@pytest.mark.long\ndef test_b(): ...", "test_b")
    assert is_long("pytestmark = pytest.mark.long\n" + row, "test_a")
