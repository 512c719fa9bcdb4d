"""Inserts rows: `write_sequence_orders.py old|new URL ROWS BATCH`. The database draws the ids, or leafmint does.

Prints the ids of each batch once it is committed.
"""

from __future__ import annotations

import sys

import leafmint
import psycopg
from psycopg.rows import scalar_row


def main(way: str, url: str, rows: int, batch: int) -> None:
    """Inserts the rows, a batch in each transaction."""
    with (
        psycopg.connect(url, row_factory=scalar_row) as connection,
        leafmint.SegmentGenerator(url, sequence="{tag}_id_seq", default_step=500, timeout=60) as ids,
    ):
        orders = ids.tag("orders")
        for _ in range(rows // batch):
            if way == "old":
                statement = "INSERT INTO orders (way) SELECT 'old' FROM generate_series(1, %s) RETURNING id"
                inserted = connection.execute(statement, [batch]).fetchall()
            else:
                statement = "INSERT INTO orders (id, way) SELECT unnest(%s::bigint[]), 'new' RETURNING id"
                inserted = connection.execute(statement, [orders.next_ids(batch)]).fetchall()
            connection.commit()
            print(*inserted, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
