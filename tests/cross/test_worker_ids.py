"""Processes that share a directory or a table of worker ids never mint the same snowflake, in any language."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import leafmint
import numpy
import pytest
from programs import finish, kill, mint_commands, start

SECONDS = 900


def check(files: list[Path], layout: leafmint.Layout) -> int:
    """Checks that each file increases, has its own worker id and shares no id. Returns the number of ids."""
    every, workers = [], []
    for file in files:
        ids = numpy.fromfile(file, dtype="<i8")[1:]
        assert (numpy.diff(ids) > 0).all(), f"{file.name} went back"
        own = {layout.decode(int(identifier)).worker_id for identifier in ids[:: len(ids) // 100]}
        assert len(own) == 1, f"{file.name} changed its worker id"
        workers.extend(own)
        every.append(ids)
    assert len(set(workers)) == len(workers), f"worker ids are shared: {workers}"
    together = numpy.sort(numpy.concatenate(every))
    assert not (numpy.diff(together) == 0).any(), "an id was minted twice"
    return len(together)


def run(url: str, count: int, processes: int, folder: Path) -> list[Path]:
    """Mints in that many processes at once, languages in turn; each holds its worker id until all have minted."""
    commands = list(mint_commands().items())
    running = {}
    for number in range(processes):
        language, command = commands[number % len(commands)]
        running[folder / f"{number}-{language}"] = start(command, url, "-", count, folder / f"{number}-{language}")
    for file, process in running.items():
        assert process.stdout
        assert process.stdout.readline(), f"{file.name}: {process.stderr and process.stderr.read()}"
    for process in running.values():
        _, errors = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, errors
    return list(running)


@pytest.mark.parametrize(
    ("processes", "count"), [(6, 20_000), pytest.param(8, 1_300_000, id="ten million ids", marks=pytest.mark.long)]
)
def test_processes_in_three_languages_on_one_directory_mint_no_id_twice(
    tmp_path: Path, processes: int, count: int
) -> None:
    files = run(f"local:{tmp_path}/ids?timeout=60s", count, processes, tmp_path)
    assert check(files, leafmint.Layout()) == processes * count


@pytest.mark.parametrize(
    ("processes", "count"), [(6, 20_000), pytest.param(16, 640_000, id="ten million ids", marks=pytest.mark.long)]
)
def test_processes_started_at_once_on_an_empty_schema_mint_no_id_twice(
    database: str, tmp_path: Path, processes: int, count: int
) -> None:
    url = f"{database}?auto_create=true&state_dir={tmp_path}/state&timeout=60s&connect_timeout=20s"
    assert check(run(url, count, processes, tmp_path), leafmint.Layout()) == processes * count


def test_with_four_worker_ids_two_of_six_processes_get_an_error_that_names_the_owners(tmp_path: Path) -> None:
    url = f"local:{tmp_path}/ids?workers=0-3"
    command = mint_commands()["Rust"]
    owners = [
        start(command, f"{url}&endpoint=owner-{number}&timeout=30s", "-", 1000, tmp_path / f"{number}")
        for number in range(4)
    ]
    for owner in owners:
        assert owner.stdout
        assert owner.stdout.readline()
    refusals = [
        start(mint_commands()[language], f"{url}&timeout=5s", "-", 1000, tmp_path / f"{number}")
        for number, language in enumerate(("Python", "Java"), start=4)
    ]
    for refused in refusals:
        _, errors = refused.communicate(timeout=SECONDS)
        assert refused.returncode != 0
        assert all(part in errors for part in ("WorkerIdUnavailable", "owner-0", "owner-3", "reserved for another")), (
            errors
        )
    waiter = start(command, f"{url}&timeout=60s", "-", 1000, tmp_path / "waiter")
    time.sleep(0.5)
    kill(owners[2])
    finish(waiter, SECONDS)
    for owner in (*owners[:2], owners[3]):
        finish_quietly(owner)
    last = numpy.fromfile(tmp_path / "2", dtype="<i8")[1:].max()
    first = numpy.fromfile(tmp_path / "waiter", dtype="<i8")[1:].min()
    decode = leafmint.Layout().decode
    assert decode(int(first)).worker_id == decode(int(last)).worker_id
    assert first > last


def finish_quietly(process: subprocess.Popen[str]) -> None:
    """Ends a program that has printed its summary."""
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, errors


@pytest.mark.parametrize("crashes", [4, pytest.param(10, marks=pytest.mark.long)])
def test_crashes_in_a_row_on_one_worker_id_cost_seconds_and_do_not_add_up(tmp_path: Path, crashes: int) -> None:
    url = f"local:{tmp_path}/ids?workers=7&timeout=30s"
    command = mint_commands()["Rust"]
    highest = 0
    for number in range(crashes):
        began = time.monotonic()
        process = start(command, url, "-", 5000, tmp_path / "out")
        assert process.stdout
        assert process.stdout.readline(), process.stderr and process.stderr.read()
        kill(process)
        ids = numpy.fromfile(tmp_path / "out", dtype="<i8")[1:]
        assert ids.min() > highest, "an id of a crashed owner came again"
        highest = int(ids.max())
        waited = time.monotonic() - began
        assert waited < 20, f"start {number} took {waited:.1f} s"
    lead = leafmint.Layout().decode(highest).timestamp_millis - time.time() * 1000
    assert lead < 5000, f"ids are {lead} ms ahead of the clock"


@pytest.mark.parametrize("holder", ["directory", "database"])
def test_a_process_with_another_epoch_or_other_bits_is_refused_in_every_language(
    database: str, tmp_path: Path, holder: str
) -> None:
    url = {
        "directory": f"local:{tmp_path}/ids?timeout=60s",
        "database": f"{database}?auto_create=true&state_dir={tmp_path}/state&timeout=60s&connect_timeout=20s",
    }
    owner = start(mint_commands()["Python"], url[holder], "-", 1000, tmp_path / "owner")
    assert owner.stdout
    assert owner.stdout.readline(), owner.stderr and owner.stderr.read()
    others = ["epoch=1288834974658", "layout=wide", "layout=timestamp:41,worker:11,sequence:11"]
    for other, (language, command) in zip(others, mint_commands().items(), strict=True):
        refused = start(command, f"{url[holder]}&{other}", "-", 1000, tmp_path / language)
        _, errors = refused.communicate(timeout=SECONDS)
        assert refused.returncode != 0
        assert "InvalidConfig" in errors, errors
        assert "use the same layout and epoch, or another namespace" in errors, errors
        assert not (tmp_path / language).exists(), "nothing was minted"
    finish_quietly(owner)
