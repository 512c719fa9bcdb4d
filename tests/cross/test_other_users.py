"""Another user of the host gets none of our ids, changes no file and, with default permissions, stops no process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from minting_process import Nonstop, check, worker_of
from programs import kill, start

OWNER, NEIGHBOUR = 65534, 65533
"""Two users that permissions apply to. The programs switch to them once everything is loaded."""

MOST_MEMORY = 300 * 1024
"""In KiB: a process with leafmint has less than a third of that."""


@pytest.fixture(autouse=True)
def only_root_can_be_others() -> None:
    if os.geteuid() != 0:
        assert not os.environ.get("CI"), "these tests need root"
        pytest.skip("needs root, to run programs as two other users")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A directory that belongs to the owner and that any user may read."""
    with tempfile.TemporaryDirectory() as name:
        os.chown(name, OWNER, OWNER)
        Path(name).chmod(0o755)
        yield Path(name)


def neighbour(script: str, *arguments: object, group: int = NEIGHBOUR) -> subprocess.Popen[str]:
    """Runs a script as the other user, and waits until it reports that it is done."""
    become = "import fcntl, os, socket, stat, sys\n"
    become += f"os.setgroups([]); os.setgid({group}); os.setuid({NEIGHBOUR}); os.umask(0)\n"
    end = "\nprint('done', flush=True)\nsys.stdin.read()\n"
    process = start([sys.executable, "-c", become + textwrap.dedent(script) + end], *arguments)
    assert process.stdout
    assert process.stdout.readline() == "done\n", process.communicate()
    return process


def make(directory: Path, user: int, mode: int) -> Path:
    """Makes a directory of a user."""
    directory.mkdir()
    os.chown(directory, user, user)
    directory.chmod(mode)
    return directory


def refusal(url: str, user: int = OWNER) -> str:
    """Starts a process that must be refused, within seconds and without filling the memory. Returns why."""
    began = time.monotonic()
    guest = Nonstop(url, str(user))
    error = guest.wait_for("error")
    assert time.monotonic() - began < 30
    status = Path(f"/proc/{guest.process.pid}/status").read_text()
    assert int(status.split("VmHWM:")[1].split()[0]) < MOST_MEMORY
    assert guest.end() == []
    return error


def test_two_users_with_one_fixed_worker_id_never_mint_at_the_same_time(folder: Path) -> None:
    namespace = uuid.uuid4().hex
    # Neither user may be able to replace the other's directory.
    os.chown(folder, 0, 0)
    urls = [
        f"fixed:7?namespace={namespace}&state_dir={make(folder / str(user), user, 0o700)}"
        for user in (OWNER, NEIGHBOUR)
    ]
    owner = Nonstop(urls[0], str(OWNER))
    owner.wait_for("ids")
    other = Nonstop(urls[1], str(NEIGHBOUR))
    error = other.wait_for("error")
    assert "worker_id_unavailable" in error
    assert f"process {owner.process.pid} of user {OWNER}" in error
    owner.wait_for("ids")
    assert other.ids() == []
    minted = owner.crash()
    other.wait_for("ids")
    check(minted, other.end())


def test_another_user_that_binds_the_name_of_a_fixed_worker_id_is_named_in_the_error(folder: Path) -> None:
    namespace = uuid.uuid4().hex
    script = """
        taken = socket.socket(socket.AF_UNIX)
        taken.bind(b"\\0leafmint/fixed/" + sys.argv[1].encode() + b"/7")
        if sys.argv[2] == "listening":
            taken.listen()
    """
    url = f"fixed:7?namespace={namespace}&state_dir={make(folder / 'state', OWNER, 0o700)}"
    for manner, who in (("listening", f"of user {NEIGHBOUR}"), ("silent", "an unknown process")):
        squatter = neighbour(script, namespace, manner)
        error = refusal(url)
        assert "worker_id_unavailable" in error
        assert who in error
        kill(squatter)
    guest = Nonstop(url, str(OWNER))
    guest.wait_for("ids")
    check(guest.end())


def test_with_default_permissions_another_user_cannot_open_lock_or_replace_files(folder: Path) -> None:
    url = f"local:{folder}/ids?workers=7-8"
    owner = Nonstop(url, str(OWNER))
    owner.wait_for("ids")
    script = """
        directory = sys.argv[1] + "/ids/default"
        attempts = [lambda path=sys.argv[1] + "/ids": os.listdir(path), lambda: os.listdir(directory)]
        for name in ("layout", "7.lock", "7.state", "8.lock", "8.state"):
            path = directory + "/" + name
            attempts += [
                lambda path=path: fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX),
                lambda path=path: os.open(path, os.O_WRONLY | os.O_CREAT),
                lambda path=path: os.rename(path, sys.argv[1] + "/taken"),
                lambda path=path: os.unlink(path),
                lambda path=path: os.symlink("/dev/zero", path),
                lambda path=path: os.mkfifo(path),
                lambda path=path: os.link(path, sys.argv[1] + "/linked"),
            ]
        attempts += [lambda: os.rename(sys.argv[1] + "/ids", sys.argv[1] + "/moved")]
        for attempt in attempts:
            try:
                attempt()
            except PermissionError:
                continue
            sys.exit("an attempt succeeded")
    """
    neighbour(script, folder)
    assert "invalid_config" in refusal(url, NEIGHBOUR), "the same URL gives a neighbour nothing"
    second = Nonstop(url, str(OWNER))
    second.wait_for("ids")
    owner.wait_for("ids")
    ids = [owner.end(), second.end()]
    check(*ids)
    assert [worker_of(own[0]) for own in ids] == [7, 8]
    assert owner.errors() == []


def test_a_directory_prepared_by_another_user_is_refused(folder: Path) -> None:
    folder.chmod(0o1777)
    precious = folder / "precious"
    precious.write_text("ours")
    os.chown(precious, OWNER, OWNER)
    script = """
        for mode in sys.argv[2:]:
            outer = f"{sys.argv[1]}/{mode}"
            os.mkdir(outer)
            if mode != "777 outside":
                os.mkdir(f"{outer}/default")
                for name in ("layout", "7.lock", "7.state"):
                    os.symlink(f"{sys.argv[1]}/precious", f"{outer}/default/{name}")
                os.chmod(f"{outer}/default", int(mode, 8))
    """
    modes = ["755", "777", "777 outside"]
    neighbour(script, folder, *modes)
    for mode in modes:
        for user in (0, OWNER):
            assert "invalid_config" in refusal(f"local:{folder}/{mode}?workers=7", user), (mode, user)
    assert precious.read_text() == "ours"


PLANTED = {
    "a FIFO": "os.mkfifo(path)",
    "a link to an endless device": "os.symlink('/dev/zero', path)",
    "a file of 64 GB": "os.truncate(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), 1 << 36)",
}


@pytest.mark.parametrize("planted", PLANTED)
def test_files_planted_in_a_shared_directory_neither_block_nor_fill_the_memory(folder: Path, planted: str) -> None:
    """Members of the group are trusted with uniqueness; no other process hangs or grows for it."""
    for name in ("layout", "7.lock", "7.state"):
        make(folder / name, OWNER, 0o755)
        directory = make(folder / name / "default", OWNER, 0o2770)
        path = directory / name
        neighbour(f"path = sys.argv[1]\n{PLANTED[planted]}", path, group=OWNER)
        error = refusal(f"local:{folder / name}?workers=7&timeout=2s")
        assert "7." in error or "layout" in error, error
        assert len(error) < 5000
