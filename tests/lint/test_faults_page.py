"""The page about faults names tests that exist."""

from __future__ import annotations

import re

from programs import TOP


def test_every_test_that_the_page_names_exists() -> None:
    page = (TOP / "docs/faults.md").read_text()
    named = re.findall(r"`([\w/]+\.(?:py|rs))::(\w+)", page)
    assert len(named) > 25
    missing = [name for file, name in named if not re.search(rf"\b(def|fn) {name}\b", (TOP / file).read_text())]
    assert missing == []
    files = re.findall(r"`((?:core|py|tests)/[\w/]+\.(?:py|rs))`", page)
    assert [file for file in files if not (TOP / file).is_file()] == []
    for letter, least in [("T", 19), ("G", 15), ("F", 6), ("Q", 8), ("R", 5)]:
        rows = [int(number) for number in re.findall(rf"^\| {letter}(\d+) \|", page, re.MULTILINE)]
        assert rows == list(range(1, len(rows) + 1))
        assert len(rows) >= least
