"""A directory that is full or read-only does not stop the owner of a worker id, and is a named error at a start."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from holders import HOLDERS, LONGER_THAN_RESERVED, HolderUrl, state_file
from minting_process import Nonstop, check

NOBODY = "65534"


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_directory_that_becomes_read_only_does_not_stop_its_owner(
    holder_url: HolderUrl, folder: Path, holder: str
) -> None:
    directory = folder / "state"
    directory.mkdir()
    user = as_another_user(folder, directory)
    owner = Nonstop(holder_url(holder, directory), user)
    owner.wait_for("ids")
    inner = state_file(directory).parent
    inner.chmod(0o555)
    time.sleep(LONGER_THAN_RESERVED)
    owner.wait_for("ids")
    inner.chmod(0o755)
    check(owner.end())
    assert owner.errors() == []


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_read_only_directory_is_a_named_error_at_the_start(holder_url: HolderUrl, folder: Path, holder: str) -> None:
    directory = folder / "state"
    directory.mkdir()
    user = as_another_user(folder, directory)
    directory.chmod(0o555)
    guest = Nonstop(holder_url(holder, directory), user)
    error = guest.wait_for("error")
    assert "invalid_config" in error
    assert str(directory) in error
    assert guest.end() == []


def as_another_user(folder: Path, directory: Path) -> str:
    """Gives the directories to a user that permissions apply to, and returns that user."""
    if os.geteuid() != 0:
        return ""
    for path in (folder, directory):
        os.chown(path, int(NOBODY), int(NOBODY))
    return NOBODY


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_disk_that_fills_up_does_not_stop_an_owner(holder_url: HolderUrl, folder: Path, holder: str) -> None:
    directory, full = folder / "state", folder / "full"
    owner = Nonstop(holder_url(holder, directory), within=on_a_small_disk(directory, full))
    owner.wait_for("ids")
    full.touch()
    time.sleep(LONGER_THAN_RESERVED)
    owner.wait_for("ids")
    check(owner.end())
    assert owner.errors() == []


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_full_disk_is_a_named_error_at_the_start_until_there_is_room(
    holder_url: HolderUrl, folder: Path, holder: str
) -> None:
    directory, full = folder / "state", folder / "full"
    full.touch()
    guest = Nonstop(holder_url(holder, directory), within=on_a_small_disk(directory, full))
    error = guest.wait_for("error")
    assert "store_unavailable" in error
    assert "the disk is full" in error
    assert guest.ids() == []
    full.unlink()
    guest.wait_for("ids")
    check(guest.end())


FILL = """
import os, sys, time
from pathlib import Path
import leafmint

directory, full = sys.argv[1], Path(sys.argv[2])

def fill():
    try:
        return flakes.decode(flakes.backfill(at=1577836800000)).worker_id
    except leafmint.LeafmintError as error:
        return error.code

def wait_until_room_is(there):
    end = time.monotonic() + 30
    while (os.statvfs(directory).f_bavail > 0) != there:
        assert time.monotonic() < end
        time.sleep(0.01)

with leafmint.SnowflakeGenerator(f"local:{directory}") as flakes:
    flakes.next_id()
    full.touch()
    wait_until_room_is(False)
    print(*(fill() for _ in range(3)))
    full.unlink()
    wait_until_room_is(True)
    print(fill(), *(worker.worker_id for worker in flakes.list_workers()))
"""


def test_a_full_disk_uses_up_no_worker_id_for_the_past(folder: Path) -> None:
    directory, full = folder / "state", folder / "full"
    command = [*on_a_small_disk(directory, full), sys.executable, "-c", FILL, str(directory), str(full)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.splitlines() == [" ".join(3 * ["store_unavailable"]), "1023 0 1023"]


SECOND_START = """
import logging, os, sys, time
from pathlib import Path
import leafmint

url, directory, full = sys.argv[1], sys.argv[2], Path(sys.argv[3])
logging.basicConfig(stream=sys.stdout, format="%(message)s")

def wait_until_room_is(there):
    end = time.monotonic() + 30
    while (os.statvfs(directory).f_bavail > 0) != there:
        assert time.monotonic() < end
        time.sleep(0.01)

with leafmint.SnowflakeGenerator(url) as owner, leafmint.SnowflakeGenerator(url, timeout="5s") as second:
    owner.next_id()
    full.touch()
    wait_until_room_is(False)
    try:
        print(second.next_id())
    except leafmint.LeafmintError as error:
        print(error.code, len([*Path(directory).rglob("*.state")]), "state")
    full.unlink()
    wait_until_room_is(True)
    print(second.decode(second.next_id(timeout=60)).worker_id != owner.stats().worker_id)
"""


@pytest.mark.parametrize("holder", ["local", "mysql"])
def test_a_second_start_on_a_full_disk_leaves_no_damaged_state(
    holder_url: HolderUrl, folder: Path, holder: str
) -> None:
    directory, full = folder / "state", folder / "full"
    command = [*on_a_small_disk(directory, full), sys.executable, "-c", SECOND_START]
    command += [holder_url(holder, directory), str(directory), str(full)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    lines = [line for line in run.stdout.splitlines() if not line.startswith("lease_failed: ")]
    assert lines == ["store_unavailable 1 state", "True"], run.stdout
    assert run.stdout.count("lease_failed: ") == 1, run.stdout


START = """
import os, sys
import leafmint

directory = sys.argv[1]
with leafmint.SnowflakeGenerator(f"local:{directory}", timeout="3s") as flakes:
    try:
        flakes.next_id()
    except leafmint.LeafmintError as error:
        print(error.code, [name for name in os.listdir(f"{directory}/default") if name.endswith(".new")])
"""


def test_a_start_on_a_full_disk_leaves_no_file_behind(folder: Path) -> None:
    directory, full = folder / "state", folder / "full"
    full.touch()
    command = [*on_a_small_disk(directory, full), sys.executable, "-c", START, str(directory)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout == "store_unavailable []\n"


def on_a_small_disk(directory: Path, full: Path) -> tuple[str, ...]:
    """Returns a command prefix: the program gets a small disk of its own, which is full while a file exists."""
    directory.mkdir()
    script = f"""
        mount -t tmpfs -o size=128k none {directory} || exit 9
        fill() {{ [ -e {directory}/fill ] || cat /dev/zero 2>&- >{directory}/fill; }}
        [ ! -e {full} ] || fill
        exec 3<&0
        "$@" <&3 &
        guest=$!
        while kill -0 $guest 2>&-; do
            if [ -e {full} ]; then fill; else rm -f {directory}/fill; fi
            sleep 0.05
        done
        wait $guest
    """
    unshare = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--mount", "--map-root-user")
    return (*unshare, "sh", "-c", script, "sh")
