"""Mints ids through an engine of SQLAlchemy, as `examples/mint.py` does by a URL.

`lent_mint.py URL TAG COUNT FILE REOPEN`, with the URL of a driver.
"""

import json
import sys
from array import array
from pathlib import Path

import leafmint
from sqlalchemy import create_engine


def main(url: str, tag: str, count: int, file: str, reopen: int) -> None:
    """Mints, and writes the ids."""
    engine = create_engine(url)
    ids = array("q")
    for start in range(0, count, reopen):
        ids.append(-1)
        if tag == "-":
            with leafmint.SnowflakeGenerator(engine, timeout=60, auto_create=True) as flakes:
                ids.extend(flakes.next_id() for _ in range(min(reopen, count - start)))
        else:
            with leafmint.SegmentGenerator(engine, max_step=100, timeout=60) as generator:
                next_id = generator.tag(tag)
                ids.extend(next_id() for _ in range(min(reopen, count - start)))
    with Path(file).open("wb") as out:
        ids.tofile(out)
    print(json.dumps({"ids": count, "generators": -(-count // reopen), "seconds": 0}), flush=True)


if __name__ == "__main__":
    url, tag, count, file, reopen = sys.argv[1:]
    main(url, tag, int(count), file, int(reopen))
