"""An audit reads a replica, by an account that may only read; a generator refuses it."""

from __future__ import annotations

import leafmint
import pytest
from postgresql import ACCOUNT, PASSWORD, PostgreSql, Replica, wait_for


def test_an_audit_of_a_replica_finds_what_one_of_the_primary_finds() -> None:
    with PostgreSql() as primary, Replica(primary) as replica:
        for sql in (
            "CREATE TABLE orders (id SERIAL PRIMARY KEY)",
            "INSERT INTO orders SELECT FROM generate_series(1, 1000)",
            "CREATE TABLE restored (id SERIAL PRIMARY KEY)",
            "INSERT INTO restored VALUES (7)",
            "CREATE UNLOGGED TABLE scratch (id SERIAL PRIMARY KEY)",
            "CREATE ROLE reader LOGIN PASSWORD 'hush' IN ROLE pg_read_all_data",
        ):
            primary.sql(sql)
        wait_for(lambda: replica.sql("SELECT count(*) FROM pg_roles WHERE rolname = 'reader'").strip() == "1")
        url = replica.url.replace(f"{ACCOUNT}:{PASSWORD}", "reader:hush")
        report = leafmint.audit(url)
        assert [(it.kind, it.table, it.value, it.limit) for it in report.findings] == [
            ("counter_behind", "restored", 1, 7)
        ]
        assert {key.table for key in report.keys} == {"orders", "restored"}, "a replica has no unlogged rows"
        with pytest.raises(leafmint.LeafmintError, match="replica"):
            leafmint.SegmentGenerator(url).check()
