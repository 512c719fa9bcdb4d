"""Takes segments from a table as Leaf does, in Leaf's own transaction, until its standard input is closed.

`leaf.py HOST PORT USER PASSWORD DATABASE TABLE TAG FILE` writes the ids of its segments like the programs that mint.
"""

import json
import select
import sys
import time
from array import array
from pathlib import Path

import pymysql


def main(host: str, port: str, user: str, password: str, database: str, table: str, tag: str, file: str) -> None:
    """Takes a segment every few milliseconds."""
    ids = array("q", [-1])
    segments = 0
    connection = pymysql.connect(
        host=host, port=int(port), user=user, password=password, database=database, autocommit=False
    )
    with connection, connection.cursor() as cursor:
        while not select.select([sys.stdin], [], [], 0)[0]:
            cursor.execute(f"UPDATE `{table}` SET max_id = max_id + step WHERE biz_tag = %s", (tag,))
            cursor.execute(f"SELECT biz_tag, max_id, step FROM `{table}` WHERE biz_tag = %s", (tag,))
            _, max_id, step = cursor.fetchone()
            connection.commit()
            ids.extend(range(max_id - step, max_id))
            segments += 1
            time.sleep(0.002)
    with Path(file).open("wb") as out:
        ids.tofile(out)
    print(json.dumps({"language": "Leaf", "ids": len(ids) - 1, "segments": segments}))


if __name__ == "__main__":
    main(*sys.argv[1:])
