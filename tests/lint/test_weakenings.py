"""Each guard that `make mutants` switches off is in the sources, once."""

from __future__ import annotations

from weakened_core import check


def test_every_weakening_finds_its_guard() -> None:
    assert check() == []
