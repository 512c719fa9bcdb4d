"""What an application does with arrays of ids, for the type checkers. It is never run, and needs NumPy."""

import leafmint
import numpy


def gaps(order: leafmint.Tag, flakes: leafmint.SnowflakeGenerator) -> int:
    """Returns the largest gap between two ids."""
    ids = numpy.concatenate([order.next_array(3), flakes.next_array(3, timeout="1s")])
    return int(numpy.diff(ids).max())


def workers(layout: leafmint.Layout, ids: list[int]) -> set[int]:
    """Returns the worker ids that ids were made with."""
    columns = layout.decode_array(numpy.array(ids))
    return {int(worker) for worker in columns["worker_id"]} | {
        len(column) for column in layout.decode_array(ids).values()
    }
