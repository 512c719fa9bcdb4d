"""A disk that is full costs an error, and never a duplicate."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import leafmint
import pytest
from leafmint.cli import main
from segments import assert_ascending, until_it_fails


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk that is soon full."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path, left: int) -> Path:
    """Fills a disk except for `left` bytes."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    with filler.open("rb+") as file:
        file.truncate(max(0, filler.stat().st_size - left))
    return filler


def test_a_full_disk_costs_an_error_and_never_a_duplicate(tmp_path: Path) -> None:
    minted: list[int] = []
    with small_disk(tmp_path / "disk", "1m") as disk:
        url = f"sqlite:///{disk}/ids.db?default_step=3&max_step=3&timeout=2s"
        with leafmint.SegmentGenerator(url) as ids:
            order = ids.tag("order")
            for left in (0, 4096, 3 * 4096, 9 * 4096):
                minted += order.next_ids(20, timeout=30)
                filler = fill(disk, left)
                error, _ = until_it_fails(order, minted)
                assert isinstance(error, leafmint.SegmentUnavailableError)
                assert "disk is full" in str(error)
                filler.unlink()
                minted.append(order.next_id(timeout=20))
            refused = ids.stats().tags["order"].refill_failures
            connection = sqlite3.connect(disk / "ids.db")
            (max_id,) = connection.execute("SELECT max_id FROM leaf_alloc").fetchone()
            connection.close()
            assert max_id > minted[-1], "every range that was handed out is in the file"
        with leafmint.SegmentGenerator(url) as ids:
            minted.append(ids.tag("order").next_id(timeout=30))
    print(f"\n{len(minted)} ids, {refused} leases refused")
    assert_ascending(minted)


def test_a_check_of_a_full_disk_fails_unless_a_worker_id_can_be_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with small_disk(tmp_path / "disk", "1m") as disk:
        assert main(["check", "--url", f"local:{disk}/workers"]) == 0
        filler = fill(disk, 0)
        assert main(["check", "--url", f"local:{disk}/workers"]) == 1
        shown = capsys.readouterr().out
        assert f"store_unavailable: {disk}/workers/default: No space left on device" in shown
        filler.unlink()
        with leafmint.SnowflakeGenerator(f"local:{disk}/workers") as flakes:
            flakes.next_id()
            fill(disk, 0)
            assert main(["check", "--url", f"local:{disk}/workers"]) == 1
        # Its files can be written, however full the disk is.
        assert main(["check", "--url", f"local:{disk}/workers"]) == 0
        assert "1 of 1,024 worker ids are free" in capsys.readouterr().out
        with leafmint.SnowflakeGenerator(f"local:{disk}/workers") as flakes:
            flakes.next_id()
