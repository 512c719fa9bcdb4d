"""What tests of segments share: tags on a server of their own, and callers that mint until a call fails."""

from __future__ import annotations

import itertools
import time

import leafmint
from mariadb import MariaDb

SCHEMA = leafmint.schema_sql("mysql")

LEAF_TABLE = """CREATE TABLE `{table}` (`biz_tag` varchar(128) NOT NULL DEFAULT '',
`max_id` bigint(20) NOT NULL DEFAULT '1', `step` int(11) NOT NULL, `description` varchar(256) DEFAULT NULL,
`update_time` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (`biz_tag`))
ENGINE=InnoDB"""
"""The table that Leaf's own script makes."""


def insert(server: MariaDb, step: int, *tags: str) -> None:
    """Inserts tags that start at 1."""
    for tag in tags:
        server.sql(f"INSERT INTO leafmint.leaf_alloc (biz_tag, max_id, step) VALUES ('{tag}', 1, {step})")


def assert_ascending(ids: list[int]) -> None:
    """Checks that the ids of one generator increase, so that none repeats."""
    assert all(a < b for a, b in itertools.pairwise(ids)), "an id repeats"


def until_it_fails(tag: leafmint.Tag, minted: list[int]) -> tuple[leafmint.LeafmintError, float]:
    """Mints until a call fails; returns the error and for how many seconds that call waited."""
    while True:
        asked = time.monotonic()
        try:
            minted.append(tag.next_id())
        except leafmint.LeafmintError as error:
            return error, time.monotonic() - asked
