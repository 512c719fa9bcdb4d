"""The pages outside of the site link to files and headings that are there; `make docs` checks those of the site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from programs import TOP

WEB = "https://github.com/leafmint/leafmint/blob/main/"
"""Where the pages are for those who have no checkout, such as the readers of a package's page."""
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def anchors(page: Path) -> set[str]:
    """Returns the anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", sorted(TOP.glob("*.md")), ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    links = LINK.findall(page.read_text())
    targets = [(TOP / file if file else page, anchor) for file, anchor in links]
    assert [str(file) for file, _ in targets if not file.exists()] == []
    assert [(file.name, anchor) for file, anchor in targets if anchor and anchor not in anchors(file)] == []


def test_the_page_of_the_package_leads_to_pages_of_the_repository() -> None:
    page = TOP / "py/README.md"
    links = [link.removeprefix(WEB).partition("#") for link in re.findall(rf"\]\(({WEB}[^)]*)\)", page.read_text())]
    assert len(links) > 10
    assert [file for file, _, _ in links if not (TOP / file).is_file()] == []
    assert [(file, anchor) for file, _, anchor in links if anchor and anchor not in anchors(TOP / file)] == []
    assert LINK.findall(page.read_text()) == []
