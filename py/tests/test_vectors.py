"""The tables of errors, statistics and segments that all languages share."""

import sqlite3
from pathlib import Path
from typing import Any

import leafmint
import pytest
from testing import figures_of, vector


def test_errors_have_the_codes_of_every_language() -> None:
    expected = [(row["python"], row["code"], row["retryable"]) for row in vector("errors")]
    kinds = leafmint.LeafmintError.__subclasses__()
    assert sorted(expected) == sorted((kind.__name__, kind.code, kind.retryable) for kind in kinds)
    assert all(getattr(leafmint, name).code == code for name, code, _ in expected)


def test_stats_have_the_names_of_every_language(tmp_path: Path) -> None:
    with leafmint.SegmentGenerator("memory://vectors") as ids:
        ids.tag("order").next_id()
        assert figures_of(ids.stats().tags["order"]) == vector("stats")["tag"]
    with leafmint.SnowflakeGenerator(f"local:{tmp_path}") as flakes:
        assert figures_of(flakes.stats()) == vector("stats")["snowflake"]


@pytest.mark.parametrize("case", vector("segments")["cases"])
def test_segments_have_the_bounds_that_leaf_gives_them(tmp_path: Path, case: dict[str, Any]) -> None:
    file, step = tmp_path / "ids.db", case["step"]
    with leafmint.SegmentGenerator(f"sqlite:///{file}") as ids:
        ids.create_tag("order", start=case["max_id"], step=step)
    # A tag that is ready and unused has one segment of one step.
    with leafmint.SegmentGenerator(f"sqlite:///{file}", eager=True, eager_tags=["order"], max_step=step) as ids:
        connection = sqlite3.connect(file)
        max_id_after = connection.execute("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'").fetchone()[0]
        connection.close()
        leased = ids.stats().tags["order"].leased
        first = ids.tag("order").next_id()
    assert [first, first + leased - 1] == case["ids"]
    assert max_id_after == case["max_id_after"]
