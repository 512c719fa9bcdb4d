"""The pages name commands of `make` that exist, and README names the two that a stranger tries first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from programs import TOP

PAGES = sorted([*TOP.glob("*.md"), *TOP.glob("docs/**/*.md"), *TOP.glob(".github/*.md")])
README = [page for page in PAGES if page.name.startswith("README") and page.parent == TOP]


def commands() -> set[str]:
    """Returns the commands that `make` alone lists: the targets of the Makefile with a description."""
    return set(re.findall(r"^([a-z-]+):.*## ", (TOP / "Makefile").read_text(), re.MULTILINE))


def named(page: Path) -> set[str]:
    """Returns the commands of `make` that a page names in code, in a line or in a block."""
    return set(re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", [page for page in PAGES if named(page)], ids=lambda page: str(page.relative_to(TOP)))
def test_every_command_that_a_page_names_is_in_the_makefile(page: Path) -> None:
    assert named(page) - commands() == set()


@pytest.mark.parametrize("page", README, ids=lambda page: page.name)
def test_readme_names_make_test_and_make_demo(page: Path) -> None:
    assert {"test", "demo"} <= named(page)
