"""Snowflakes: every way to take one, worker ids of a directory, waiting, the end of a generator, and bad input."""

import copy
import itertools
import os
import pickle
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import leafmint
import pytest
from testing import in_threads, run_python, start_python

GENES = "timestamp:41,worker:10,sequence:8,gene:4"
HOURS = "timestamp:20,worker:10,sequence:4,unit:1h"
"""Ticks so long that one that is used up keeps callers waiting."""


@pytest.fixture
def local(tmp_path: Path) -> str:
    """Return the URL of a directory that is not there yet."""
    return f"local://{tmp_path / 'workers'}"


@pytest.fixture
def flakes(local: str) -> Iterator[leafmint.SnowflakeGenerator]:
    """Return an open generator over a directory."""
    with leafmint.SnowflakeGenerator(local) as generator:
        yield generator


@pytest.fixture
def used_up(local: str) -> Iterator[leafmint.SnowflakeGenerator]:
    """Return a generator that has no id before the next hour."""
    with leafmint.SnowflakeGenerator(local, layout=HOURS, timeout=20) as generator:
        generator.next_id()
        while generator.try_next_id() is not None:
            pass
        yield generator


def test_every_way_to_take_an_id_goes_on_above_the_last_one(flakes: leafmint.SnowflakeGenerator) -> None:
    drawn = [flakes.next_id(), flakes.next_id(timeout=0.5), flakes.next_id(1), flakes()]
    drawn += flakes.next_ids(3)
    drawn += flakes.next_ids(2, timeout=1)
    drawn += list(flakes.next_array(3))
    drawn.append(next(id for id in iter(flakes.try_next_id, 0) if id is not None))
    assert drawn == sorted(set(drawn))
    assert len(drawn) == 13
    assert drawn[0] > 0


def test_an_id_carries_its_time_and_worker_id(flakes: leafmint.SnowflakeGenerator) -> None:
    before = datetime.now(timezone.utc)
    decoded = flakes.decode(flakes.next_id())
    assert timedelta(milliseconds=-1) <= decoded.timestamp - before < timedelta(seconds=5)
    assert decoded.worker_id == flakes.worker_id == flakes.stats()["worker_id"] == 0
    assert flakes.layout == leafmint.Layout("leaf")
    assert flakes.layout.decode(decoded.id) == decoded
    assert flakes.layout.min_id(decoded.timestamp) <= decoded.id <= flakes.layout.max_id(decoded.timestamp)


def test_no_worker_id_is_taken_before_the_first_id_unless_eager(local: str, tmp_path: Path) -> None:
    with leafmint.SnowflakeGenerator(local) as lazy:
        assert lazy.worker_id is None
        assert lazy.stats()["worker_id"] is None
        assert not (tmp_path / "workers").exists()
    with leafmint.SnowflakeGenerator(local, eager=True) as eager:
        assert eager.worker_id == 0
        with pytest.raises(leafmint.WorkerIdUnavailableError):
            leafmint.SnowflakeGenerator(local, eager=True, workers=0, timeout=0.1)


def test_ids_are_unique_and_increase_over_eight_threads(flakes: leafmint.SnowflakeGenerator) -> None:
    def mint() -> list[int]:
        return [id for _ in range(20) for id in (*(flakes.next_id() for _ in range(100)), *flakes.next_ids(100), flakes())]

    drawn = in_threads(8, mint)
    assert all(earlier < later for mine in drawn for earlier, later in itertools.pairwise(mine))
    assert len(set(itertools.chain.from_iterable(drawn))) == 8 * 20 * 201


def test_a_batch_may_take_more_than_one_tick(local: str) -> None:
    with leafmint.SnowflakeGenerator(local, layout="timestamp:41,worker:10,sequence:4") as flakes:
        drawn = flakes.next_ids(1000)
    assert drawn == sorted(set(drawn))
    assert len(drawn) == 1000
    assert max(flakes.decode(id).sequence for id in drawn) == 15


def test_two_generators_of_a_directory_have_two_worker_ids(local: str) -> None:
    with leafmint.SnowflakeGenerator(local) as one, leafmint.SnowflakeGenerator(local) as other:
        drawn = [flakes.next_id() for _ in range(1000) for flakes in (one, other)]
        assert (one.worker_id, other.worker_id) == (0, 1)
    assert len(set(drawn)) == 2000


