"""Waits: they have a deadline, let other threads run, and end at Ctrl-C and at a close."""

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import leafmint
import pytest
from testing import UNREACHABLE, start_python


def check_others_run(close: Callable[[], None], wait: Callable[[], object]) -> None:
    def wait_for_the_close() -> None:
        with pytest.raises(leafmint.ClosedError):
            wait()

    waiter = threading.Thread(target=wait_for_the_close)
    waiter.start()
    for _ in range(200):
        time.sleep(0.001)
    assert waiter.is_alive(), "no other thread ran before the wait had ended"
    close()
    waiter.join()


def test_other_threads_run_while_one_waits_for_a_segment() -> None:
    ids = leafmint.SegmentGenerator(UNREACHABLE)
    order = ids.tag("order")
    check_others_run(ids.close, lambda: order.next_id(timeout=30))


def test_other_threads_run_while_one_waits_for_a_tick(used_up: leafmint.SnowflakeGenerator) -> None:
    check_others_run(used_up.close, lambda: used_up.next_ids(10, timeout=30))


def test_many_threads_that_wait_use_little_processor_time_and_end_at_once(
    used_up: leafmint.SnowflakeGenerator,
) -> None:
    ids = leafmint.SegmentGenerator(UNREACHABLE)
    ended = []

    def wait(next_id: Callable[..., int]) -> None:
        with pytest.raises(leafmint.ClosedError):
            next_id(timeout=60)
        ended.append(time.monotonic())

    calls = [ids.tag("order").next_id, used_up.next_id] * 400
    threads = [threading.Thread(target=wait, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    time.sleep(1)
    used, began = time.process_time(), time.monotonic()
    time.sleep(3)
    used = (time.process_time() - used) / (time.monotonic() - began)
    closed = time.monotonic()
    ids.close()
    used_up.close()
    for thread in threads:
        thread.join()
    # The promise is 0.05; slices of 20 ms took 0.3.
    assert used < 0.1, f"{used:.2f} of a core"
    assert len(ended) == 800
    assert max(ended) - closed < 5


@pytest.mark.parametrize("call", ["next_id", "next_ids", "next_range"])
def test_a_wait_for_a_segment_ends_at_its_timeout(call: str) -> None:
    with leafmint.SegmentGenerator(UNREACHABLE) as ids:
        order = ids.tag("order")
        began = time.monotonic()
        with pytest.raises(leafmint.SegmentUnavailableError):
            getattr(order, call)(*(() if call == "next_id" else (10,)), timeout=0.1)
        assert 0.09 < time.monotonic() - began < 4


@pytest.mark.parametrize("call", ["next_id", "next_ids"])
def test_a_wait_for_a_tick_ends_at_its_timeout(used_up: leafmint.SnowflakeGenerator, call: str) -> None:
    began = time.monotonic()
    with pytest.raises(leafmint.RateExceededError, match="used up"):
        getattr(used_up, call)(*(() if call == "next_id" else (10,)), timeout=0.1)
    assert 0.09 < time.monotonic() - began < 4


def test_the_option_timeout_applies_if_a_call_has_none() -> None:
    with leafmint.SegmentGenerator(UNREACHABLE, timeout=0.1) as ids:
        began = time.monotonic()
        with pytest.raises(leafmint.SegmentUnavailableError):
            ids.tag("order")()
        assert 0.09 < time.monotonic() - began < 4


def assert_ctrl_c_ends_the_wait(script: str, *arguments: str) -> None:
    process = start_python(script, *arguments)
    assert process.stdout
    assert process.stdout.readline() == "waiting\n"
    time.sleep(0.3)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert process.returncode == 0, err
    # The promise is 50 ms; the rest allows for a busy machine.
    assert float(out) - sent < 5


@pytest.mark.parametrize(
    "wait",
    [
        "ids.tag('order').next_id()",
        "ids.tag('order').next_ids(10, timeout=20)",
        "ids.tag('order').next_range(10)",
        "ids.tag('order', gene_bits=4).next_id(gene=3)",
        "ids.tag('order')()",
        "ids.create_tag('order')",
        "leafmint.SegmentGenerator(url, timeout=20, eager=True, eager_tags='order')",
    ],
)
def test_ctrl_c_ends_a_wait_for_a_segment(wait: str) -> None:
    # A server that never answers keeps every kind of call waiting.
    script = f"""
        import os, socket, threading, time, leafmint
        server = socket.create_server(("127.0.0.1", 0))
        url = "mysql://root@127.0.0.1:%d/leafmint" % server.getsockname()[1]
        ids = leafmint.SegmentGenerator(url, timeout=20, connect_timeout=20)
        try:
            # A process that is held up here is interrupted before it waits.
            print("waiting", flush=True)
            {wait}
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
            os._exit(0)
    """
    assert_ctrl_c_ends_the_wait(script)


@pytest.mark.parametrize(
    "wait",
    [
        "flakes.next_id()",
        "flakes.next_ids(10, timeout=20)",
        "flakes()",
        "leafmint.SnowflakeGenerator(url, eager=True, timeout=20)",
    ],
)
def test_ctrl_c_ends_a_wait_for_a_snowflake(local: str, wait: str) -> None:
    # Another generator has the only worker id.
    script = f"""
        import os, sys, time, leafmint
        url = sys.argv[1] + "?workers=0"
        other = leafmint.SnowflakeGenerator(url, eager=True)
        flakes = leafmint.SnowflakeGenerator(url, timeout=20)
        try:
            # A process that is held up here is interrupted before it waits.
            print("waiting", flush=True)
            {wait}
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
            os._exit(0)
    """
    assert_ctrl_c_ends_the_wait(script, local)


def check_closed_at_once(close: Callable[[], None], wait: Callable[[], object]) -> None:
    closing: list[float] = []

    def close_now() -> None:
        closing.append(time.monotonic())
        close()

    closer = threading.Timer(0.2, close_now)
    closer.start()
    with pytest.raises(leafmint.ClosedError):
        wait()
    # At once; the rest allows for a busy machine.
    assert time.monotonic() - closing[0] < 5
    closer.join()


@pytest.mark.parametrize("call", ["next_id", "next_ids", "next_range", "gene"])
def test_a_close_from_another_thread_ends_every_kind_of_wait_for_a_segment(call: str) -> None:
    ids = leafmint.SegmentGenerator(UNREACHABLE, timeout=30)
    order, genes = ids.tag("order"), ids.tag("genes", gene_bits=4)
    waits: dict[str, Callable[[], object]] = {
        "next_id": order.next_id,
        "next_ids": lambda: order.next_ids(10),
        "next_range": lambda: order.next_range(10),
        "gene": lambda: genes.next_id(gene=3),
    }
    check_closed_at_once(ids.close, waits[call])


@pytest.mark.parametrize("call", ["next_id", "next_ids", "gene"])
def test_a_close_from_another_thread_ends_every_kind_of_wait_for_a_snowflake(tmp_path: Path, call: str) -> None:
    # Another generator has the only worker id.
    url = f"local:{tmp_path}?workers=0&layout=timestamp:41,worker:10,sequence:8,gene:4"
    with leafmint.SnowflakeGenerator(url, eager=True):
        flakes = leafmint.SnowflakeGenerator(url, timeout=30)
        waits: dict[str, Callable[[], object]] = {
            "next_id": flakes.next_id,
            "next_ids": lambda: flakes.next_ids(10),
            "gene": lambda: flakes.next_id(gene=3),
        }
        check_closed_at_once(flakes.close, waits[call])


def test_a_close_ends_a_wait_for_a_store_that_is_down() -> None:
    ids = leafmint.SegmentGenerator(UNREACHABLE, timeout=60)
    closer = threading.Timer(0.1, ids.close)
    closer.start()
    began = time.monotonic()
    with pytest.raises(leafmint.ClosedError):
        ids.tag("order").next_id()
    assert time.monotonic() - began < 10
    closer.join()


def test_a_close_ends_a_wait_for_a_tick(used_up: leafmint.SnowflakeGenerator) -> None:
    closer = threading.Timer(0.1, used_up.close)
    closer.start()
    began = time.monotonic()
    with pytest.raises(leafmint.ClosedError):
        used_up.next_ids(10)
    assert time.monotonic() - began < 10
    closer.join()
