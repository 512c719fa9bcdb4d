"""The page of proofs has every line that `make test` weakens."""

from __future__ import annotations

import ast
import re

from programs import TOP


def weakened() -> list[str]:
    """Returns what the lines are called in the list of weakenings, without the proof that they belong to."""
    module = ast.parse((TOP / "tests/mutants/weakenings.py").read_text())
    assigned = {ast.unparse(it.targets[0]): it.value for it in module.body if isinstance(it, ast.Assign)}
    return [key.partition(", ")[2] or key for key in ast.literal_eval(assigned["PROOFS"])]


def test_every_line_of_a_proof_that_is_weakened_is_on_the_page() -> None:
    page = (TOP / "docs/dev/proofs.md").read_text().lower()
    words = re.sub(r"[*`]", "", re.sub(r"\s+", " ", page))
    assert [line for line in weakened() if line.lower().rpartition(", ")[2] not in words] == []
    assert len(weakened()) > 40
