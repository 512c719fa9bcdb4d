"""What tests import by name."""

import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

UNREACHABLE = "mysql://root:s3ntinel@127.0.0.1:1/leafmint"
"""Nobody listens there; the password must never be seen again."""

SENTINEL = "s3ntinel"


def in_threads(count: int, work: Callable[[], T]) -> list[T]:
    """Run the same work in many threads that start together, and return what each returned."""
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


def start_python(script: str, *arguments: str) -> "subprocess.Popen[str]":
    """Start a script in an interpreter of its own; warnings are errors there too."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run_python(script: str, *arguments: str) -> str:
    """Run a script in an interpreter of its own, and return what it printed."""
    process = start_python(script, *arguments)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    return out
