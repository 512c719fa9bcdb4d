"""A copy of the files of a worker id, or of their volume, never mints with the worker id of the original."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from holders import HOLDERS, HolderUrl, state_file
from minting_process import Nonstop, check, worker_of
from packages import need
from programs import pairs

ALIVE = ["while its owner lives", "after a crash"]


@pytest.mark.parametrize(("holder", "alive"), pairs(HOLDERS, ALIVE))
def test_a_copied_directory_does_not_give_the_worker_id_of_the_original(
    holder_url: HolderUrl, folder: Path, holder: str, alive: str
) -> None:
    owner = Nonstop(holder_url(holder, folder / "state"))
    owner.wait_for("ids")
    if alive == "after a crash":
        owner.crash()
    subprocess.run(["cp", "-a", str(folder / "state"), str(folder / "copy")], check=True)
    second = Nonstop(holder_url(holder, folder / "copy"))
    if holder == "mysql":
        second.wait_for("ids")
        time.sleep(1)
        ids = second.end()
        assert worker_of(ids[0]) == 8
        check(owner.crash(), ids)
    else:
        error = second.wait_for("error")
        assert "invalid_config" in error
        assert "was copied from another directory" in error
        assert second.end() == []
        state_file(folder / "copy").unlink()
        third = Nonstop(holder_url(holder, folder / "copy"))
        if alive == "after a crash":
            third.wait_for("ids")
            check(owner.ids(), third.end())


COPIES = {
    "cp": "cp -a one/state two/",
    "tar": "tar -C one -c state | tar -C two -x",
    "rsync": "rsync -a one/state two/",
}


@pytest.mark.parametrize(("holder", "copy"), pairs(HOLDERS, list(COPIES)))
def test_a_copy_on_a_fresh_volume_with_the_same_inode_numbers_does_not_give_the_worker_id(
    holder_url: HolderUrl, folder: Path, holder: str, copy: str
) -> None:
    need([copy], [copy], "")
    with mounted(folder / "one", "-t", "tmpfs", "none"), mounted(folder / "two", "-t", "tmpfs", "none"):
        owner = Nonstop(holder_url(holder, folder / "one/state"))
        owner.wait_for("ids")
        subprocess.run(COPIES[copy], shell=True, check=True, cwd=folder)
        original, copied = (state_file(folder / volume / "state").parent for volume in ("one", "two"))
        assert original.stat().st_ino == copied.stat().st_ino
        refused_or_another_worker_id(
            holder, Nonstop(holder_url(holder, folder / "two/state")), owner, "was copied from another"
        )
        owner.crash()


@pytest.mark.parametrize(("holder", "alive"), pairs(HOLDERS, ALIVE))
def test_a_cloned_image_mounted_next_to_the_original_does_not_give_its_worker_id(
    holder_url: HolderUrl, folder: Path, holder: str, alive: str
) -> None:
    need(["mkfs.ext4"], ["e2fsprogs"], "")
    one, two = folder / "one.img", folder / "two.img"
    subprocess.run(["truncate", "--size=16M", one], check=True)
    subprocess.run(["mkfs.ext4", "-q", one], check=True)
    with mounted(folder / "one", "-o", "loop", str(one)):
        owner = Nonstop(holder_url(holder, folder / "one/state"))
        owner.wait_for("ids")
        if alive == "after a crash":
            owner.crash()
        subprocess.run(["sync", "--file-system", folder / "one"], check=True)
        shutil.copy(one, two)
        with mounted(folder / "two", "-o", "loop", str(two)):
            clone = Nonstop(holder_url(holder, folder / "two/state"))
            refused_or_another_worker_id(holder, clone, owner, "was copied with its volume")
            before = owner.crash()
            again = Nonstop(holder_url(holder, folder / "one/state"))
            again.wait_for("ids")
            after = again.crash()
    # The original alone, mounted again.
    with mounted(folder / "one", "-o", "loop", str(one)):
        last = Nonstop(holder_url(holder, folder / "one/state"))
        last.wait_for("ids")
        check(before, after, clone.ids(), last.end()) if clone.ids() else check(before, after, last.end())


def refused_or_another_worker_id(holder: str, guest: Nonstop, owner: Nonstop, why: str) -> None:
    """Checks that a process on a copied directory mints nothing, or with another worker id if it uses a database."""
    if holder == "mysql":
        guest.wait_for("ids")
        time.sleep(1)
        ids = guest.end()
        assert {worker_of(number) for number in ids} == {8}
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
