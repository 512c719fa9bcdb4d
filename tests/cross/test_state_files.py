"""Damage to the files of a worker id causes a named error or a safe continuation, and never a duplicate."""

from __future__ import annotations

import os
import shutil
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from holders import HOLDERS, LONGER_THAN_RESERVED, HolderUrl, state_file
from minting_process import SECONDS, Nonstop, check, worker_of
from programs import pairs

SLOT = 8192
"""The length of each of the two slots of a state file."""


def of_another_host(file: Path) -> None:
    """Writes another owner into a state file, with checksums that hold."""
    content = file.read_bytes()
    with file.open("r+b") as slots:
        for at in (0, SLOT):
            heading, text = content[at : at + SLOT].rstrip(b"\0").split(b"\n", 1)
            turn = int(heading.split()[1])
            text = text.replace(b"\nowner ", b"\nowner elsewhere ")
            slots.seek(at)
            slots.write(b"slot %d %08x\n" % (turn, zlib.crc32(turn.to_bytes(8, "little") + text)) + text)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "truncated": lambda file: os.truncate(file, file.stat().st_size // 2),
    "empty": lambda file: os.truncate(file, 0),
    "garbage": lambda file: file.write_bytes(os.urandom(200)),
    "deleted": lambda file: file.unlink(),
    "of another host": of_another_host,
}


@pytest.mark.parametrize(("holder", "damage"), pairs(HOLDERS, list(DAMAGES)))
def test_a_damaged_state_file_after_a_crash_costs_a_wait_or_another_worker_id(
    holder_url: HolderUrl, folder: Path, holder: str, damage: str
) -> None:
    directory = folder / "state"
    first = Nonstop(holder_url(holder, directory))
    first.wait_for("ids")
    before = first.crash()
    DAMAGES[damage](state_file(directory))
    second = Nonstop(holder_url(holder, directory))
    second.wait_for("ids")
    after = second.end()
    check(before, after)
    if holder == "mysql":
        assert worker_of(after[0]) == 8, "the row of 7 is reserved for another ten minutes"


@pytest.mark.parametrize("holder", HOLDERS)
def test_files_of_another_layout_are_refused(holder_url: HolderUrl, folder: Path, holder: str) -> None:
    first = Nonstop(holder_url(holder, folder / "state"))
    first.wait_for("ids")
    second = Nonstop(holder_url(holder, folder / "state") + "&layout=wide")
    assert "invalid_config" in second.wait_for("error")
    second.end()
    check(first.end())


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_state_file_deleted_under_its_owner_is_written_again(
    holder_url: HolderUrl, folder: Path, holder: str
) -> None:
    owner = Nonstop(holder_url(holder, folder / "state"))
    owner.wait_for("ids")
    file = state_file(folder / "state")
    file.unlink()
    deadline = time.monotonic() + SECONDS
    while not file.exists():
        assert time.monotonic() < deadline
        owner.wait_for("ids")
    before = owner.crash()
    second = Nonstop(holder_url(holder, folder / "state"))
    second.wait_for("ids")
    check(before, second.end())
    assert owner.errors() == []


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_directory_deleted_under_its_owner_is_not_made_again(
    holder_url: HolderUrl, folder: Path, holder: str
) -> None:
    owner = Nonstop(holder_url(holder, folder / "state"))
    owner.wait_for("ids")
    # A rename takes all files away at once, although the owner writes meanwhile.
    (folder / "state").rename(folder / "deleted")
    shutil.rmtree(folder / "deleted", ignore_errors=True)
    if holder == "mysql":
        wait_until_made(folder)
        owner.wait_for("ids")
        second = Nonstop(holder_url(holder, folder / "state"))
        second.wait_for("ids")
        check(owner.end(), second.end())
        return
    error = owner.wait_for("error")
    assert "store_unavailable" in error
    assert "restart this process" in error
    assert not (folder / "state").exists()
    restarted = Nonstop(holder_url(holder, folder / "state"))
    restarted.wait_for("ids")
    check(owner.end(), restarted.end())


@pytest.mark.parametrize("holder", HOLDERS)
def test_two_processes_on_one_directory_never_share_a_worker_id(
    holder_url: HolderUrl, folder: Path, holder: str
) -> None:
    first, second = (Nonstop(holder_url(holder, folder / "state")) for _ in range(2))
    if holder == "fixed":
        winner, loser = (first, second) if first_to_mint(first, second) else (second, first)
        assert "worker_id_unavailable" in loser.wait_for("error")
        assert loser.end() == []
        check(winner.end())
        return
    for guest in (first, second):
        guest.wait_for("ids")
    ids = [guest.end() for guest in (first, second)]
    check(*ids)
    assert {worker_of(own[0]) for own in ids} == {7, 8}


@pytest.mark.parametrize("holder", HOLDERS)
def test_removing_lock_files_while_a_start_waits_frees_no_worker_id(
    holder_url: HolderUrl, folder: Path, holder: str
) -> None:
    # Some containers' entrypoints run `rm -f *.lock`.
    only = holder_url(holder, folder / "state").replace("7-9", "7")
    crashed = Nonstop(only)
    crashed.wait_for("ids")
    before = crashed.crash()
    guests = [Nonstop(only)]
    lock = state_file(folder / "state").with_suffix(".lock")
    wait_until_locked(lock)
    lock.unlink()
    guests.append(Nonstop(only))
    first_to_mint(*guests)
    time.sleep(LONGER_THAN_RESERVED)
    ids = [guest.crash() for guest in guests]
    check(before, *ids)


def wait_until_made(folder: Path) -> None:
    """Waits until a process has made its directory again."""
    deadline = time.monotonic() + SECONDS
    while not list(folder.glob("state/*/*.lock")):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def wait_until_locked(path: Path) -> None:
    """Waits until some process has locked a file."""
    inode, deadline = f":{path.stat().st_ino} ", time.monotonic() + SECONDS
    while inode not in Path("/proc/locks").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def first_to_mint(first: Nonstop, second: Nonstop) -> bool:
    """Waits until one of two processes has minted, and returns whether the first one has."""
    deadline = time.monotonic() + SECONDS
    while not first.ids() and not second.ids():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return bool(first.ids())
