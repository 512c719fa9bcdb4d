"""The page "In your process" names tests that exist, and says which of them only `make test-all` runs."""

from __future__ import annotations

import re

from depths import named, wrong
from programs import TOP

JAVA = {file.stem: file for file in TOP.glob("jvm/*/src/test/java/**/*Test.java")}


def test_every_test_that_the_page_names_exists() -> None:
    page = (TOP / "docs/in-your-process.md").read_text()
    java = re.findall(r"`(\w+Test)::(\w+)`", page)
    assert len(named(page)) > 30
    assert len(java) > 10
    assert wrong(page) == []
    assert [test for test in java if f"void {test[1]}(" not in JAVA[test[0]].read_text()] == []
