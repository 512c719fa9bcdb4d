"""The exceptions: their classes, codes and messages."""

import copy
import errno
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path

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
    assert (error.reason, error.server_code, error.options) == (None, None, ())
    error.reason, error.server_code, error.options = "denied", 1142, ("table",)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is kind
        assert (again.reason, again.server_code, again.options) == ("denied", 1142, ("table",))
    assert isinstance(error, (leafmint.LeafmintError, builtin))
    assert isinstance(error, builtin)
    assert (error.code, error.retryable) == (code, retryable)
    assert str(error) == str(again) == "what failed, and what to do"


def test_an_unknown_tag_is_a_key_error_with_a_readable_message(url: str) -> None:
    with (
        leafmint.SegmentGenerator(url, auto_create=False) as ids,
        pytest.raises(
            KeyError, match=r"^tag \"order\" is not in sqlite://.*: first run leafmint check --tag order,.*create_tag"
        ) as raised,
    ):
        ids.tag("order").next_id()
    assert raised.type is leafmint.UnknownTagError


def test_an_error_of_options_names_them() -> None:
    with pytest.raises(leafmint.InvalidConfigError) as raised:
        leafmint.SegmentGenerator("memory:", max_step=0, timeout="soon", default_step=10)
    assert raised.value.options == ("timeout", "max_step")
    with pytest.raises(leafmint.InvalidConfigError) as raised:
        leafmint.SegmentGenerator("oracle://host/database")
    assert (raised.value.reason, raised.value.options) == ("unserved_url", ())


def test_a_locked_file_has_its_reason_and_the_code_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "ids.db"
    with (
        leafmint.SegmentGenerator(f"sqlite:///{path}", timeout=0.2, connect_timeout=0.05) as ids,
        closing(sqlite3.connect(path)) as other,
    ):
        ids.init_schema()
        other.execute("BEGIN EXCLUSIVE")
        for _ in range(300):  # the file of a busy machine may not have answered yet
            with pytest.raises(leafmint.SegmentUnavailableError) as raised:
                ids.tag("order").next_id()
            if raised.value.reason is not None:
                break
    busy = 5  # sqlite3.SQLITE_BUSY from Python 3.11 on
    assert (raised.value.reason, raised.value.server_code) == ("locked", busy)
    cause = raised.value.__cause__
    assert isinstance(cause, leafmint.StoreUnavailableError)
    assert (cause.reason, cause.server_code, cause.__cause__) == ("locked", busy, None)


def test_a_store_that_cannot_be_reached_is_a_timeout_that_says_why() -> None:
    with (
        leafmint.SegmentGenerator(UNREACHABLE, timeout=20) as ids,
        pytest.raises(TimeoutError, match=r"within 2s .*last error") as raised,
    ):
        ids.tag("order").next_id(timeout=2)
    assert raised.type is leafmint.SegmentUnavailableError
    assert raised.value.retryable  # type: ignore[attr-defined]
    store = raised.value.__cause__
    assert isinstance(store, leafmint.StoreUnavailableError)
    assert str(store) in str(raised.value)
    system = store.__cause__
    assert isinstance(system, ConnectionRefusedError)
    assert system.errno == errno.ECONNREFUSED
