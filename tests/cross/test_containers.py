"""Containers that share a directory: in each of them the process has the id 1, also after every restart."""

from __future__ import annotations

import os
from pathlib import Path

from minting_process import SECONDS, Nonstop, OnDemand, check

NAMESPACES = ("--pid", "--fork", "--kill-child", "--mount-proc", "--uts", "--ipc")
OWNER = () if os.geteuid() == 0 else ("--user", "--map-root-user")
CONTAINER = ("unshare", *NAMESPACES, *OWNER)


def test_processes_with_the_id_1_that_share_a_directory_mint_no_id_twice(tmp_path: Path) -> None:
    url = f"local:{tmp_path}/workers?workers=0-2"
    running = [Nonstop(url, within=CONTAINER) for _ in range(2)]
    everyone = list(running)
    for turn in range(4):
        for process in running:
            process.wait_for("ids ")
        running[turn % 2].crash()
        running[turn % 2] = Nonstop(url, within=CONTAINER)
        everyone.append(running[turn % 2])
    for process in running:
        process.wait_for("ids ")
        process.end()
    check(*(process.ids() for process in everyone))


def test_a_fixed_worker_id_is_held_by_one_container_also_with_a_directory_of_its_own(tmp_path: Path) -> None:
    def url(directory: str) -> str:
        return f"fixed:7?namespace={tmp_path.name}-{os.getpid()}&state_dir={tmp_path}/{directory}"

    one = OnDemand(url("one"), within=CONTAINER)
    one.mint_by(SECONDS)
    beside = OnDemand(url("one"), within=CONTAINER)
    assert beside.refusal(SECONDS).code == "worker_id_unavailable"
    beside.crash()
    other = OnDemand(url("other"), within=CONTAINER)
    assert "in another container" in str(other.refusal(SECONDS))
    one.crash()
    check(one.ids(), other.mint_by(SECONDS))
