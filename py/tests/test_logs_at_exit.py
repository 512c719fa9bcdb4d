"""The exit of the interpreter waits for events to be logged, but not for a handler that hangs."""

import time

import pytest
from log_scripts import HANGS, LISTENING, OUTAGE
from testing import UNREACHABLE, run_python, start_python


def test_an_event_of_the_exit_is_logged_before_the_interpreter_ends(url: str) -> None:
    script = f"""{OUTAGE}
        logging.basicConfig(stream=sys.stdout, format="%(event)s", level=logging.INFO)
        outage.end()
        order = ids.tag("order")
        order.next_id()
        outage = Outage()
    """
    assert "give_back_failed" in run_python(script, url).split()


def test_a_handler_that_hangs_does_not_block_the_exit(url: str) -> None:
    script = f"""{LISTENING}{HANGS}
        leafmint.SegmentGenerator(sys.argv[1])
        assert entered.wait(10)
    """
    began = time.monotonic()
    run_python(script, url, "generator_opened")
    assert time.monotonic() - began < 30


def test_a_handler_that_hangs_in_an_event_of_the_exit_does_not_block_the_exit(url: str) -> None:
    script = f"""{OUTAGE}{HANGS}
        outage.end()
        order = ids.tag("order")
        order.next_id()
        outage = Outage()
        began = time.monotonic()
    """
    began = time.monotonic()
    run_python(script, url, "give_back_failed")
    assert time.monotonic() - began < 30


def test_a_handler_that_runs_on_while_the_interpreter_ends_does_no_harm(url: str) -> None:
    script = f"""{LISTENING}
        class Sleeps(logging.Handler):
            def emit(self, record):
                entered.set()
                time.sleep(1.5)
        class Late:
            def __del__(self, sleep=time.sleep):
                sleep(2)
        late, entered = Late(), threading.Event()
        logging.getLogger("leafmint").addHandler(Sleeps())
        leafmint.SegmentGenerator(sys.argv[1])
        assert entered.wait(10)
    """
    process = start_python(script, url)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize("count", [10, pytest.param(50, marks=pytest.mark.long)])
def test_a_process_that_exits_during_events_ends_promptly_and_without_a_traceback(count: int) -> None:
    script = f"""{LISTENING}
        ids = leafmint.SegmentGenerator(sys.argv[1])
        flakes = leafmint.SnowflakeGenerator(sys.argv[1], state_files=False)
        def wait(number):
            while True:
                try:
                    ids.tag(f"tag-{{number}}-{{time.monotonic_ns()}}").next_id(timeout=0.01)
                except leafmint.LeafmintError:
                    pass
        for number in range(4):
            threading.Thread(target=wait, args=(number,), daemon=True).start()
        kept.wait_for("refill_failed")
        time.sleep(float(sys.argv[2]))
        # Otherwise the interpreter would end while threads still wait for an answer.
        kept.records.clear()
    """
    for start in range(0, count, 5):
        processes = [start_python(script, UNREACHABLE, str(number % 7 / 100)) for number in range(start, start + 5)]
        errors = [process.communicate(timeout=120)[1] for process in processes]
        assert [(process.returncode, error) for process, error in zip(processes, errors, strict=True)] == [(0, "")] * 5
