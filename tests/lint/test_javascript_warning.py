"""Every page that shows how to mint a snowflake warns of JavaScript's 2^53, with a number that is really rounded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from programs import TOP

FIRST_PAGES = [
    TOP / name
    for name in [
        "README.md",
        "README.zh-CN.md",
        "py/README.md",
        "docs/index.md",
        "docs/quickstart-python.md",
        "docs/quickstart-java.md",
        "docs/zh/quickstart-python.md",
        "docs/zh/quickstart-java.md",
        "docs/zh/spring-boot.md",
        "docs/python.md",
        "docs/java.md",
        "docs/spring-boot.md",
        "docs/ids.md",
    ]
]


@pytest.mark.parametrize("page", FIRST_PAGES, ids=lambda page: str(page.relative_to(TOP)))
def test_the_page_warns_with_a_link_to_the_ways_out(page: Path) -> None:
    text = page.read_text()
    [warning] = re.findall(r"^> \*\*JavaScript.*(?:\n> .*)*", text, re.MULTILINE)
    assert re.search(r"\]\(\S*#javascript\)", warning)
    exact, rounded = (int(number) for number in re.findall(r"\d{19}", warning))
    assert int(float(exact)) == rounded != exact


def test_the_section_that_the_pages_link_to_has_three_ways_out() -> None:
    section = (TOP / "docs/ids.md").read_text().split("\n### JavaScript\n")[1].split("\n## ")[0]
    assert len(re.findall(r"^\d\. \*\*", section, re.MULTILINE)) == 3
