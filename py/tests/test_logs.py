"""The core's events come out of Python's `logging`."""

import time
from pathlib import Path

import pytest
from testing import SENTINEL, UNREACHABLE, run_python, start_python

LISTENING = """
        import logging, os, sys, threading, time, leafmint

        class Kept(logging.Handler):
            def __init__(self):
                super().__init__()
                self.records = []
            def emit(self, record):
                self.records.append(record)
            def names(self):
                return [record.event for record in self.records]
            def wait_for(self, name, seconds=20):
                until = time.monotonic() + seconds
                while name not in self.names():
                    assert time.monotonic() < until, (name, self.names())
                    time.sleep(0.01)
                return next(record for record in self.records if record.event == name)

        kept = Kept()
        logging.getLogger("leafmint").addHandler(kept)
        logging.getLogger("leafmint").setLevel(logging.INFO)

        def fail_to_refill(ids, name="order"):
            while not ids.stats()["tags"].get(name, {"refill_failures": 0})["refill_failures"]:
                try:
                    ids.biz_tag(name).next_id(timeout=0.1)
                except leafmint.SegmentUnavailableError:
                    continue
                raise AssertionError("the store is up")
"""
"""Keeps what is logged on the logger "leafmint"."""

OUTAGE = f"""{LISTENING}
        class Outage:
            # In another process: SQLite's locks do not keep one process from itself.
            PROGRAM = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('BEGIN IMMEDIATE'); print(); input()"
            def __init__(self):
                import subprocess
                command = [sys.executable, "-c", self.PROGRAM, sys.argv[1].removeprefix("sqlite:///")]
                self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                self.process.stdout.readline()
            def end(self):
                self.process.communicate(b"\\n")

        ids = leafmint.SegmentGenerator(sys.argv[1], connect_timeout=0.02)
        ids.create_tag("order")
        outage = Outage()
"""
"""A store that is down until the end of `outage`."""


def test_an_outage_is_logged_once_with_its_name_and_so_is_its_end(url: str) -> None:
    script = f"""{OUTAGE}
        while ids.stats()["tags"].get("order", {{}}).get("refill_failures", 0) < 3:
            fail_to_refill(ids)
            time.sleep(0.01)
        failed = kept.wait_for("refill_failed")
        assert failed.levelno == logging.WARNING and failed.name == "leafmint"
        assert "'order'" in failed.getMessage().replace('"', "'"), failed.getMessage()
        outage.end()
        ids.biz_tag("order").next_id()
        assert kept.wait_for("refill_recovered").levelno == logging.INFO
        assert sorted(kept.names()) == ["refill_failed", "refill_recovered", "store_opened"], kept.names()
        print("done")
    """
    assert run_python(script, url) == "done\n"


def test_two_tags_are_two_matters(url: str) -> None:
    script = f"""{OUTAGE}
        fail_to_refill(ids)
        fail_to_refill(ids, "user")
        time.sleep(0.5)
        assert kept.names().count("refill_failed") == 2, kept.names()
    """
    run_python(script, url)


def test_what_happens_while_the_main_thread_only_sleeps_now_and_then_is_logged_within_a_second(url: str) -> None:
    script = f"""{LISTENING}
        began = time.monotonic()
        leafmint.SegmentGenerator(sys.argv[1])
        opened = kept.wait_for("store_opened")
        assert time.monotonic() - began < 1
        assert sys.argv[1].removeprefix("sqlite:///") in opened.getMessage()
        assert opened.thread != threading.main_thread().ident
    """
    run_python(script, url)


def test_another_thread_s_waiting_delivers_while_the_main_thread_is_stuck(url: str) -> None:
    script = f"""{OUTAGE}
        def wait():
            try:
                ids.biz_tag("order").next_id(timeout=2)
            except leafmint.SegmentUnavailableError:
                seen.extend(kept.names())
        seen = []
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
        assert "refill_failed" in seen, seen
    """
    run_python(script, url)


def test_nothing_is_logged_below_the_level_of_the_logger(url: str) -> None:
    script = f"""{LISTENING}
        logging.getLogger("leafmint").setLevel(logging.WARNING)
        leafmint.SegmentGenerator(sys.argv[1])
        time.sleep(0.3)
        assert kept.names() == []
    """
    run_python(script, url)


def test_credentials_are_never_logged() -> None:
    script = f"""{LISTENING}
        url = sys.argv[1].replace("mysql://", "jdbc:mysql://") + "?rewriteBatchedStatements={SENTINEL}"
        fail_to_refill(leafmint.SegmentGenerator(url))
        try:
            leafmint.SnowflakeGenerator(sys.argv[1], state_dir="none").next_id(timeout=0.2)
        except leafmint.LeafmintError:
            pass
        for name in ("option_ignored", "refill_failed", "lease_failed"):
            kept.wait_for(name)
        print(*(record.getMessage() for record in kept.records))
    """
    logged = run_python(script, UNREACHABLE)
    assert "rewriteBatchedStatements" in logged
    assert SENTINEL not in logged


def test_a_worker_id_that_is_taken_is_logged_and_so_is_a_damaged_state_file(tmp_path: Path) -> None:
    (tmp_path / "default").mkdir()
    for folder in (tmp_path, tmp_path / "default"):
        (folder / "0.lock").touch()
        (folder / "0.state").write_text("nonsense")
    script = f"""{LISTENING}
        with leafmint.SnowflakeGenerator("local:///" + sys.argv[1], workers="0") as flakes:
            flakes.next_id(timeout=10)
        assert "0.state" in kept.wait_for("state_file_damaged").getMessage()
        assert "worker id 0" in kept.wait_for("lease_taken").getMessage()
    """
    run_python(script, str(tmp_path))


