"""The page "In your process" names tests that exist."""

from __future__ import annotations

import re

from programs import TOP

JAVA = TOP / "jvm/java/src/test/java/io/github/leafmint"


def test_every_test_that_the_page_names_exists() -> None:
    page = (TOP / "docs/in-your-process.md").read_text()
    others = re.findall(r"`([\w/]+\.(?:py|rs))::(\w+)`", page)
    java = re.findall(r"`(\w+Test)::(\w+)`", page)
    assert len(others) > 30
    assert len(java) > 10
    missing = [named for named in others if not re.search(rf"\b(def|fn) {named[1]}\(", (TOP / named[0]).read_text())]
    missing += [named for named in java if f"void {named[1]}(" not in (JAVA / f"{named[0]}.java").read_text()]
    assert missing == []
