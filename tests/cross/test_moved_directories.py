"""A directory that leaves its path under a running owner is never replaced by another one, and no id comes twice."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from holders import HOLDERS, HolderUrl
from minting_process import Nonstop, check
from programs import pairs

MOVES = {
    "renamed": "mv state moved",
    "renamed, with another in its place": "mv state moved && mkdir -m 700 state",
    "copied, with the copy in its place": "mv state moved && cp -a moved state",
    "replaced by a link to another": "mv state moved && mkdir -m 700 other && ln -s other state",
    "mounted elsewhere": "mkdir moved && mount --bind state moved && umount --lazy state",
    "hidden by another": "mkdir moved && mount --bind state moved && mount -t tmpfs none state",
}
"""What is done to the directory `state`, after which it is at `moved`."""


@pytest.mark.parametrize(("holder", "move"), pairs(HOLDERS, list(MOVES)))
def test_a_directory_that_is_moved_and_used_where_it_is_then_repeats_no_id(
    holder_url: HolderUrl, folder: Path, holder: str, move: str
) -> None:
    with_mounts = "mount" in MOVES[move]
    (folder / "state").mkdir(mode=0o700)
    if with_mounts:
        run("mount -t tmpfs none state", folder)
    try:
        owner = Nonstop(only(holder_url(holder, folder / "state")))
        owner.wait_for("ids")
        run(MOVES[move], folder)
        second = Nonstop(only(holder_url(holder, folder / "moved")))
        second.wait_for("ids")
        if holder != "mysql":
            error = owner.wait_for("error")
            assert "restart this process" in error, error
            assert list((folder / "state").glob("*/*.lock")) == [] or "copy" in move
        time.sleep(2)
        after = second.end()
        check(owner.crash(), after)
    finally:
        if with_mounts:
            run("umount --lazy moved state; umount --lazy state; true", folder)


def test_a_directory_that_is_back_is_used_again(holder_url: HolderUrl, folder: Path) -> None:
    owner = Nonstop(holder_url("local", folder / "state"))
    owner.wait_for("ids")
    (folder / "state").rename(folder / "moved")
    owner.wait_for("error")
    (folder / "moved").rename(folder / "state")
    owner.wait_for("ids")
    check(owner.end())


def test_a_link_to_the_directory_in_its_place_changes_nothing(holder_url: HolderUrl, folder: Path) -> None:
    owner = Nonstop(holder_url("local", folder / "state"))
    owner.wait_for("ids")
    (folder / "state").rename(folder / "moved")
    (folder / "state").symlink_to("moved")
    owner.wait_for("ids")
    time.sleep(2)
    owner.wait_for("ids")
    second = Nonstop(holder_url("local", folder / "moved"))
    second.wait_for("ids")
    check(owner.end(), second.end())


def only(url: str) -> str:
    """Returns the URL with one worker id, which the two processes cannot both have."""
    return url.replace("7-9", "7")


def run(command: str, folder: Path) -> None:
    """Runs a command of the shell in the folder."""
    subprocess.run(command, shell=True, check=True, cwd=folder, stderr=subprocess.PIPE)
