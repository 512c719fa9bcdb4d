"""Each way in of the page "Coming from …" has a way back that the page names, and tests in tests/promises.json."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from depths import exists, is_short
from programs import TOP
from test_links import LINK, anchors

PAGE = TOP / "docs/coming-from.md"
WAYS: dict[str, list[str]] = json.loads((TOP / "tests/promises.json").read_text())["coming from"]


class Way(NamedTuple):
    """A row of the page's first table: where the application comes from, and how it goes back."""

    name: str
    way_in: str
    back: str


def rows() -> list[Way]:
    """Returns the ways of the page."""
    [table] = re.findall(r"^\| from \|.*\n\|[-| ]*\n((?:\|.*\n)+)", PAGE.read_text(), re.MULTILINE)
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
    return [Way(re.sub(r"\]\(.*?\)|[`\[\]]", "", first), first, last) for first, *_, last in cells]


def section(page: Path, anchor: str) -> str:
    """Returns the prose from a heading on to the next one of its level or above; without an anchor that of the page."""
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    if not anchor:
        return text
    for match in re.finditer(r"^(#+) (.*)\n", text, re.MULTILINE):
        if re.sub(r"[^\w\- ]", "", match[2].lower()).replace(" ", "-") == anchor:
            return re.split(rf"\n#{{1,{len(match[1])}}} ", text[match.start() :], maxsplit=1)[0]
    raise AssertionError(f"{page.name} has no heading #{anchor}")


@pytest.mark.parametrize("way", rows(), ids=lambda way: way.name)
def test_a_way_in_links_to_its_way_back(way: Way) -> None:
    found = [(TOP / "docs" / file if file else PAGE, anchor) for file, anchor in LINK.findall(way.back)]
    assert found, "its last cell links to no way back"
    for page, anchor in found:
        assert not anchor or anchor in anchors(page)
        assert re.search(r"\bback\b", section(page, anchor), re.IGNORECASE)


@pytest.mark.parametrize("way", rows(), ids=lambda way: way.name)
def test_a_way_in_has_tests_that_go_back_and_one_that_is_short(way: Way) -> None:
    tests = WAYS[way.name]
    assert [test for test in tests if not exists(test)] == []
    assert any(map(is_short, tests))


def test_every_page_that_leads_in_is_a_way_of_the_table() -> None:
    assert [way.name for way in rows()] == list(WAYS)
    linked = {file for way in rows() for file, _ in LINK.findall(way.way_in + way.back)}
    assert {page.name for page in PAGE.parent.glob("from-*.md")} <= linked