def test_a_handler_may_take_ids(url: str) -> None:
    script = f"""{LISTENING}
        class Numbers(logging.Handler):
            def emit(self, record):
                numbers.append(log_ids.next_id(timeout=5))
        numbers = []
        log_ids = leafmint.SegmentGenerator("memory://log").biz_tag("record")
        logging.getLogger("leafmint").addHandler(Numbers())
        leafmint.SegmentGenerator(sys.argv[1])
        until = time.monotonic() + 10
        while not numbers:
            assert time.monotonic() < until
            time.sleep(0.01)
        print(numbers)
    """
    assert run_python(script, url) == "[1]\n"


def test_a_handler_that_waits_for_the_caller_s_lock_does_not_hold_the_caller_up(url: str) -> None:
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
def test_what_a_handler_raises_never_reaches_a_caller(url: str, failure: str) -> None:
    script = f"""{OUTAGE}
        class Broken(logging.Handler):
            def emit(self, record):
                raise {failure}("of the handler")
        threading.excepthook = sys.unraisablehook = lambda *_: None
        logging.getLogger("leafmint").addHandler(Broken())
        fail_to_refill(ids)
        kept.wait_for("refill_failed")
        outage.end()
        ids.biz_tag("order").next_id()
        kept.wait_for("refill_recovered")
        logging.getLogger("leafmint").handlers.pop()
        print("still here")
    """
    assert run_python(script, url) == "still here\n"


def test_what_happens_last_is_logged_before_the_interpreter_ends(url: str) -> None:
    script = f"""{OUTAGE}
        logging.basicConfig(stream=sys.stdout, format="%(event)s", level=logging.INFO)
        outage.end()
        order = ids.biz_tag("order")
        order.next_id()
        outage = Outage()
    """
    assert "give_back_failed" in run_python(script, url).split()


def test_one_thread_logs_however_slow_a_filter_or_handler_is(tmp_path: Path) -> None:
    script = f"""{LISTENING}
        def slow(record):
            # A filter, since those run without a lock.
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


def test_events_are_logged_where_threads_of_python_do_not_run(url: str) -> None:
    # As with gevent, in a native thread whose hub never gets its turn.
    script = f"""{LISTENING}
        import _thread
        _thread.start_new_thread = lambda *work: 0
        leafmint.SegmentGenerator(sys.argv[1])
        kept.wait_for("store_opened")
    """
    run_python(script, url)


HANGS = """
        class Hangs(logging.Handler):
            def emit(self, record):
                if record.event == sys.argv[2]:
                    entered.set()
                    time.sleep(3600)
        entered = threading.Event()
        logging.getLogger("leafmint").addHandler(Hangs())
"""
"""A handler that never returns from an event, and holds its lock meanwhile."""


def test_a_handler_that_hangs_does_not_hold_the_exit_up(url: str) -> None:
    script = f"""{LISTENING}{HANGS}
        leafmint.SegmentGenerator(sys.argv[1])
        assert entered.wait(10)
    """
    began = time.monotonic()
    run_python(script, url, "store_opened")
    assert time.monotonic() - began < 10


def test_a_handler_that_hangs_in_what_happens_last_does_not_hold_the_exit_up(url: str) -> None:
    script = f"""{OUTAGE}{HANGS}
        outage.end()
        order = ids.biz_tag("order")
        order.next_id()
        outage = Outage()
        began = time.monotonic()
    """
    began = time.monotonic()
    run_python(script, url, "give_back_failed")
    assert time.monotonic() - began < 10


def test_a_handler_that_goes_on_while_the_interpreter_ends_is_no_harm(url: str) -> None:
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
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


def test_a_process_that_exits_while_events_are_made_ends_promptly_and_well(tmp_path: Path) -> None:
    script = f"""{LISTENING}
        ids = leafmint.SegmentGenerator(sys.argv[1])
        flakes = leafmint.SnowflakeGenerator(sys.argv[1], state_dir="none")
        def wait(number):
            while True:
                try:
                    ids.biz_tag(f"tag-{{number}}-{{time.monotonic_ns()}}").next_id(timeout=0.01)
                except leafmint.LeafmintError:
                    pass
        for number in range(4):
            threading.Thread(target=wait, args=(number,), daemon=True).start()
        kept.wait_for("refill_failed")
        time.sleep(float(sys.argv[2]))
        # Without this, threads that wait for an answer would be met by the end.
        kept.records.clear()
    """
    for start in range(0, 50, 5):
        processes = [start_python(script, UNREACHABLE, str(number % 7 / 100)) for number in range(start, start + 5)]
        for process in processes:
            _, err = process.communicate(timeout=60)
            assert process.returncode == 0, err
            assert "Fatal" not in err, err
            assert "Traceback" not in err, err


def test_a_forked_child_has_events_of_its_own(url: str, tmp_path: Path) -> None:
    script = f"""{OUTAGE}
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        fail_to_refill(ids)
        child = os.fork()
        if child == 0:
            kept.records.clear()
            try:
                leafmint.SegmentGenerator("sqlite:///" + sys.argv[2])
                assert sys.argv[2] in kept.wait_for("store_opened").getMessage()
                time.sleep(0.2)
                assert kept.names() == ["store_opened"], kept.names()
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        kept.wait_for("refill_failed")
        assert kept.names().count("store_opened") == 1
    """
    run_python(script, url, str(tmp_path / "child.db"))
