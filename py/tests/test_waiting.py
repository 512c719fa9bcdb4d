"""Waiting: with a deadline, without the interpreter, and ended by Ctrl-C."""

import signal
import threading
import time

import leafmint
import pytest
from testing import UNREACHABLE, start_python


def test_other_threads_run_while_one_waits() -> None:
    with leafmint.SegmentGenerator(UNREACHABLE) as ids:
        order = ids.biz_tag("order")

        def wait() -> None:
            with pytest.raises(TimeoutError):
                order.next_id(timeout=0.5)

        waiter = threading.Thread(target=wait)
        waiter.start()
        laps = 0
        while waiter.is_alive():
            laps += 1
            time.sleep(0.001)
    assert laps > 100


@pytest.mark.parametrize("call", ["next_id", "next_ids", "next_range"])
def test_a_wait_ends_at_its_timeout(call: str) -> None:
    with leafmint.SegmentGenerator(UNREACHABLE) as ids:
        order = ids.biz_tag("order")
        began = time.monotonic()
        with pytest.raises(leafmint.SegmentUnavailableError):
            getattr(order, call)(*(() if call == "next_id" else (10,)), timeout=0.1)
        assert 0.09 < time.monotonic() - began < 0.6


def test_the_option_timeout_holds_where_a_call_gives_none() -> None:
    with leafmint.SegmentGenerator(UNREACHABLE, timeout=0.1) as ids:
        began = time.monotonic()
        with pytest.raises(leafmint.SegmentUnavailableError):
            ids.biz_tag("order")()
        assert 0.09 < time.monotonic() - began < 0.6


@pytest.mark.parametrize(
    "wait",
    [
        "ids.biz_tag('order').next_id()",
        "ids.biz_tag('order').next_ids(10, timeout=20)",
        "next(ids.biz_tag('order'))",
        "ids.create_tag('order')",
        "leafmint.SegmentGenerator(url, timeout=20, eager=True, tags='order')",
    ],
)
def test_ctrl_c_ends_a_wait(wait: str) -> None:
    # A port that accepts and never answers keeps every kind of call waiting.
    script = f"""
        import os, socket, threading, time, leafmint
        server = socket.create_server(("127.0.0.1", 0))
        url = "mysql://root@127.0.0.1:%d/leafmint" % server.getsockname()[1]
        ids = leafmint.SegmentGenerator(url, timeout=20, connect_timeout=20)
        print("waiting", flush=True)
        try:
            {wait}
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
            os._exit(0)
    """
    process = start_python(script)
    assert process.stdout
    assert process.stdout.readline() == "waiting\n"
    time.sleep(0.3)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert process.returncode == 0, err
    # 50 ms is the promise; the rest is for a busy machine.
    assert float(out) - sent < 0.5


def test_an_exit_with_a_store_that_does_not_answer_is_prompt() -> None:
    script = """
        import socket, leafmint
        server = socket.create_server(("127.0.0.1", 0))
        ids = leafmint.SegmentGenerator("mysql://root@127.0.0.1:%d/leafmint" % server.getsockname()[1])
        for name in "abc":
            ids.biz_tag(name).try_next_id()
        print("leaving", flush=True)
    """
    process = start_python(script)
    assert process.stdout
    assert process.stdout.readline() == "leaving\n"
    began = time.monotonic()
    _, err = process.communicate(timeout=15)
    assert process.returncode == 0, err
    assert time.monotonic() - began < 1.5