def test_another_process_has_another_worker_id_and_a_killed_one_leaves_its_own(local: str) -> None:
    script = """
        import os, sys, leafmint
        flakes = leafmint.SnowflakeGenerator(sys.argv[1])
        print(*flakes.next_ids(100), flush=True)
        sys.stdin.read() if len(sys.argv) == 2 else os.kill(os.getpid(), 9)
    """
    drawn: list[int] = []
    with leafmint.SnowflakeGenerator(local) as mine:
        drawn += mine.next_ids(100)
        for _ in range(3):
            process = start_python(script, local, "die")
            drawn += (int(word) for word in process.communicate(timeout=30)[0].split())
            assert process.returncode == -signal.SIGKILL
            drawn += mine.next_ids(100)
    assert len(set(drawn)) == len(drawn) == 700
    assert {mine.decode(id).worker_id for id in drawn[:100]} == {0}
    assert 0 not in {mine.decode(id).worker_id for id in drawn[100:200]}


@pytest.mark.parametrize(
    "mint", ["flakes = open_flakes(); print(flakes())", "print(open_flakes()())"], ids=["left open", "let go"]
)
def test_a_clean_close_and_an_exit_free_the_worker_id_at_once(local: str, mint: str) -> None:
    script = f"""
        import sys, leafmint
        open_flakes = lambda: leafmint.SnowflakeGenerator(sys.argv[1], workers=5, timeout=1)
        {mint}
    """
    drawn = [int(run_python(script, local)) for _ in range(5)]
    with leafmint.SnowflakeGenerator(local, workers="5", timeout=1) as flakes:
        drawn.append(flakes.next_id())
    assert drawn == sorted(set(drawn))


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


def horizon_of(state_dir: Path) -> float:
    """Return until when worker id 7 is reserved, in Unix seconds."""
    text = (state_dir / f"py-{os.getpid()}/7.state").read_text()
    slots = re.findall(r"slot (\d+) .*?\nhorizon (\d+)", text, re.DOTALL)
    return max((int(turn), int(horizon)) for turn, horizon in slots)[1] / 1000


def test_a_fixed_worker_id_is_kept_by_one_at_a_time(tmp_path: Path) -> None:
    # A namespace of its own: other tests of this host use the same worker id.
    place: dict[str, Any] = {"state_dir": tmp_path, "namespace": f"py-{os.getpid()}"}
    with leafmint.SnowflakeGenerator("fixed:7", **place) as flakes:
        assert flakes.decode(flakes.next_id()).worker_id == 7
        assert flakes.stats()["holder"] == "fixed"
        second = leafmint.SnowflakeGenerator("fixed:7", **place)
        with pytest.raises(leafmint.WorkerIdUnavailableError, match=str(tmp_path)) as raised:
            second.next_id(timeout=0.2)
        assert raised.value.retryable
        second.close()
    assert str(tmp_path) in flakes.scope
    assert str(tmp_path) in repr(flakes)


def test_a_worker_map_gives_an_endpoint_its_worker_id(local: str) -> None:
    map = ["10.0.0.1:80=3", "10.0.0.2:80=9"]
    with leafmint.SnowflakeGenerator(local, worker_map=map, endpoint="10.0.0.2:80") as flakes:
        assert flakes.decode(flakes.next_id()).worker_id == 9


def test_another_layout_in_the_same_directory_is_refused(local: str) -> None:
    with leafmint.SnowflakeGenerator(local) as flakes:
        flakes.next_id()
    for options in ({"layout": "wide"}, {"epoch": 1600000000000}):
        given: dict[str, Any] = options
        with leafmint.SnowflakeGenerator(local, **given) as flakes, pytest.raises(leafmint.InvalidConfigError, match="namespace"):
            flakes.next_id()
    with leafmint.SnowflakeGenerator(local, layout="wide", epoch=1600000000000, namespace="other") as flakes:
        assert flakes.layout == leafmint.Layout("wide", epoch=1600000000000)
        assert abs(flakes.decode(flakes.next_id()).timestamp - datetime.now(timezone.utc)) < timedelta(seconds=5)


def test_a_gene_is_carried_in_the_lowest_bits(local: str) -> None:
    with leafmint.SnowflakeGenerator(local, layout=GENES) as flakes:
        drawn = [flakes.next_id(gene=number % 16) for number in range(200)]
        assert (
            [leafmint.shard_of(id, 4) for id in drawn] == [flakes.decode(id).gene for id in drawn] == [n % 16 for n in range(200)]
        )
        assert len({id >> 4 for id in drawn}) == 200
        assert flakes.decode(flakes.next_id()).gene == 0
        for gene in (-1, 16, 2**63, -(2**70)):
            with pytest.raises(leafmint.InvalidArgumentError, match="gene="):
                flakes.next_id(gene=gene)


def test_a_gene_needs_a_layout_with_gene_bits(flakes: leafmint.SnowflakeGenerator) -> None:
    for gene in (0, 1):
        with pytest.raises(leafmint.InvalidArgumentError, match="gene bits"):
            flakes.next_id(gene=gene)


