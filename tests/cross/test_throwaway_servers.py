"""A throwaway server that does not come up leaves neither a process nor a folder behind."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import throwaway
from mariadb import MariaDb
from postgresql import PostgreSql
from throwaway import Throwaway


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that holds the data of servers, which also the user of a server can read."""
    with tempfile.TemporaryDirectory(prefix="leafmint-throwaway-") as name:
        Path(name).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)


def mentions(folder: Path) -> list[str]:
    """Lists the command lines of all processes that name a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in words:
            found.append(words)
    return found


@pytest.mark.parametrize(
    "start",
    [lambda: MariaDb("--socket=elsewhere"), lambda: PostgreSql("unix_socket_directories=")],
    ids=["mariadb", "postgres"],
)
def test_a_server_that_never_answers_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, start: Callable[[], Throwaway]
) -> None:
    monkeypatch.setattr(throwaway, "START_SECONDS", 1)

    with pytest.raises(RuntimeError, match="did not start"):
        start()

    assert (list(folder.iterdir()), mentions(folder)) == ([], [])
