"""What a move from AUTO_INCREMENT would clash with, as the compiled module says it."""

import leafmint
import pytest
from audited import Audited
from leafmint import _core

ROOM = 10**9


def test_a_table_is_described_with_what_is_planned_for_it(counted: Audited) -> None:
    scope, (orders,), (findings, to_run, to_do) = _core._check_counters(counted.url, {}, ([], []), "old", ROOM, [])
    assert counted.name in scope
    assert orders["highest"] == 1
    assert (orders["table"], orders["column"], orders["counter"], orders["next"]) == ("orders", "id", 2, None)
    assert (orders["planned_start"], orders["planned_counter"]) == (1_000_002, 1_001_000_002)
    assert (findings, [place for _, place, _ in to_run], len(to_do)) == ([], ["shell", "shell", "sql"], 8)


def test_a_database_without_counters_is_wrong(counted: Audited) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="AUTO_INCREMENT"):
        _core._check_counters(counted.url, {}, (["order"], []), "old", ROOM, [])
    with pytest.raises(leafmint.InvalidConfigError, match="mysql://"):
        _core._check_counters("memory:", {}, ([], []), "old", ROOM, [])