def test_a_shard_rule_mints_out_of_snowflakes(flakes: leafmint.SnowflakeGenerator) -> None:
    orders = leafmint.ShardRule(business_code="10", tables=1024)
    before = flakes.next_id()
    number = orders.parse(orders.mint(flakes, "user-42"))
    assert before < number.sequence < flakes.next_id()
    assert number.table == orders.table_of("user-42")
    assert flakes.decode(number.sequence).worker_id == flakes.worker_id


def test_stats_tell_the_worker_id_and_how_far_ahead_time_is_reserved(flakes: leafmint.SnowflakeGenerator) -> None:
    flakes.next_id()
    stats = flakes.stats()
    assert stats["scope"] == flakes.scope
    assert stats["holder"] == "local"
    assert stats["horizon_seconds"] is not None
    assert 0 < stats["horizon_seconds"] < 10
    assert stats["waits"] >= 1
    assert stats["leases_lost"] == 0
    assert stats["last_error"] is None


@pytest.mark.parametrize("call", ["next_id", "next_ids"])
def test_a_wait_for_a_tick_ends_at_its_timeout(used_up: leafmint.SnowflakeGenerator, call: str) -> None:
    began = time.monotonic()
    with pytest.raises(leafmint.RateExceededError, match="used up"):
        getattr(used_up, call)(*(() if call == "next_id" else (10,)), timeout=0.1)
    assert 0.09 < time.monotonic() - began < 4


def test_other_threads_run_while_one_waits(used_up: leafmint.SnowflakeGenerator) -> None:
    def wait() -> None:
        with pytest.raises(leafmint.LeafmintError):
            used_up.next_ids(10, timeout=0.5)

    waiter = threading.Thread(target=wait)
    waiter.start()
    laps = 0
    while waiter.is_alive():
        laps += 1
        time.sleep(0.001)
    assert laps > 100


@pytest.mark.parametrize(
    "wait",
    [
        "flakes.next_id()",
        "flakes.next_ids(10, timeout=20)",
        "flakes()",
        "leafmint.SnowflakeGenerator(url, eager=True, timeout=20)",
    ],
)
def test_ctrl_c_ends_a_wait(local: str, wait: str) -> None:
    # Somebody else has the only worker id.
    script = f"""
        import os, sys, time, leafmint
        url = sys.argv[1] + "?workers=0"
        other = leafmint.SnowflakeGenerator(url, eager=True)
        flakes = leafmint.SnowflakeGenerator(url, timeout=20)
        print("waiting", flush=True)
        try:
            {wait}
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
            os._exit(0)
    """
    process = start_python(script, local)
    assert process.stdout
    assert process.stdout.readline() == "waiting\n"
    time.sleep(0.3)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert process.returncode == 0, err
    # 50 ms is the promise; the rest is for a busy machine.
    assert float(out) - sent < 5


def test_use_after_close_is_a_named_error_and_a_second_close_does_nothing(flakes: leafmint.SnowflakeGenerator) -> None:
    drawn = flakes.next_id()
    flakes.close()
    flakes.close()
    calls: list[Callable[[], object]] = [
        flakes.next_id,
        flakes.try_next_id,
        flakes,
        lambda: flakes.next_ids(1),
    ]
    for call in calls:
        with pytest.raises(leafmint.ClosedError, match="was closed"):
            call()
    assert flakes.decode(drawn).id == drawn
    assert flakes.stats()["holder"] == "local"


def test_a_with_block_closes_and_lets_errors_through(local: str) -> None:
    class MyError(Exception):
        pass

    with pytest.raises(MyError), leafmint.SnowflakeGenerator(local) as flakes:
        raise MyError
    with pytest.raises(leafmint.ClosedError):
        flakes.next_id()


def test_close_while_eight_threads_mint_ends_each_with_a_named_error(flakes: leafmint.SnowflakeGenerator) -> None:
    minting = threading.Event()

    def close() -> None:
        assert minting.wait(60)
        time.sleep(0.1)
        flakes.close()

    closer = threading.Thread(target=close)
    closer.start()

    def mint() -> list[int]:
        drawn: list[int] = []
        try:
            while True:
                drawn.append(flakes.next_id())
                minting.set()
        except leafmint.ClosedError:
            return drawn

    drawn = list(itertools.chain.from_iterable(in_threads(8, mint)))
    closer.join()
    assert len(set(drawn)) == len(drawn) > 0


def test_close_ends_a_call_that_waits(used_up: leafmint.SnowflakeGenerator) -> None:
    closer = threading.Timer(0.1, used_up.close)
    closer.start()
    began = time.monotonic()
    with pytest.raises(leafmint.ClosedError):
        used_up.next_ids(10)
    assert time.monotonic() - began < 2
    closer.join()


