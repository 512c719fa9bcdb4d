"""The helpers that tests import."""

import copy
import itertools
import json
import pickle
import re
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import leafmint
import pytest

T = TypeVar("T")

VECTORS = Path(__file__).parents[2] / "tests" / "vectors"

UNREACHABLE = "mysql://root:s3ntinel@127.0.0.1:1/leafmint"
"""No server listens there. The password must never appear in a message."""

SENTINEL = "s3ntinel"

SECRETS = [
    "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef",
    "6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819",
]
"""Secrets of keys of public ids, in hexadecimal. No part of one must appear in a message."""

KEYS = [f"lmk{number}_{secret}" for number, secret in enumerate(SECRETS)]
"""Keys of public ids."""


def shows_a_key(text: str) -> bool:
    """Return whether a text has eight characters of a secret, as digits or as bytes."""
    shown = [form for secret in SECRETS for form in (secret, repr(bytes.fromhex(secret)), str(int(secret, 16)))]
    return any(form[at : at + 8] in text for form in shown for at in range(len(form) - 7))


def pickled(value: Any, protocol: int) -> Any:
    """Return the value that a pickle of this one makes."""
    return pickle.loads(pickle.dumps(value, protocol))


DUPLICATES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, *(partial(pickled, protocol=i) for i in range(6))]
"""Every way to copy a value."""


def vector(name: str) -> Any:
    """Read a file of test cases that all languages share."""
    return json.loads((VECTORS / f"{name}.json").read_text())


def rows(url: str) -> list[tuple[Any, ...]]:
    """Return the rows in the table of a SQLite store."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    try:
        return connection.execute("SELECT biz_tag, max_id, step, description FROM leaf_alloc").fetchall()
    finally:
        connection.close()


def in_threads(count: int, work: Callable[[], T]) -> list[T]:
    """Run the same work in several threads that start together, and return the result of each."""
    results: list[T] = []
    errors: list[BaseException] = []
    barrier = threading.Barrier(count)

    def run() -> None:
        barrier.wait()
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]
    return results


def unavailable(call: Callable[..., object], problem: str) -> leafmint.SegmentUnavailableError:
    """Return the error of a call that names a problem; on a busy machine calls may end before the problem is known."""
    deadline = time.monotonic() + 60
    while True:
        with pytest.raises(leafmint.SegmentUnavailableError) as raised:
            call(timeout=0.5)
        if re.search(problem, str(raised.value)):
            return raised.value
        assert time.monotonic() < deadline, raised.value


def assert_close_ends_minting(close: Callable[[], None], draw: Callable[[], int]) -> None:
    """Close while eight threads mint: each ends with `ClosedError`, and no id repeats."""
    minting = threading.Event()

    def close_while_minting() -> None:
        assert minting.wait(60)
        time.sleep(0.1)
        close()

    def mint() -> list[int]:
        drawn: list[int] = []
        try:
            while True:
                drawn.append(draw())
                minting.set()
        except leafmint.ClosedError:
            return drawn

    closer = threading.Thread(target=close_while_minting)
    closer.start()
    drawn = list(itertools.chain.from_iterable(in_threads(8, mint)))
    closer.join()
    assert len(set(drawn)) == len(drawn) > 0


def start_python(script: str, *arguments: str, stdin: int | None = None) -> "subprocess.Popen[str]":
    """Start a script in a new interpreter, with warnings as errors."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments]
    # A process that a shell starts in the background ignores Ctrl-C, and its children inherit that.
    listen = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=stdin, stdout=pipe, stderr=pipe, text=True, preexec_fn=listen)


def run_python(script: str, *arguments: str, seconds: float = 300) -> str:
    """Run a script in a new interpreter, and return its output. A script that hangs is killed after `seconds`."""
    process = start_python(script, *arguments)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    assert process.returncode == 0, err
    return out


LOCKER = """
    import sqlite3, sys, time
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    print("locked", flush=True)
    sys.stdin.readline()
    connection.execute("ROLLBACK")
    print(time.monotonic(), flush=True)
"""


class LockedFile:
    """A SQLite store that another process has locked."""

    def __init__(self, url: str) -> None:
        with leafmint.SegmentGenerator(url) as ids:
            ids.init_schema()
        self._process = start_python(LOCKER, url.removeprefix("sqlite:///"), stdin=subprocess.PIPE)
        assert self._process.stdout
        assert self._process.stdout.readline() == "locked\n"

    def unlock(self) -> None:
        """Let the other process unlock the file. Does not wait for it."""
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def unlocked_at(self) -> float:
        """Return when the file was unlocked, by `time.monotonic`."""
        out, err = self._process.communicate(timeout=60)
        assert out, err
        return float(out)

    def __enter__(self) -> "LockedFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


class Counted:
    """Counts the calls that mint from a tag or a series."""

    def __init__(self, source: Any) -> None:
        """Wrap a tag or a series."""
        self.source = source
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        """Return a method that is counted, or what else the source has of that name."""
        if not callable(getattr(self.source, name)):
            return getattr(self.source, name)

        def call(*arguments: object, **options: object) -> Any:
            self.calls.append(name)
            return getattr(self.source, name)(*arguments, **options)

        return call


def figures_of(stats: leafmint.TagStats | leafmint.SnowflakeStats) -> list[str]:
    """Return the names of figures that every language has, in the order of the fields."""
    return [field.name for field in fields(stats)]
