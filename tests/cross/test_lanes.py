"""Look-ups of host names, SQLite, and the files of worker ids do not wait for one another."""

from __future__ import annotations

import os
import socket
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import TOP, finish, start

SILENT = "127.53.53.53"
"""The address of a name server that never answers."""

GUEST = [sys.executable, str(TOP / "tests/cross/applications/mint_beside_waiters.py")]


@pytest.fixture
def silent_name_server() -> Iterator[None]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((SILENT, 53))
        yield


@pytest.mark.skipif(os.geteuid() != 0, reason="only root listens at the port of name servers, and mounts")
@pytest.mark.usefixtures("silent_name_server")
def test_heartbeats_go_on_while_tags_wait_for_a_name_server_that_is_silent(mysql_url: str, tmp_path: Path) -> None:
    resolver = tmp_path / "resolv.conf"
    resolver.write_text(f"nameserver {SILENT}\noptions timeout:30 attempts:3\n")
    mount = f'mount --bind {resolver} /etc/resolv.conf && exec "$@"'
    flakes = f"{mysql_url}?state_dir={tmp_path}&namespace={tmp_path.name}"
    tags = "mysql://app@database.silent:3306/app?connect_timeout=1s"
    guest = start(["unshare", "--mount", "sh", "-c", mount, "sh", *GUEST], flakes, tags, 9)
    summary = finish(guest, 180)
    assert summary == {"minted": True, "failed": [], "tags": ["segment_unavailable"]}


def test_heartbeats_go_on_while_tags_wait_for_a_locked_file(tmp_path: Path) -> None:
    file = tmp_path / "ids.db"
    with sqlite3.connect(file, isolation_level=None) as locker:
        locker.execute("BEGIN EXCLUSIVE")
        guest = start(GUEST, f"local:{tmp_path / 'workers'}", f"sqlite:///{file}?connect_timeout=20s", 9)
        summary = finish(guest, 180)
    assert summary == {"minted": True, "failed": [], "tags": ["segment_unavailable"]}
