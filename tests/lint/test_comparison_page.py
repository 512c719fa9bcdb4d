"""The page "Comparison" shows only times that a benchmark measured, of the versions that were run."""

from __future__ import annotations

import re

from programs import TOP

PAGE = (TOP / "docs/comparison.md").read_text()
PINS = r"^(hashids|python-optimus|python-uuidv47|snowflake-id|sqids|tsidpy|typeid-python|uuid-utils)==(.*)$"


def test_every_time_of_an_id_is_in_the_benchmark_that_its_row_links_to() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| processor time of an id")]
    for row in rows:
        [link] = re.findall(r"\]\((\S+)#python\)", row)
        measured = (TOP / "docs" / link).read_text().split("\n## Python\n")[1].split("\n## ")[0]
        times = re.findall(r"[\d.]+ ns", row)
        assert len(times) == 5
        assert [time for time in times if f" {time}" not in measured] == []
    assert len(rows) == 2, "of two kinds of processor"


def test_the_versions_are_those_that_are_installed() -> None:
    files = [TOP / f"requirements-{stage}.txt" for stage in ("bench", "dev")]
    pinned = {pin for file in files for pin in re.findall(PINS, file.read_text(), re.MULTILINE)}
    assert len(pinned) == 8
    assert [name for name, version in pinned if f"{name} {version}" not in PAGE] == []


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    for table in re.findall(r"(?:^\|.*\|\n)+", PAGE, re.MULTILINE):
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, table[:80]
