"""Damage to the files of a worker id causes a named error or a safe continuation, and never a duplicate."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import leafmint
import pytest
from packages import need
from programs import TOP, kill, start

HOLDERS = ["local", "fixed", "mysql"]
SECONDS = 30
LONGER_THAN_RESERVED = 5
"""Seconds."""
NOBODY = "65534"

Url = Callable[[str, Path], str]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A directory that any user may look into."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def url(mysql_url: str) -> Url:
    """Returns where a holder keeps its files, with the worker id 7 and, in a pool, two more."""
    namespace = uuid.uuid4().hex

    def url(holder: str, directory: Path) -> str:
        timing = "timeout=20s"
        return {
            "local": f"local:///{directory}?workers=7-9&{timing}",
            "fixed": f"fixed:7?state_dir={directory}&namespace={namespace}&{timing}",
            "mysql": f"{mysql_url}?state_dir={directory}&namespace={namespace}&workers=7-9&{timing}",
        }[holder]

    return url


@pytest.fixture(autouse=True)
def end_of_guests() -> Iterator[None]:
    """Ends every process, however a test ends."""
    yield
    while RUNNING:
        kill(RUNNING.pop())


RUNNING: list[subprocess.Popen[str]] = []


class Guest:
    """A process that mints all the time."""

    def __init__(self, url: str, folder: Path, user: str = "", within: tuple[str, ...] = ()) -> None:
        self.file = folder / f"told-{uuid.uuid4().hex}"
        script = str(TOP / "tests/cross/applications/keep_minting.py")
        self.process = start([*within, sys.executable, script], url, self.file, user)
        RUNNING.append(self.process)

    def told(self) -> list[str]:
        """Returns its reports so far."""
        return self.file.read_text().splitlines() if self.file.exists() else []

    def ids(self) -> list[int]:
        return [int(line.split()[1]) for line in self.told() if line.startswith("id ")]

    def errors(self) -> list[str]:
        return [line for line in self.told() if line.startswith("error ")]

    def wait_for(self, kind: str) -> str:
        """Waits for a report of a new kind, and returns it."""
        before, deadline = len(self.told()), time.monotonic() + SECONDS
        while True:
            new = [line for line in self.told()[before:] if line.startswith(kind)]
            if new:
                return new[0]
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline, f"no {kind}: {self.told()[-3:]}"
            time.sleep(0.01)

    def crash(self) -> list[int]:
        kill(self.process)
        return self.ids()

    def end(self) -> list[int]:
        _, errors = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, errors
        return self.ids()


def worker(number: int) -> int:
    return leafmint.Layout().decode(number).worker_id


def check(*guests: list[int]) -> None:
    """Checks that no id was minted twice, and that each process's increase."""
    every = [number for ids in guests for number in ids]
    assert len(set(every)) == len(every) > 0
    for ids in guests:
        assert ids == sorted(ids)


def state_file(directory: Path) -> Path:
    (file,) = directory.glob("*/7.state")
    return file


