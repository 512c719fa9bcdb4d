"""Credentials that rotate: a callable is asked for user and password of each new connection."""

import time
import uuid
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import leafmint
import pytest
from account import Account
from testing import SENTINEL, run_python, unavailable

Login = namedtuple("Login", ["user", "password"])


@pytest.fixture
def account(mysql_url: str) -> Iterator[Account]:
    account = Account(mysql_url)
    yield account
    account.drop()


@pytest.fixture
def rotating(server_url: str) -> Iterator[Account]:
    """Return an account of each kind of server."""
    account = Account(server_url)
    yield account
    account.drop()


@pytest.fixture
def tag() -> str:
    return f"py-{uuid.uuid4()}"


def segments(account: Account, supplier: Any, **options: Any) -> leafmint.SegmentGenerator:
    """Open a generator whose segments last for ten ids."""
    return leafmint.SegmentGenerator(
        account.url, credentials=supplier, auto_create=True, default_step=10, max_step=10, **options
    )


def test_segments_are_leased_through_rotations_of_the_password(
    rotating: Account, tag: str, caplog: pytest.LogCaptureFixture
) -> None:
    with segments(rotating, rotating, timeout=30) as ids:
        assert rotating.asked == 0
        order = ids.tag(tag)
        for _ in range(3):
            assert len(order.next_ids(100)) == 100
            rotating.rotate()
        assert len(order.next_ids(100)) == 100
        assert rotating.asked >= 4
        texts = [repr(ids), repr(order), str(ids.stats()), ids.scope, caplog.text]
    assert not [text for text in texts if SENTINEL in text]


def test_a_worker_id_is_kept_through_a_rotation_of_the_password(account: Account, tag: str) -> None:
    with leafmint.SnowflakeGenerator(
        account.url,
        credentials=account,
        namespace=tag,
        auto_create=True,
        heartbeat=0.05,
        lease_duration=5,
        state_files=False,
        timeout=30,
        eager=True,
    ) as flakes:
        worker, asked = flakes.worker_id, account.asked
        account.rotate()
        until = time.monotonic() + 30
        while account.asked == asked and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(5.5)
        assert flakes.decode(flakes.next_id()).worker_id == worker


def test_a_supplier_that_raises_is_a_named_error_and_is_asked_again(account: Account, tag: str) -> None:
    sealed = True

    def supplier() -> tuple[str, str]:
        if sealed:
            raise KeyError("the vault is\nsealed")
        return account()

    with segments(account, supplier) as ids:
        order = ids.tag(tag)
        unavailable(order.next_id, r"the credentials supplier failed: KeyError: 'the vault is\\nsealed'")
        sealed = False
        assert order.next_id(timeout=30) > 0


def test_a_supplier_that_hangs_costs_an_attempt_connect_timeout(account: Account, tag: str) -> None:
    hangs = True

    def supplier() -> tuple[str, str]:
        while hangs:
            time.sleep(0.01)
        return account()

    with segments(account, supplier, connect_timeout=1) as ids:
        order, began = ids.tag(tag), time.monotonic()
        unavailable(order.next_id, "no answer within connect_timeout=1s")
        assert time.monotonic() - began < 10
        hangs = False
        assert order.next_id(timeout=30) > 0


async def coroutine() -> tuple[str, str]:
    return "shop", "s3ntinel"


@pytest.mark.parametrize(
    ("supplied", "problem"),
    [
        (lambda: None, "it returned None, not a tuple of user and password"),
        (lambda: "s3ntinel", "it returned a str, not a tuple"),
        (lambda: ("shop", b"s3ntinel"), r"it returned a tuple of \['str', 'bytes'\]"),
        (lambda: ("shop", "s3ntinel", "shop"), "it returned a tuple of"),
        (lambda: {"shop": "s3ntinel"}, "it returned a dict"),
        (lambda: ("shop", "s3ntinel\0"), "the password holds a NUL character"),
        (lambda: ("shop", "s3ntinel\ud800"), "the password holds a lone surrogate"),
        (lambda: ["shop", "s3ntinel"], "1045"),
        (lambda: Login("shop", "s3ntinel"), "1045"),
    ],
)
def test_what_no_server_takes_is_a_named_error_that_does_not_repeat_it(
    account: Account, tag: str, supplied: Callable[[], Any], problem: str
) -> None:
    with segments(account, supplied) as ids:
        error = unavailable(ids.tag(tag).next_id, problem)
        assert SENTINEL not in f"{error} {ids.stats()}"


@pytest.mark.filterwarnings("ignore:coroutine")
def test_a_coroutine_is_no_supplier(account: Account, tag: str) -> None:
    with segments(account, coroutine) as ids:
        unavailable(ids.tag(tag).next_id, "it returned a coroutine")


@pytest.mark.parametrize("kind", [leafmint.SegmentGenerator, leafmint.SnowflakeGenerator])
def test_a_supplier_is_a_callable_and_comes_without_a_password(kind: Any) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="credentials and password are both set") as raised:
        kind("mysql://host/db", credentials=lambda: ("shop", "pw"), password=SENTINEL)
    assert SENTINEL not in str(raised.value)
    with pytest.raises(leafmint.InvalidConfigError, match="credentials and username are both set"):
        kind("mysql://shop@host/db", credentials=lambda: ("shop", "pw"))
    with pytest.raises(leafmint.InvalidConfigError, match="credentials: a tuple is not a callable"):
        kind("mysql://host/db", credentials=("shop", SENTINEL))
    with pytest.raises(leafmint.InvalidConfigError, match="credentials cannot be text"):
        kind("mysql://host/db?credentials=vault")


PRELUDE = """
        import os, sys, time, leafmint
        sys.path.insert(0, sys.argv[5])
        from account import Account

        account = Account(sys.argv[1], (sys.argv[3], sys.argv[4]))
        ids = leafmint.SegmentGenerator(
            account.url, credentials=account, auto_create=True, default_step=10, max_step=10, timeout=20,
            connect_timeout=10,
        )
        order = ids.tag(sys.argv[2])
        print(order.next_id(), flush=True)
"""


def run(script: str, server_url: str, tag: str) -> list[str]:
    """Run a script with an account of its own, and return its output."""
    account = Account(server_url)
    try:
        folder = str(Path(__file__).parent)
        return run_python(PRELUDE + script, server_url, tag, *account(), folder).split()
    finally:
        account.drop()


def test_a_child_asks_right_after_the_fork(mysql_url: str, tag: str) -> None:
    script = """
        for _ in range(3):
            account.rotate()
            child = os.fork()
            if child == 0:
                minted = order.next_ids(20)
                os.write(1, f"{minted[0]} {account.asked}\\n".encode())
                os._exit(0)
            # The next rotation would lock a slow child out.
            assert os.waitpid(child, 0)[1] == 0
        ids.close()
        print("closed")
        """
    minted = run(script, mysql_url, tag)
    assert len(set(minted[:1] + minted[1:7:2])) == 4, minted
    assert minted[2:8:2] == ["2", "2", "2"], minted
    assert minted[-1] == "closed"


def test_a_generator_that_is_open_at_the_exit_gives_its_ids_back_over_a_new_connection(
    server_url: str, tag: str
) -> None:
    script = """
        account.rotate()
        """
    assert run(script, server_url, tag) == ["1"]
    assert run(script, server_url, tag) == ["2"]
