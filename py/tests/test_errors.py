"""The error vocabulary, and the state of generators that ended."""

import copy
import itertools
import pickle
import threading
import time
from collections.abc import Callable

import leafmint
import pytest
from testing import UNREACHABLE, in_threads

KINDS = [
    (leafmint.InvalidConfigError, ValueError, "invalid_config", False),
    (leafmint.InvalidArgumentError, ValueError, "invalid_argument", False),
    (leafmint.UnknownTagError, KeyError, "unknown_tag", False),
    (leafmint.SegmentUnavailableError, TimeoutError, "segment_unavailable", True),
    (leafmint.StoreUnavailableError, ConnectionError, "store_unavailable", True),
    (leafmint.StoreRegressedError, leafmint.LeafmintError, "store_regressed", False),
    (leafmint.WorkerIdUnavailableError, leafmint.LeafmintError, "worker_id_unavailable", True),
    (leafmint.LeaseLostError, leafmint.LeafmintError, "lease_lost", True),
    (leafmint.ClockMovedBackwardsError, leafmint.LeafmintError, "clock_moved_backwards", True),
    (leafmint.IdSpaceExhaustedError, leafmint.LeafmintError, "id_space_exhausted", False),
    (leafmint.RateExceededError, leafmint.LeafmintError, "rate_exceeded", True),
    (leafmint.InvalidIdError, ValueError, "invalid_id", False),
    (leafmint.ClosedError, leafmint.LeafmintError, "closed", False),
]


@pytest.mark.parametrize(("kind", "builtin", "code", "retryable"), KINDS)
def test_every_kind_is_a_class_that_pickles_and_reads_well(
    kind: type[leafmint.LeafmintError], builtin: type[Exception], code: str, retryable: bool
) -> None:
    error = kind("what failed, and what to do")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert isinstance(error, (leafmint.LeafmintError, builtin))
    assert isinstance(error, builtin)
    assert (error.code, error.retryable) == (code, retryable)
    assert str(error) == str(again) == "what failed, and what to do"


def test_an_unknown_tag_is_a_key_error_with_a_readable_message(url: str) -> None:
    with (
        leafmint.SegmentGenerator(url, auto_create=False) as ids,
        pytest.raises(KeyError, match=r"^biz_tag \"order\" is not in sqlite://.*create_tag") as raised,
    ):
        ids.biz_tag("order").next_id()
    assert raised.type is leafmint.UnknownTagError


def test_a_store_that_cannot_be_reached_is_a_timeout_that_says_why() -> None:
    with (
        leafmint.SegmentGenerator(UNREACHABLE, timeout=0.2) as ids,
        pytest.raises(TimeoutError, match=r"within 50ms .*last error") as raised,
    ):
        ids.biz_tag("order").next_id(timeout=0.05)
    assert raised.type is leafmint.SegmentUnavailableError
    assert raised.value.retryable  # type: ignore[attr-defined]


def test_eager_fails_the_open() -> None:
    with pytest.raises(leafmint.StoreUnavailableError):
        leafmint.SegmentGenerator(UNREACHABLE, eager=True, timeout=0.2, connect_timeout=0.2)
    with pytest.raises(leafmint.SegmentUnavailableError):
        leafmint.SegmentGenerator(UNREACHABLE, eager=True, tags="order", timeout=0.2, connect_timeout=0.2)


def test_use_after_close_is_a_named_error_and_a_second_close_does_nothing(ids: leafmint.SegmentGenerator) -> None:
    order = ids.biz_tag("order")
    order.next_id()
    ids.close()
    ids.close()
    calls: list[Callable[[], object]] = [
        order.next_id,
        order.try_next_id,
        order,
        lambda: order.next_ids(1),
        lambda: order.next_range(1),
    ]
    calls += [lambda: ids.biz_tag("order"), lambda: ids.create_tag("user"), ids.init_schema]
    for call in calls:
        with pytest.raises(leafmint.ClosedError, match="was closed"):
            call()
    assert ids.stats()["tags"]["order"]["issued"] == 1
    assert ids.stats()["tags"]["order"]["given_back"] > 0
    assert "ids.db" in repr(ids)
    assert "order" in repr(order)


def test_a_with_block_closes_and_lets_errors_through(url: str) -> None:
    class MyError(Exception):
        pass

    with pytest.raises(MyError), leafmint.SegmentGenerator(url) as ids:
        raise MyError
    with pytest.raises(leafmint.ClosedError):
        ids.biz_tag("order")


def test_close_while_eight_threads_mint_ends_each_with_a_named_error(ids: leafmint.SegmentGenerator) -> None:
    order = ids.biz_tag("order")
    minting = threading.Event()

    def close() -> None:
        assert minting.wait(60)
        time.sleep(0.1)
        ids.close()

    closer = threading.Thread(target=close)
    closer.start()

    def mint() -> list[int]:
        drawn: list[int] = []
        try:
            while True:
                drawn.append(order.next_id())
                minting.set()
        except leafmint.ClosedError:
            return drawn

    drawn = list(itertools.chain.from_iterable(in_threads(8, mint)))
    closer.join()
    assert len(set(drawn)) == len(drawn) > 0


def test_close_ends_a_call_that_waits() -> None:
    ids = leafmint.SegmentGenerator(UNREACHABLE, timeout=60)
    closer = threading.Timer(0.1, ids.close)
    closer.start()
    began = time.monotonic()
    with pytest.raises(leafmint.ClosedError):
        ids.biz_tag("order").next_id()
    assert time.monotonic() - began < 10
    closer.join()


def test_dropping_everything_without_a_close_is_no_harm(url: str) -> None:
    for _ in range(200):
        leafmint.SegmentGenerator(url).biz_tag("order").try_next_id()


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_handles_refuse_to_be_pickled_or_copied(ids: leafmint.SegmentGenerator, duplicate: Callable[[object], object]) -> None:
    handles: list[tuple[object, str]] = [(ids, "SegmentGenerator"), (ids.biz_tag("order"), "BizTag")]
    for handle, name in handles:
        with pytest.raises(TypeError, match=f"a {name} cannot be pickled or copied"):
            duplicate(handle)