def test_dropping_everything_without_a_close_is_no_harm(local: str) -> None:
    for _ in range(50):
        leafmint.SnowflakeGenerator(local).try_next_id()


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_generator_refuses_to_be_pickled_or_copied(
    flakes: leafmint.SnowflakeGenerator, duplicate: Callable[[object], object]
) -> None:
    with pytest.raises(TypeError, match=r"a SnowflakeGenerator cannot be pickled or copied.* open a SnowflakeGenerator in each"):
        duplicate(flakes)


@pytest.mark.parametrize("count", [-1, 2**20 + 1, 2**40, 2**63, -(2**70)])
def test_a_bad_count_is_an_invalid_argument(flakes: leafmint.SnowflakeGenerator, count: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="batch"):
        flakes.next_ids(count)


@pytest.mark.parametrize("timeout", [-1, float("nan"), float("inf"), 2**70])
def test_a_bad_timeout_is_an_invalid_argument_even_with_ids_in_hand(flakes: leafmint.SnowflakeGenerator, timeout: float) -> None:
    flakes.next_id()
    for call in (flakes.next_id, lambda timeout: flakes.next_ids(1, timeout)):
        with pytest.raises(leafmint.InvalidArgumentError, match="timeout"):
            call(timeout)


@pytest.mark.parametrize("wrong", ["1", 1.5, b"1", object()])
def test_an_argument_of_a_wrong_type_is_a_type_error(flakes: leafmint.SnowflakeGenerator, wrong: Any) -> None:
    for call in (flakes.next_ids, flakes.decode, lambda wrong: flakes.next_id(gene=wrong), leafmint.SnowflakeGenerator):
        if call is not leafmint.SnowflakeGenerator or wrong != "1":
            with pytest.raises(TypeError):
                call(wrong)


@pytest.mark.parametrize("number", [-1, 2**63, -(2**70)])
def test_an_int_that_is_no_id_is_an_invalid_id(flakes: leafmint.SnowflakeGenerator, number: int) -> None:
    with pytest.raises(leafmint.InvalidIdError, match=str(number)):
        flakes.decode(number)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "local",
        "local:",
        "local:///",
        "local://host/x",
        "fixed:",
        "fixed:1024",
        "fixed:-1",
        "fixed:x",
        "sqlite:///x",
        "\ud800",
    ],
    ids=ascii,
)
def test_a_bad_url_is_an_invalid_config(url: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError):
        leafmint.SnowflakeGenerator(url)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("timeout", -1),
        ("eager", 1),
        ("namespace", "../x"),
        ("namespace", ""),
        ("namespace", "\ud800"),
        ("layout", "huge"),
        ("layout", leafmint.Layout()),
        ("epoch", "soon"),
        ("epoch", 2**63),
        ("epoch", 1.5),
        ("workers", "0-1024"),
        ("workers", "5-3"),
        ("workers", 1024),
        ("workers", range(5)),
        ("datacenter_id", 1),
        ("worker_map", ["a"]),
        ("worker_map", {"a": 1}),
        ("worker_map", [1]),
        ("heartbeat", 0),
        ("lease_duration", timedelta(seconds=1)),
        ("lease_duration", object()),
        ("clock_rollback", "ignore"),
        ("max_clock_lead", -1),
        ("sequence_jitter", -1),
        ("tags", "order"),
        ("colour", "red"),
    ],
    ids=ascii,
)
def test_a_bad_option_is_an_invalid_config_that_names_it(local: str, tmp_path: Path, name: str, value: Any) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=re.escape(name)):
        leafmint.SnowflakeGenerator(local, **{name: value})
    assert not list(tmp_path.iterdir())


def test_an_unknown_option_lists_the_known_ones() -> None:
    wrong: dict[str, Any] = {"step": 5}
    with pytest.raises(leafmint.InvalidConfigError, match=r"is not known; known are timeout, .*namespace"):
        leafmint.SnowflakeGenerator("local:///leafmint", **wrong)


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 5, "lease_duration": timedelta(seconds=5), "heartbeat": "500ms"},
        {"workers": "0-31", "epoch": 1600000000000, "layout": "datacenter", "datacenter_id": 31},
        {"workers": 7, "max_clock_lead": 0.5, "sequence_jitter": 0},
        {"layout": None, "epoch": None, "state_dir": None, "eager": None},
        {"clock_rollback": "fail"},
        {"clock_rollback": "wait", "eager": True},
    ],
)
def test_every_usual_type_of_a_value_is_understood(local: str, options: dict[str, Any]) -> None:
    with leafmint.SnowflakeGenerator(local, **options) as flakes:
        assert flakes.next_id() > 0
