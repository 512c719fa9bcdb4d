"""The exit of the interpreter closes the generators that are still open."""

import os
import re
import time
from pathlib import Path

import leafmint
import pytest
from testing import UNREACHABLE, run_python, start_python


@pytest.mark.parametrize(
    "mint",
    [
        "tag = leafmint.SegmentGenerator(sys.argv[1]).tag('order'); print(tag())",
        "print(leafmint.SegmentGenerator(sys.argv[1]).tag('order').next_id())",
    ],
    ids=["left open", "dropped"],
)
def test_the_exit_closes_open_generators_and_waits_for_closes_in_progress(url: str, mint: str) -> None:
    assert [run_python(f"import sys, leafmint; {mint}", url).strip() for _ in range(5)] == ["1", "2", "3", "4", "5"]


def test_without_close_at_exit_the_exit_gives_no_ids_back(url: str) -> None:
    script = """
        import sys, leafmint
        tag = leafmint.SegmentGenerator(sys.argv[1], close_at_exit=False).tag("order")
        print(tag.next_id())
    """
    assert [run_python(script, url).strip() for _ in range(3)] == ["1", "1001", "2001"]


@pytest.mark.parametrize(
    "mint", ["flakes = open_flakes(); print(flakes())", "print(open_flakes()())"], ids=["left open", "dropped"]
)
def test_a_close_and_an_exit_free_the_worker_id_at_once(local: str, mint: str) -> None:
    script = f"""
        import sys, leafmint
        open_flakes = lambda: leafmint.SnowflakeGenerator(sys.argv[1], workers=5, timeout=30, lease_duration="1h")
        {mint}
    """
    drawn = [int(run_python(script, local)) for _ in range(5)]
    with leafmint.SnowflakeGenerator(local, workers="5", timeout=30) as flakes:
        drawn.append(flakes.next_id())
    assert drawn == sorted(set(drawn))


def horizon_of(state_dir: Path) -> float:
    """Return the end of the time reserved for worker id 7, in Unix seconds."""
    text = (state_dir / f"py-{os.getpid()}/7.state").read_text()
    slots = re.findall(r"slot (\d+) .*?\nhorizon (\d+)", text, re.DOTALL)
    return max((int(turn), int(horizon)) for turn, horizon in slots)[1] / 1000


def test_without_close_at_exit_the_exit_leaves_the_time_reserved(tmp_path: Path) -> None:
    script = """
        import os, sys, leafmint
        options = {"state_dir": sys.argv[1], "lease_duration": "1h", "close_at_exit": sys.argv[2]}
        flakes = leafmint.SnowflakeGenerator("fixed:7", namespace=f"py-{os.getppid()}", **options)
        print(flakes.next_id())
    """
    kept, given_back = tmp_path / "kept", tmp_path / "given_back"
    run_python(script, str(kept), "false")
    run_python(script, str(given_back), "true")
    assert horizon_of(kept) > time.time() + 1800
    assert horizon_of(given_back) <= time.time()


def test_an_exit_is_prompt_although_the_store_does_not_answer() -> None:
    script = """
        import socket, leafmint
        server = socket.create_server(("127.0.0.1", 0))
        port = server.getsockname()[1]
        ids = leafmint.SegmentGenerator("mysql://root@127.0.0.1:%d/leafmint" % port, connect_timeout=60)
        for name in "abc":
            ids.tag(name).try_next_id()
        print("leaving", flush=True)
    """
    process = start_python(script)
    assert process.stdout
    assert process.stdout.readline() == "leaving\n"
    began = time.monotonic()
    _, err = process.communicate(timeout=15)
    assert process.returncode == 0, err
    assert time.monotonic() - began < 10


def test_a_thread_that_waits_may_outlive_the_interpreter_in_code_of_python() -> None:
    script = f"""
        import sys, threading, time, leafmint
        entered = threading.Event()
        def main_thread(sleep=time.sleep):
            entered.set()
            sleep(0.5)
        class Late:
            def __del__(self, sleep=time.sleep):
                sleep(1)
        tag = leafmint.SegmentGenerator({UNREACHABLE!r}).tag("order")
        threading.main_thread, sys.late = main_thread, Late()
        threading.Thread(target=tag.next_id, daemon=True).start()
        assert entered.wait(60)
    """
    process = start_python(script)
    _, error = process.communicate(timeout=120)
    assert (process.returncode, error) == (0, "")
