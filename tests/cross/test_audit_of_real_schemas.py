"""An audit of real schemas, by an account that may only read: nothing on the untouched ones, then what is planted.

The samples of this project and two large open ones, Wagtail and Oscar, whose migrations make their tables.
`LEAFMINT_SEED` repeats a choice of tables.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import leafmint
import pytest
from mysql import MySql
from open_schemas import SCHEMAS, make
from planted_faults import LAYOUT, Finding, Planter
from surveyed import Surveyed


@pytest.fixture(params=["mariadb", "postgresql", "mysql"])
def surveyed(request: pytest.FixtureRequest) -> Iterator[Surveyed]:
    """An empty database of each engine.

    MySQL itself raises a counter that a cascade passes, and refuses a foreign key that is too narrow, with the checks
    switched off too: these two faults cannot be planted there.
    """
    if request.param == "mysql":
        with MySql() as server, Surveyed(server.url, has_faults_of_restores=False) as database:
            yield database
    else:
        fixture = {"mariadb": "database", "postgresql": "postgres_database"}[request.param]
        with Surveyed(request.getfixturevalue(fixture)) as database:
            yield database


def found(report: leafmint.AuditReport) -> set[Finding]:
    """Returns the findings without their numbers."""
    findings = [(it.kind, it.severity, it.table, it.column) for it in report.findings]
    assert len(findings) == len(set(findings))
    return set(findings)


@pytest.mark.long
@pytest.mark.parametrize("schema", SCHEMAS)
def test_nothing_is_found_that_was_not_planted_and_nothing_is_missed(
    schema: str, surveyed: Surveyed, tmp_path: Path
) -> None:
    seed = int(os.environ.get("LEAFMINT_SEED", random.randrange(10**9)))
    make(schema, surveyed, tmp_path)
    filled, tables, reader = surveyed.fill(), surveyed.tables(), surveyed.reader()
    print(f"{schema}: {len(tables)} tables, {filled} of them with rows, LEAFMINT_SEED={seed}")
    assert filled >= len(tables) * 0.9
    for layout in (None, LAYOUT):
        report = leafmint.audit(reader, layout=layout)
        assert (found(report), report.unread) == (set(), ())
        keys = {(table.name, table.key) for table in tables.values() if table.key}
        assert {(key.table, key.column) for key in report.keys} == keys
    planter = Planter(surveyed, seed)
    kinds = planter.plant()
    assert kinds >= (6 if len(tables) > 20 else 1)
    print(*sorted(planter.expected | planter.with_layout), sep="\n")
    assert found(leafmint.audit(reader)) == planter.expected
    assert found(leafmint.audit(reader, layout=LAYOUT)) == planter.expected | planter.with_layout
