"""The events of the core are logged by Python's `logging`."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from log_scripts import LISTENING, OUTAGE
from testing import SENTINEL, UNREACHABLE, run_python, start_python


def test_an_outage_is_logged_once_with_its_name_and_so_is_its_end(url: str) -> None:
    script = f"""{OUTAGE}
        while ids.tag("order").stats().refill_failures < 3:
            fail_to_refill(ids)
            time.sleep(0.01)
        failed = kept.wait_for("refill_failed")
        assert failed.levelno == logging.WARNING and failed.name == "leafmint"
        assert "'order'" in failed.getMessage().replace('"', "'"), failed.getMessage()
        outage.end()
        ids.tag("order").next_id()
        assert kept.wait_for("refill_recovered").levelno == logging.INFO
        assert all(record.getMessage().startswith(record.event + ": ") for record in kept.records)
        assert sorted(kept.names()) == ["generator_opened", "refill_failed", "refill_recovered"], kept.names()
        print("done")
    """
    assert run_python(script, url) == "done\n"


def test_each_tag_logs_its_own_outage(url: str) -> None:
    script = f"""{OUTAGE}
        fail_to_refill(ids)
        fail_to_refill(ids, "user")
        until = time.monotonic() + 20
        while kept.names().count("refill_failed") < 2:
            assert time.monotonic() < until, kept.names()
            time.sleep(0.01)
        time.sleep(0.5)
        assert kept.names().count("refill_failed") == 2, kept.names()
    """
    run_python(script, url)


def test_calls_that_are_refused_log_nothing_one_by_one(url: str, tmp_path: Path) -> None:
    script = f"""{LISTENING}
        import sqlite3
        ids = leafmint.SegmentGenerator(sys.argv[1] + "?max_step=3&default_step=3&auto_create=false")
        ids.create_tag("regressed")
        ids.tag("regressed").next_ids(10)
        store = sqlite3.connect(sys.argv[1].removeprefix("sqlite:///"), isolation_level=None)
        store.execute("UPDATE leaf_alloc SET max_id = 1 WHERE biz_tag = 'regressed'")
        early = leafmint.SnowflakeGenerator("local:" + sys.argv[2], epoch="2100-01-01T00:00:00Z", timeout=0)
        taken = leafmint.SnowflakeGenerator("local:" + sys.argv[2] + "/one", workers="0")
        taken.next_id()
        second = leafmint.SnowflakeGenerator("local:" + sys.argv[2] + "/one", workers="0", timeout=0)
        calls = [ids.tag("regressed").next_id, ids.tag("absent").next_id, early.next_id, second.next_id]
        codes = [set() for _ in calls]
        for call, seen in zip(calls, codes):
            for _ in range(1000):
                try:
                    call(timeout=0)
                except leafmint.LeafmintError as error:
                    seen.add(error.code)
        for call, seen in zip(calls, codes):
            try:
                call(timeout=2)
            except leafmint.LeafmintError as error:
                seen.add(error.code)
        kept.wait_for("store_regressed")
        time.sleep(0.3)
        print([code for seen in codes for code in sorted(seen)])
        names = [name for name in kept.names() if name not in ("generator_opened", "lease_taken")]
        # Once in 10 seconds each: a busy machine may need longer for that many calls.
        assert 4 <= len(names) <= 12, names
    """
    codes = ["store_regressed", "unknown_tag", "clock_moved_backwards", "worker_id_unavailable"]
    refused = run_python(script, url, str(tmp_path))
    assert all(code in refused for code in codes), refused


def test_an_event_is_logged_within_a_second(url: str) -> None:
    script = f"""{LISTENING}
        began = time.monotonic()
        leafmint.SegmentGenerator(sys.argv[1])
        opened = kept.wait_for("generator_opened")
        # A second is the promise; the rest is for a busy machine.
        assert time.monotonic() - began < 5
        assert sys.argv[1].removeprefix("sqlite:///") in opened.getMessage()
        assert opened.thread != threading.main_thread().ident
    """
    run_python(script, url)


def test_an_event_is_logged_while_the_main_thread_is_blocked(url: str) -> None:
    script = f"""{OUTAGE}
        def wait():
            try:
                ids.tag("order").next_id(timeout=2)
            except leafmint.SegmentUnavailableError:
                seen.append(kept.wait_for("refill_failed"))
        seen = []
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
        assert seen
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
        fail_to_refill(leafmint.SegmentGenerator(sys.argv[1], password="{SENTINEL}"))
        flakes = leafmint.SnowflakeGenerator(sys.argv[1], password="{SENTINEL}", state_files=False)
        try:
            flakes.next_id(timeout=2)
        except leafmint.LeafmintError:
            pass
        for name in ("refill_failed", "lease_failed"):
            kept.wait_for(name)
        print(*(record.getMessage() for record in kept.records))
    """
    logged = run_python(script, UNREACHABLE)
    assert "refused" in logged
    assert SENTINEL not in logged


def test_a_worker_id_that_is_taken_is_logged_and_so_is_a_damaged_state_file(tmp_path: Path) -> None:
    (tmp_path / "default").mkdir()
    for folder in (tmp_path, tmp_path / "default"):
        (folder / "0.lock").touch()
        (folder / "0.state").write_text("nonsense")
    script = f"""{LISTENING}
        with leafmint.SnowflakeGenerator("local:" + sys.argv[1], workers="0") as flakes:
            flakes.next_id(timeout=10)
        assert "0.state" in kept.wait_for("state_file_damaged").getMessage()
        assert "worker id 0" in kept.wait_for("lease_taken").getMessage()
    """
    run_python(script, str(tmp_path))


def test_a_generator_logs_its_options_when_it_is_opened_and_what_went_back_when_it_is_closed(url: str) -> None:
    script = f"""{LISTENING}
        with leafmint.SegmentGenerator(sys.argv[1], timeout=3, default_step=1000) as ids:
            ids.tag("order").next_id(timeout=60)
            assert "timeout=3s, outage_budget=10m" in kept.wait_for("generator_opened").getMessage()
        closed = kept.wait_for("generator_closed")
        assert closed.levelno == logging.INFO
        end = '999 of 999 unused ids were given back; highest_leased: "order" 1000'
        assert closed.getMessage().endswith(end), closed.getMessage()
    """
    run_python(script, url)


CLOSES = {
    "close": "with ids: ids.tag('order').next_id(timeout=60)",
    "aclose": "ids.tag('order').next_id(timeout=60); asyncio.run(ids.aclose())",
    "snowflake": "flakes.next_id(timeout=60); flakes.close()",
    "snowflake aclose": "flakes.next_id(timeout=60); asyncio.run(flakes.aclose())",
}


@pytest.mark.parametrize("way", CLOSES)
def test_a_close_is_logged_before_a_signal_ends_the_process(url: str, tmp_path: Path, way: str) -> None:
    script = f"""
        import asyncio, logging, os, signal, sys, time, leafmint

        class Slow(logging.Handler):
            def emit(self, record):
                if record.event == "generator_closed":
                    time.sleep(0.05)
                    os.write(1, record.event.encode())

        logging.getLogger("leafmint").addHandler(Slow())
        logging.getLogger("leafmint").setLevel(logging.INFO)
        ids, flakes = leafmint.SegmentGenerator(sys.argv[1]), leafmint.SnowflakeGenerator(sys.argv[2])
        {CLOSES[way]}
        os.kill(os.getpid(), signal.SIGKILL)
    """
    process = start_python(script, url, f"local:{tmp_path}/workers")
    out, errors = process.communicate(timeout=300)
    assert (process.returncode, out) == (-signal.SIGKILL, "generator_closed"), errors


def test_a_generator_that_is_closed_by_the_exit_logs_which_worker_id_is_free(in_memory: Path) -> None:
    script = f"""{LISTENING}
        logging.basicConfig(stream=sys.stdout, format="%(event)s: %(message)s", level=logging.INFO)
        leafmint.SnowflakeGenerator("local:" + sys.argv[1], workers="3").next_id()
    """
    lines = run_python(script, str(in_memory)).splitlines()
    assert [line.split(":")[0] for line in lines] == ["generator_opened", "lease_taken", "generator_closed"]
    assert lines[-1].endswith("; worker id 3 is free")


def test_the_child_of_a_fork_logs_that_it_uses_the_generator(tmp_path: Path) -> None:
    script = f"""{LISTENING}
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        flakes = leafmint.SnowflakeGenerator("local:" + sys.argv[1])
        kept.wait_for("generator_opened")
        child = os.fork()
        if child == 0:
            kept.records.clear()
            try:
                flakes.next_id()
                flakes.close()
                kept.wait_for("generator_closed")
                assert kept.names() == ["generator_opened", "lease_taken", "generator_closed"], kept.names()
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        assert kept.names() == ["generator_opened"]
    """
    run_python(script, str(tmp_path))


def test_a_suite_that_opens_many_generators_logs_a_few_of_them() -> None:
    script = f"""{LISTENING}
        for number in range(500):
            leafmint.SegmentGenerator(f"memory://{{number}}").close()
        kept.wait_for("generator_closed")
        until = time.monotonic() + 20
        while "more like this are left out" not in kept.records[-1].getMessage():
            assert time.monotonic() < until, kept.names()
            time.sleep(0.01)
        time.sleep(0.5)
        assert 2 <= len(kept.names()) <= 64, kept.names()
    """
    run_python(script)


def test_events_are_logged_although_no_thread_of_python_starts(url: str) -> None:
    # As with gevent in a native thread whose hub never runs.
    script = f"""{LISTENING}
        import _thread
        _thread.start_new_thread = lambda *work: 0
        leafmint.SegmentGenerator(sys.argv[1])
        kept.wait_for("generator_opened")
    """
    run_python(script, url)


def test_a_forked_child_has_events_of_its_own(url: str, tmp_path: Path) -> None:
    script = f"""{OUTAGE}
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        fail_to_refill(ids)
        child = os.fork()
        if child == 0:
            kept.records.clear()
            try:
                own = leafmint.SegmentGenerator("sqlite:///" + sys.argv[2])
                assert sys.argv[2] in kept.wait_for("generator_opened").getMessage()
                time.sleep(0.2)
                assert kept.names() == ["generator_opened"], kept.names()
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        kept.wait_for("refill_failed")
        assert kept.names().count("generator_opened") == 1
    """
    run_python(script, url, str(tmp_path / "child.db"))


def test_the_handler_of_the_page_takes_records_of_every_logger() -> None:
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text()
    [example] = re.findall(r"## Logs\n.*?```python\n(.*?)```", page, re.DOTALL)
    logged = 'logging.getLogger("other").warning("a"); logging.getLogger("leafmint").info("b")'
    command = [sys.executable, "-c", f"{example}\n{logged}"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    assert [line.split()[1:] for line in lines] == [["WARNING", "other", "a"], ["INFO", "leafmint", "b"]]
    assert all(re.match(r"\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d{4} ", line) for line in lines)
