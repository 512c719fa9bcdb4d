"""The pictures of the pages are those that `docs/pictures/draw.py` draws, and agree with the pages that show them."""

from __future__ import annotations

import re
import sys

import pytest
from programs import TOP

FOLDER = TOP / "docs/pictures"
SHOWN = re.compile(r"!\[([^\]]*)\]\(pictures/([\w-]+)\.svg\)")

sys.path.append(str(FOLDER))
from draw import PICTURES  # noqa: E402

PAGES = {page.name: page.read_text() for page in TOP.glob("docs/*.md") if SHOWN.search(page.read_text())}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_it_is_drawn(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text() == str(PICTURES[name]()), "run docs/pictures/draw.py"


def test_every_picture_is_drawn_and_shown() -> None:
    shown = {name for text in PAGES.values() for _, name in SHOWN.findall(text)}
    assert shown == set(PICTURES) == {path.stem for path in FOLDER.glob("*.svg")}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_its_pictures_say(page: str) -> None:
    for words, name in SHOWN.findall(PAGES[page]):
        assert len(words) > 20, name
        picture = (FOLDER / f"{name}.svg").read_text()
        numbers = set(re.findall(r"\b\d+(?:,\d{3})+\b", " ".join(re.findall(r">([^<]+)</text>", picture))))
        assert {number for number in numbers if number not in PAGES[page]} == set(), name
