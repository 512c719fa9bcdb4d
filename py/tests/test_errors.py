"""The exceptions: their classes, codes and messages."""

import pickle

import leafmint
import pytest
from testing import UNREACHABLE

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
def test_every_kind_is_a_class_that_pickles_and_shows_its_message(
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
        leafmint.SegmentGenerator(UNREACHABLE, timeout=20) as ids,
        pytest.raises(TimeoutError, match=r"within 2s .*last error") as raised,
    ):
        ids.biz_tag("order").next_id(timeout=2)
    assert raised.type is leafmint.SegmentUnavailableError
    assert raised.value.retryable  # type: ignore[attr-defined]
