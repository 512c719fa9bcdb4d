"""The page of proofs lists every file with atomics, with the orderings that are in it."""

from __future__ import annotations

import re
from pathlib import Path

from programs import TOP

PAGE = TOP / "docs/dev/proofs.md"
MODELS = TOP / "tests/models/loom"


def orderings(file: Path) -> set[str]:
    """Returns the orderings in a source file, without its tests."""
    text = re.sub(r"//.*", "", file.read_text())
    text = re.sub(r"#\[cfg\((all\()?test\b[^]]*\]\s*mod \w+ \{.*", "", text, flags=re.DOTALL)
    return set(re.findall(r"\bOrdering::(Relaxed|Acquire|Release|AcqRel|SeqCst)\b", text))


def sources() -> dict[str, set[str]]:
    """Returns the orderings in every file of the product that has any."""
    folders = [*(TOP / "core").glob("*/src"), *(TOP / part / "src" for part in ("py", "jvm", "tests/simulation"))]
    files = [file for folder in folders for file in folder.rglob("*.rs")]
    product = [file for file in files if not file.stem.endswith("tests") and "fuzz" not in file.parts]
    return {str(file.relative_to(TOP)): found for file in product if (found := orderings(file))}


def listed() -> dict[str, set[str]]:
    """Returns the orderings in the table of the page."""
    table = PAGE.read_text().partition("### Every atomic")[2]
    rows = re.findall(r"^\| (`[^|]+`) \| ([A-Za-z, ]+) \|", table, re.MULTILINE)
    return {file: set(names.split(", ")) for files, names in rows for file in re.findall(r"`([^`]+)`", files)}


def test_the_page_lists_every_file_with_atomics_and_their_orderings() -> None:
    found, on_page = sources(), listed()
    # A row may stand for several files.
    assert on_page.keys() == found.keys()
    assert {file: names - on_page[file] for file, names in found.items() if names - on_page[file]} == {}
    assert set().union(*on_page.values()) == set().union(*found.values())


def test_the_models_of_loom_add_no_ordering_that_the_product_does_not_have() -> None:
    assert "SeqCst" not in set().union(*(orderings(file) for file in MODELS.rglob("*.rs")))
    assert "Mutex::new" not in (MODELS / "snowflake/tickets.rs").read_text(), "stronger than an acquire-release flag"
