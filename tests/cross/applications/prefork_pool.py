"""A pool of forked workers, as Celery has it, that mints with generators of the process that made it."""

import os
import sys
from typing import Any

import leafmint
from billiard.pool import Pool

ORDER = leafmint.SegmentGenerator(sys.argv[1]).tag("order")
FLAKES = leafmint.SnowflakeGenerator(sys.argv[2])


def mint(_task: int) -> tuple[Any, list[int]]:
    """Mints ten ids of each mode."""
    return (os.getpid(), FLAKES.worker_id), ORDER.next_ids(10) + FLAKES.next_ids(10)


def main() -> None:
    """Prints what each task minted: the process, then the ids."""
    print("parent", ORDER(), FLAKES())
    with Pool(4, maxtasksperchild=5) as pool:
        for (process, _), ids in pool.map(mint, range(40), chunksize=1):
            print(process, *ids)
        pool.close()
        pool.join()
    print("parent", ORDER(), FLAKES())


if __name__ == "__main__":
    main()
