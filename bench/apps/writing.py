"""A process that writes orders with lines when it is asked to: `python writing.py URL`.

Its first line of output names the kinds of keys of each framework. A line of input is a case: the framework, the kind,
how many orders to write and how many in a transaction. The answer is a line with the seconds that it took, and with the
seconds of processor time.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from typing import NamedTuple

import leafmint
from leafmint import late_binding

LINES = 2
"""The lines of an order."""
NOTE = "x" * 40

Write = Callable[[str, int], None]
"""Writes some orders with their lines in one transaction, with keys of a kind."""


class Framework(NamedTuple):
    """What writes orders, with the kinds of keys that it can have."""

    kinds: list[str]
    write: Write
    one_by_one: bool = True
    together: bool = True


def frameworks(url: str) -> dict[str, Framework]:
    """Returns the frameworks of this process by name."""
    import django_orders
    import sqlalchemy_orders

    return {**sqlalchemy_orders.frameworks(url), **django_orders.frameworks(url)}


def measured(framework: Framework, kind: str, batch: int, orders: int) -> dict[str, float]:
    """Writes the orders and returns what it took."""
    began, used = time.perf_counter(), time.process_time()
    for _ in range(orders // batch):
        framework.write(kind, batch)
    return {"seconds": time.perf_counter() - began, "processor": time.process_time() - used}


def main(url: str) -> None:
    """Serves cases until the input ends."""
    with tempfile.TemporaryDirectory() as folder:
        served = frameworks(url)
        # After Django, whose application configures leafmint as its settings say.
        leafmint.configure(url, snowflake_url=f"local:{folder}/workers", options={"auto_create": True})
        print(json.dumps({name: each._asdict() | {"write": None} for name, each in served.items()}), flush=True)
        for line in sys.stdin:
            case = json.loads(line)
            answer = measured(served[case["framework"]], case["kind"], case["batch"], case["orders"])
            print(json.dumps(answer), flush=True)
        late_binding.close()


if __name__ == "__main__":
    main(sys.argv[1])
