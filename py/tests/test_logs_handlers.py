"""Handlers never run inside a call, and cannot disturb the caller."""

from pathlib import Path

import pytest
from log_scripts import LISTENING, OUTAGE
from testing import run_python


def test_a_handler_may_take_ids(url: str) -> None:
    script = f"""{LISTENING}
        class Numbers(logging.Handler):
            def emit(self, record):
                numbers.append(log_ids.next_id(timeout=5))
        numbers = []
        log_ids = leafmint.SegmentGenerator("memory://log").tag("record")
        logging.getLogger("leafmint").addHandler(Numbers())
        leafmint.SegmentGenerator(sys.argv[1])
        until = time.monotonic() + 10
        while not numbers:
            assert time.monotonic() < until
            time.sleep(0.01)
        print(numbers[0])
    """
    assert run_python(script, url) == "1\n"


def test_a_handler_that_waits_for_a_lock_of_the_caller_does_not_block_the_caller(url: str) -> None:
    script = f"""{OUTAGE}
        mine = threading.Lock()
        class Locked(logging.Handler):
            def emit(self, record):
                with mine:
                    pass
        logging.getLogger("leafmint").addHandler(Locked())
        with mine:
            fail_to_refill(ids)
            ids.close()
        kept.wait_for("refill_failed")
    """
    run_python(script, url)


@pytest.mark.parametrize("failure", ["ValueError", "SystemExit", "KeyboardInterrupt"])
def test_an_exception_of_a_handler_never_reaches_a_caller(url: str, failure: str) -> None:
    script = f"""{OUTAGE}
        class Broken(logging.Handler):
            def emit(self, record):
                raise {failure}("of the handler")
        threading.excepthook = sys.unraisablehook = lambda *_: None
        logging.getLogger("leafmint").addHandler(Broken())
        fail_to_refill(ids)
        kept.wait_for("refill_failed")
        outage.end()
        ids.tag("order").next_id()
        kept.wait_for("refill_recovered")
        logging.getLogger("leafmint").handlers.pop()
        print("still here")
    """
    assert run_python(script, url) == "still here\n"


def test_one_thread_logs_although_a_filter_is_slow(tmp_path: Path) -> None:
    script = f"""{LISTENING}
        def slow(record):
            # A filter, because filters run without a lock.
            inside.append(record)
            together.append(len(inside))
            time.sleep(0.1)
            inside.pop()
            return True
        inside, together = [], []
        logging.getLogger("leafmint").addFilter(slow)
        for number in range(20):
            leafmint.SegmentGenerator(f"{{sys.argv[1]}}/{{number}}.db", eager=True)
            time.sleep(0.005)
        until = time.monotonic() + 20
        while len(together) < 20:
            assert time.monotonic() < until, together
            time.sleep(0.01)
        print(max(together))
    """
    assert run_python(script, f"sqlite:///{tmp_path}") == "1\n"