DAMAGES: dict[str, Callable[[Path], object]] = {
    "truncated": lambda file: os.truncate(file, file.stat().st_size // 2),
    "empty": lambda file: os.truncate(file, 0),
    "garbage": lambda file: file.write_bytes(os.urandom(200)),
    "deleted": lambda file: file.unlink(),
    "of another host": lambda file: file.write_text(file.read_text().replace("\nowner ", "\nowner elsewhere ")),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("holder", HOLDERS)
def test_a_damaged_state_file_after_a_crash_costs_a_wait_or_another_worker_id(
    url: Url, folder: Path, holder: str, damage: str
) -> None:
    directory = folder / "state"
    first = Guest(url(holder, directory), folder)
    first.wait_for("id")
    before = first.crash()
    DAMAGES[damage](state_file(directory))
    second = Guest(url(holder, directory), folder)
    second.wait_for("id")
    after = second.end()
    check(before, after)
    if holder == "mysql":
        assert worker(after[0]) == 8, "the row of 7 is reserved for another ten minutes"


@pytest.mark.parametrize("holder", HOLDERS)
def test_files_of_another_layout_are_refused(url: Url, folder: Path, holder: str) -> None:
    first = Guest(url(holder, folder / "state"), folder)
    first.wait_for("id")
    second = Guest(url(holder, folder / "state") + "&layout=wide", folder)
    assert "invalid_config" in second.wait_for("error")
    second.end()
    check(first.end())


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_state_file_deleted_under_its_owner_is_written_again(url: Url, folder: Path, holder: str) -> None:
    owner = Guest(url(holder, folder / "state"), folder)
    owner.wait_for("id")
    file = state_file(folder / "state")
    file.unlink()
    for _ in range(100):
        owner.wait_for("id")
        if file.exists():
            break
        time.sleep(0.05)
    assert file.exists()
    before = owner.crash()
    second = Guest(url(holder, folder / "state"), folder)
    second.wait_for("id")
    check(before, second.end())
    assert owner.errors() == []


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_directory_deleted_under_its_owner_costs_the_lease_which_is_replaced(
    url: Url, folder: Path, holder: str
) -> None:
    owner = Guest(url(holder, folder / "state"), folder)
    owner.wait_for("id")
    # At one blow: the owner writes into it meanwhile.
    (folder / "state").rename(folder / "deleted")
    shutil.rmtree(folder / "deleted", ignore_errors=True)
    deadline = time.monotonic() + SECONDS
    while not list(folder.glob("state/*/*.lock")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    owner.wait_for("id")
    if holder == "fixed":
        check(owner.end())
        return
    second = Guest(url(holder, folder / "state"), folder)
    second.wait_for("id")
    check(owner.end(), second.end())


@pytest.mark.parametrize("holder", HOLDERS)
def test_two_processes_on_one_directory_never_share_a_worker_id(url: Url, folder: Path, holder: str) -> None:
    first, second = (Guest(url(holder, folder / "state"), folder) for _ in range(2))
    if holder == "fixed":
        winner, loser = (first, second) if first_to_mint(first, second) else (second, first)
        assert "worker_id_unavailable" in loser.wait_for("error")
        assert loser.end() == []
        check(winner.end())
        return
    for guest in (first, second):
        guest.wait_for("id")
    ids = [guest.end() for guest in (first, second)]
    check(*ids)
    assert {worker(own[0]) for own in ids} == {7, 8}


def first_to_mint(first: Guest, second: Guest) -> bool:
    deadline = time.monotonic() + SECONDS
    while not first.ids() and not second.ids():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return bool(first.ids())


@pytest.mark.parametrize("alive", ["while its owner lives", "after a crash"])
@pytest.mark.parametrize("holder", HOLDERS)
def test_a_copied_directory_does_not_give_the_worker_id_of_the_original(
    url: Url, folder: Path, holder: str, alive: str
) -> None:
    owner = Guest(url(holder, folder / "state"), folder)
    owner.wait_for("id")
    if alive == "after a crash":
        owner.crash()
    subprocess.run(["cp", "-a", str(folder / "state"), str(folder / "copy")], check=True)
    second = Guest(url(holder, folder / "copy"), folder)
    if holder == "mysql":
        second.wait_for("id")
        time.sleep(1)
        ids = second.end()
        assert worker(ids[0]) == 8
        check(owner.crash(), ids)
    else:
        error = second.wait_for("error")
        assert "invalid_config" in error
        assert "was copied from another directory" in error
        assert second.end() == []
        state_file(folder / "copy").unlink()
        third = Guest(url(holder, folder / "copy"), folder)
        if alive == "after a crash":
            third.wait_for("id")
            check(owner.ids(), third.end())
        kill(third.process)
    kill(owner.process)


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_directory_that_becomes_read_only_does_not_stop_its_owner(url: Url, folder: Path, holder: str) -> None:
    directory = folder / "state"
    directory.mkdir()
    user = as_another_user(folder, directory)
    owner = Guest(url(holder, directory), folder, user)
    owner.wait_for("id")
    inner = state_file(directory).parent
    inner.chmod(0o555)
    time.sleep(LONGER_THAN_RESERVED)
    owner.wait_for("id")
    inner.chmod(0o755)
    check(owner.end())
    assert owner.errors() == []


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_read_only_directory_is_a_named_error_at_the_start(url: Url, folder: Path, holder: str) -> None:
    directory = folder / "state"
    directory.mkdir()
    user = as_another_user(folder, directory)
    directory.chmod(0o555)
    guest = Guest(url(holder, directory), folder, user)
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
def test_a_disk_that_fills_up_does_not_stop_an_owner(url: Url, folder: Path, holder: str) -> None:
    directory, full = folder / "state", folder / "full"
    owner = Guest(url(holder, directory), folder, within=on_a_small_disk(directory, full))
    owner.wait_for("id")
    full.touch()
    time.sleep(LONGER_THAN_RESERVED)
    owner.wait_for("id")
    check(owner.end())
    assert owner.errors() == []


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_full_disk_is_a_named_error_at_the_start_until_there_is_room(url: Url, folder: Path, holder: str) -> None:
    directory, full = folder / "state", folder / "full"
    full.touch()
    guest = Guest(url(holder, directory), folder, within=on_a_small_disk(directory, full))
    error = guest.wait_for("error")
    assert "store_unavailable" in error
    assert "the disk is full" in error
    assert guest.ids() == []
    full.unlink()
    guest.wait_for("id")
    check(guest.end())


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


@pytest.mark.parametrize("holder", HOLDERS)
def test_removing_lock_files_while_a_start_waits_frees_no_worker_id(url: Url, folder: Path, holder: str) -> None:
    # As an entrypoint with `rm -f *.lock` does.
    only = url(holder, folder / "state").replace("7-9", "7")
    crashed = Guest(only, folder)
    crashed.wait_for("id")
    before = crashed.crash()
    guests = [Guest(only, folder)]
    lock = state_file(folder / "state").with_suffix(".lock")
    wait_until_locked(lock)
    lock.unlink()
    guests.append(Guest(only, folder))
    first_to_mint(*guests)
    time.sleep(LONGER_THAN_RESERVED)
    ids = [guest.crash() for guest in guests]
    check(before, *ids)


def wait_until_locked(path: Path) -> None:
    """Waits until some process has locked a file."""
    inode, deadline = f":{path.stat().st_ino} ", time.monotonic() + SECONDS
    while inode not in Path("/proc/locks").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.001)


COPIES = {
    "cp": "cp -a one/state two/",
    "tar": "tar -C one -c state | tar -C two -x",
    "rsync": "rsync -a one/state two/",
}


@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize("holder", HOLDERS)
def test_a_copy_on_a_fresh_volume_with_the_same_inode_numbers_does_not_give_the_worker_id(
    url: Url, folder: Path, holder: str, copy: str
) -> None:
    need([copy], [copy], "")
    with mounted(folder / "one", "-t", "tmpfs", "none"), mounted(folder / "two", "-t", "tmpfs", "none"):
        owner = Guest(url(holder, folder / "one/state"), folder)
        owner.wait_for("id")
        subprocess.run(COPIES[copy], shell=True, check=True, cwd=folder)
        original, copied = (state_file(folder / volume / "state").parent for volume in ("one", "two"))
        assert original.stat().st_ino == copied.stat().st_ino
        refused_or_another_worker_id(
            holder, Guest(url(holder, folder / "two/state"), folder), owner, "was copied from another"
        )
        owner.crash()


@pytest.mark.parametrize("alive", ["while its owner lives", "after a crash"])
@pytest.mark.parametrize("holder", HOLDERS)
def test_a_cloned_image_mounted_next_to_the_original_does_not_give_its_worker_id(
    url: Url, folder: Path, holder: str, alive: str
) -> None:
    need(["mkfs.ext4"], ["e2fsprogs"], "")
    one, two = folder / "one.img", folder / "two.img"
    subprocess.run(["truncate", "--size=16M", one], check=True)
    subprocess.run(["mkfs.ext4", "-q", one], check=True)
    with mounted(folder / "one", "-o", "loop", str(one)):
        owner = Guest(url(holder, folder / "one/state"), folder)
        owner.wait_for("id")
        if alive == "after a crash":
            owner.crash()
        subprocess.run(["sync", "--file-system", folder / "one"], check=True)
        shutil.copy(one, two)
        with mounted(folder / "two", "-o", "loop", str(two)):
            clone = Guest(url(holder, folder / "two/state"), folder)
            refused_or_another_worker_id(holder, clone, owner, "was copied with its volume")
            before = owner.crash()
            again = Guest(url(holder, folder / "one/state"), folder)
            again.wait_for("id")
            after = again.crash()
    # The original alone, mounted anew.
    with mounted(folder / "one", "-o", "loop", str(one)):
        last = Guest(url(holder, folder / "one/state"), folder)
        last.wait_for("id")
        check(before, after, clone.ids(), last.end()) if clone.ids() else check(before, after, last.end())


def refused_or_another_worker_id(holder: str, guest: Guest, owner: Guest, why: str) -> None:
    """Checks that a process on a copied directory mints nothing, or with another worker id if it uses a database."""
    if holder == "mysql":
        guest.wait_for("id")
        time.sleep(1)
        ids = guest.end()
        assert {worker(number) for number in ids} == {8}
        check(owner.ids(), ids)
    else:
        error = guest.wait_for("error")
        assert "invalid_config" in error
        assert why in error
        assert guest.end() == []


@contextmanager
def mounted(point: Path, *what: str) -> Iterator[None]:
    """Mounts a volume while it is needed."""
    point.mkdir(exist_ok=True)
    subprocess.run(["mount", *what, point], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", point], check=True)
