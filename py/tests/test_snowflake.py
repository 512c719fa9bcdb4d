"""Snowflake generators: every way to take an id, worker ids of a directory, genes, and closing."""

import itertools
import os
import signal
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import leafmint
import pytest
from testing import assert_close_ends_minting, in_threads, start_python

GENES = "timestamp:41,worker:10,sequence:8,gene:4"


def test_every_way_to_take_a_snowflake_continues_above_the_last_one(flakes: leafmint.SnowflakeGenerator) -> None:
    drawn = [flakes.next_id(), flakes.next_id(timeout=0.5), flakes.next_id(timeout=1), flakes()]
    drawn += flakes.next_ids(3)
    drawn += flakes.next_ids(2, timeout=1)
    drawn += list(flakes.next_array(3))
    drawn.append(next(id for id in iter(flakes.try_next_id, 0) if id is not None))
    assert drawn == sorted(set(drawn))
    assert len(drawn) == 13
    assert drawn[0] > 0


def test_no_worker_id_is_taken_before_the_first_id_unless_eager(local: str, tmp_path: Path) -> None:
    with leafmint.SnowflakeGenerator(local) as lazy:
        assert lazy.worker_id is None
        assert lazy.stats().worker_id is None
        assert not (tmp_path / "workers").exists()
    with leafmint.SnowflakeGenerator(local, eager=True) as eager:
        assert eager.worker_id == 0
        with pytest.raises(leafmint.WorkerIdUnavailableError):
            leafmint.SnowflakeGenerator(local, eager=True, workers=0, timeout=2)


def test_snowflakes_of_eight_threads_are_unique_and_increase(flakes: leafmint.SnowflakeGenerator) -> None:
    def mint() -> list[int]:
        return [
            id for _ in range(20) for id in (*(flakes.next_id() for _ in range(100)), *flakes.next_ids(100), flakes())
        ]

    drawn = in_threads(8, mint)
    assert all(earlier < later for mine in drawn for earlier, later in itertools.pairwise(mine))
    assert len(set(itertools.chain.from_iterable(drawn))) == 8 * 20 * 201


def test_two_generators_of_a_directory_have_two_worker_ids(local: str) -> None:
    with leafmint.SnowflakeGenerator(local) as one, leafmint.SnowflakeGenerator(local) as other:
        drawn = [flakes.next_id() for _ in range(1000) for flakes in (one, other)]
        assert (one.worker_id, other.worker_id) == (0, 1)
    assert len(set(drawn)) == 2000


def test_another_process_has_another_worker_id_also_after_a_kill(local: str) -> None:
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
            drawn += (int(word) for word in process.communicate(timeout=120)[0].split())
            assert process.returncode == -signal.SIGKILL
            drawn += mine.next_ids(100)
    assert len(set(drawn)) == len(drawn) == 700
    assert {mine.decode(id).worker_id for id in drawn[:100]} == {0}
    assert 0 not in {mine.decode(id).worker_id for id in drawn[100:200]}


def test_a_fixed_worker_id_has_one_owner_at_a_time(tmp_path: Path) -> None:
    # Its own namespace, because other tests on this host use the same worker id.
    place: dict[str, Any] = {"state_dir": tmp_path, "namespace": f"py-{os.getpid()}"}
    with leafmint.SnowflakeGenerator("fixed:7", **place) as flakes:
        assert flakes.decode(flakes.next_id()).worker_id == 7
        assert flakes.stats().holder == "fixed"
        second = leafmint.SnowflakeGenerator("fixed:7", **place)
        with pytest.raises(leafmint.WorkerIdUnavailableError, match=str(tmp_path)) as raised:
            second.next_id(timeout=2)
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
        with (
            leafmint.SnowflakeGenerator(local, **given) as flakes,
            pytest.raises(leafmint.InvalidConfigError, match="namespace"),
        ):
            flakes.next_id()
    with leafmint.SnowflakeGenerator(local, layout="wide", epoch=1600000000000, namespace="other") as flakes:
        assert flakes.layout == leafmint.Layout("wide", epoch=1600000000000)
        assert abs(flakes.decode(flakes.next_id()).timestamp - datetime.now(timezone.utc)) < timedelta(seconds=5)


def test_the_low_bits_carry_the_gene(local: str) -> None:
    with leafmint.SnowflakeGenerator(local, layout=GENES) as flakes:
        drawn = [flakes.next_id(gene=number % 16) for number in range(200)]
        assert (
            [leafmint.gene_of_id(id, 4) for id in drawn]
            == [flakes.decode(id).gene for id in drawn]
            == [n % 16 for n in range(200)]
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


def test_use_after_close_is_a_named_error_and_a_second_close_does_nothing(
    flakes: leafmint.SnowflakeGenerator,
) -> None:
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
    assert flakes.stats().holder == "local"


def test_a_with_block_closes_snowflakes_and_passes_exceptions_on(local: str) -> None:
    class MyError(Exception):
        pass

    with pytest.raises(MyError), leafmint.SnowflakeGenerator(local) as flakes:
        raise MyError
    with pytest.raises(leafmint.ClosedError):
        flakes.next_id()


def test_a_close_ends_eight_threads_minting_snowflakes_with_a_named_error(flakes: leafmint.SnowflakeGenerator) -> None:
    assert_close_ends_minting(flakes.close, flakes.next_id)
