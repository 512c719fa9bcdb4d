"""Numbers of a series stay dense: through clean deploys, and through workers that are killed."""

import subprocess
from pathlib import Path

import leafmint
import pytest
from testing import run_python, start_python

WORKER = """
    import sys
    from datetime import date
    import leafmint

    url, format, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with leafmint.SegmentGenerator(url, auto_create=True, timeout=60) as ids:
        orders = ids.series("order", period="year", zone="UTC", format=format)
        for _ in range(count):
            print(orders.next(on=date(2026, 11, 25)).number, flush=True)
        # All of a deploy close together.
        sys.stdin.read()
"""

KILLED = """
    import os, signal, sys
    from datetime import date
    import leafmint

    url, format = sys.argv[1], sys.argv[2]
    while True:
        reading, writing = os.pipe()
        if (child := os.fork()) == 0:
            ids = leafmint.SegmentGenerator(url, timeout=60)
            orders = ids.series("order", period="year", zone="UTC", format=format)
            for _ in range(5):
                try:
                    number = orders.next(on=date(2026, 11, 25)).number
                except leafmint.IdSpaceExhaustedError:
                    os._exit(3)
                os.write(writing, f"{number}\\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)
        os.close(writing)
        with os.fdopen(reading) as numbers:
            print(numbers.read(), end="", flush=True)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3:
            break
"""


def deploy(url: str, workers: int, orders: int) -> list[int]:
    """Serve orders with several workers, and close them together."""
    running = [
        start_python(WORKER, url, "{year}-{number:4}", str(orders), stdin=subprocess.PIPE) for _ in range(workers)
    ]
    taken = []
    for worker in running:
        assert worker.stdout
        taken += [int(worker.stdout.readline()) for _ in range(orders)]
    for worker in running:
        assert worker.stdin
        worker.stdin.close()
    for worker in running:
        assert worker.stdout
        assert worker.stderr
        problem = worker.stderr.read()
        assert worker.wait() == 0, problem
        worker.stdout.close()
        worker.stderr.close()
    return taken


def test_two_workers_and_six_clean_deploys_serve_8400_orders_of_four_digits(server_url: str) -> None:
    taken: list[int] = []
    for _ in range(6):
        taken += deploy(server_url, workers=2, orders=700)
    assert len(set(taken)) == len(taken) == 8400
    # What one worker holds between two ranges of the other is lost, and nothing else.
    assert max(taken) <= 9999


@pytest.mark.parametrize("digits", [3, pytest.param(4, marks=pytest.mark.long)])
def test_workers_that_take_five_and_are_killed_leave_more_than_half_of_the_numbers_to_orders(
    digits: int, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'ids.db'}"
    with leafmint.SegmentGenerator(url) as ids:
        ids.init_schema()
    text = f"{{year}}-{{number:{digits}}}"
    taken = [int(line) for line in run_python(KILLED, url, text).split()]
    assert len(set(taken)) == len(taken)
    assert len(taken) >= 5 * 10 ** (digits - 1), f"{len(taken)} orders of {10**digits - 1} numbers"
