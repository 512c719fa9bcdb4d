"""Worker ids that are lost to a pause, an outage of the registry or another process: both sides mint no duplicates."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import leafmint
import pytest
from link import Link
from mariadb import MariaDb
from minting_process import OnDemand, Refused, check, check_turns, worker_of

# So short a lease is lost while a test waits.
SHORT = "lease_duration=4s&heartbeat=500ms&connect_timeout=1s"


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDb]:
    """A server that tests may kill and freeze."""
    with MariaDb() as server:
        yield server


@pytest.fixture
def registry(server: MariaDb) -> str:
    """The URL of an empty registry."""
    server.sql("DROP DATABASE leafmint; CREATE DATABASE leafmint")
    # The tables may take longer to make than a statement of these tests.
    patient = "namespace=others&state_files=false&timeout=60s&connect_timeout=30s"
    with leafmint.SnowflakeGenerator(f"{server.url}?{patient}&auto_create=true") as flakes:
        flakes.next_id()
    return server.url


@pytest.fixture
def link(server: MariaDb) -> Iterator[Link]:
    """A link to the server that can be cut."""
    link = Link(server.port)
    yield link
    link.close()


def host(registry: str, folder: Path, name: str, options: str) -> OnDemand:
    """A process on a host of its own, which shares nothing with others but the registry."""
    return OnDemand(f"{registry}?auto_create=true&{SHORT}&state_dir={folder}/{name}&{options}")


def test_an_owner_frozen_past_its_lease_continues_with_another_worker_id_on_eight_threads(
    registry: str, tmp_path: Path
) -> None:
    owner = host(registry, tmp_path, "a", "workers=0-1")
    assert worker_of(owner.mint()[0]) == 0
    owner.begin(8, 1, 0.2)
    time.sleep(2)
    owner.freeze()
    taker = host(registry, tmp_path, "b", "workers=0")
    assert worker_of(taker.mint_by(30)[0]) == 0
    owner.thaw()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        ids = owner.mint_by(20)
        taker.mint()
        if worker_of(ids[-1]) == 1:
            break
    time.sleep(2)
    every = sorted(owner.end())
    taker.mint()
    check(every, taker.ids())
    for thread in range(1, 9):
        ids = owner.ids(thread)
        assert ids == sorted(ids), "ids of a thread went back"
        assert {worker_of(identifier) for identifier in ids} == {0, 1}
    first = [identifier for identifier in every if worker_of(identifier) == 0]
    assert every[: len(first)] == first, "ids of the second worker id lie above all of the first"
    assert first[-1] < taker.ids()[0], "the taker stamps only above what the owner had reserved"
    errors = {error.split()[2] for error in owner.errors()}
    assert errors <= {"lease_lost", "worker_id_unavailable", "store_unavailable"}


def test_an_owner_frozen_past_its_lease_is_refused_while_the_only_worker_id_is_taken(
    registry: str, tmp_path: Path
) -> None:
    owner = host(registry, tmp_path, "a", "workers=0")
    owner.mint()
    owner.freeze()
    taker = host(registry, tmp_path, "b", "workers=0")
    taker.mint_by(30)
    owner.thaw()
    assert owner.refusal().code in ("lease_lost", "worker_id_unavailable")
    taker.mint()
    taker.end()
    assert owner.mint_by(30)[0] > taker.ids()[-1]
    check(owner.ids(), taker.ids())


def test_in_a_directory_a_frozen_owner_keeps_its_worker_id(tmp_path: Path) -> None:
    url = f"local:{tmp_path}/workers"
    owner = OnDemand(f"{url}?workers=0-1&endpoint=frozen")
    owner.mint()
    owner.freeze()
    time.sleep(4)  # Longer than time is reserved.
    refused = OnDemand(f"{url}?workers=0").refusal()
    assert refused.code == "worker_id_unavailable"
    assert "frozen" in str(refused)
    other = OnDemand(f"{url}?workers=0-1")
    assert worker_of(other.mint()[0]) == 1
    owner.thaw()
    assert worker_of(owner.mint()[0]) == 0
    check(owner.ids(), other.ids())


def test_in_a_directory_a_frozen_owner_whose_files_were_replaced_continues_with_another_worker_id(
    tmp_path: Path,
) -> None:
    url = f"local:{tmp_path}/workers"
    owner = OnDemand(f"{url}?workers=0-1")
    assert worker_of(owner.mint()[0]) == 0
    owner.freeze()
    files = tmp_path / "workers/default"
    (files / "0.lock").unlink()
    early = OnDemand(f"{url}?workers=0")
    assert early.refusal().code == "worker_id_unavailable", "the owner has the state file still"
    early.crash()  # It would go on trying.
    shutil.copy(files / "0.state", files / "copy")
    (files / "copy").rename(files / "0.state")
    taker = OnDemand(f"{url}?workers=0")
    assert worker_of(taker.mint(timeout=20)[0]) == 0
    owner.thaw()
    assert worker_of(owner.mint_by(20)[0]) == 1
    taker.mint()
    check(owner.ids(), taker.ids())


def test_two_processes_with_one_endpoint_get_two_worker_ids_or_a_named_error_if_it_is_fixed(
    registry: str, tmp_path: Path
) -> None:
    label = "endpoint=10.0.0.1:8080"
    pods = [host(registry, tmp_path, name, label) for name in ("a", "b", "b")]
    assert len({worker_of(pod.mint(timeout=20)[0]) for pod in pods}) == 3
    check(*(pod.ids() for pod in pods))
    claimants = [
        (lambda name: host(registry, tmp_path, name, f"{label}&worker_mode=endpoint"), ("c", "d")),
        (lambda name: host(registry, tmp_path, name, f"{label}&worker_mode=endpoint"), ("d", "d")),
        (lambda _: OnDemand(f"local:{tmp_path}/workers?{label}&worker_map=10.0.0.1:8080=3"), ("", "")),
    ]
    for claim, (first, other) in claimants:
        owner = claim(first)
        owner.mint(timeout=20)
        claimant = claim(other)
        refused = claimant.refusal()
        assert refused.code == "worker_id_unavailable"
        assert "10.0.0.1:8080" in str(refused)
        owner.mint()
        owner.end()
        claimant.mint_by(20)
        check_turns(owner.ids(), claimant.ids())
        claimant.end()


def test_a_registry_that_is_down_at_the_start_is_a_named_error_until_it_is_up(
    server: MariaDb, registry: str, tmp_path: Path
) -> None:
    server.kill()
    try:
        guest = host(registry, tmp_path, "a", "workers=0-1")
        assert guest.refusal().code == "store_unavailable"
    finally:
        server.start()
    guest.mint_by(20)
    check(guest.ids())


@pytest.mark.parametrize("trouble", ["dead", "frozen"])
def test_an_outage_of_the_registry_is_survived_up_to_the_rows_horizon(
    server: MariaDb, registry: str, tmp_path: Path, trouble: str
) -> None:
    long = "lease_duration=15s"
    guest = host(registry, tmp_path, "a", f"workers=0&{long}")
    crashed = host(registry, tmp_path, "a", f"workers=1&{long}")
    guest.mint()
    crashed.mint()
    time.sleep(1.5)  # So that the state file knows of a row that was moved on.
    if trouble == "dead":
        server.kill()
    else:
        server.freeze()
    try:
        began = time.monotonic()
        crashed.crash()
        again = host(registry, tmp_path, "a", f"workers=1&{long}")
        while time.monotonic() - began < 3:
            guest.mint(timeout=0.5)
            time.sleep(0.1)
        # A start on the same host goes on too: from its state file.
        assert worker_of(again.mint_by(10)[0]) == 1
        for one in (guest, again):
            assert one.refusal(30).code == "store_unavailable"
        assert time.monotonic() - began > 12
    finally:
        if trouble == "dead":
            server.start()
        else:
            server.thaw()
    for one in (guest, again):
        one.mint_by(20)
    check_turns(crashed.ids(), again.ids())
    check(guest.ids(), crashed.ids(), again.ids())
    assert {worker_of(identifier) for identifier in guest.ids()} == {0}, "no other process took it"


def test_a_claim_of_a_fixed_worker_id_whose_owner_is_cut_off_waits_for_the_rows_horizon(
    server: MariaDb, registry: str, link: Link, tmp_path: Path
) -> None:
    fixed = "worker_mode=endpoint&endpoint=10.0.0.1:8080&lease_duration=20s"
    cut_off = registry.replace(f":{server.port}/", f":{link.port}/")
    owner = host(cut_off, tmp_path, "a", fixed)
    owner.mint(timeout=20)
    server.kill()
    try:
        for _ in range(10):
            owner.mint()
            time.sleep(0.1)
    finally:
        server.start()

    pod = host(registry, tmp_path, "b", fixed)
    refused = pod.refusal()
    assert refused.code == "worker_id_unavailable"
    assert "10.0.0.1:8080" in str(refused)
    assert "reserved for another" in str(refused)
    owner.mint_by(10)
    time.sleep(1.5)

    link.down = True
    link.cut()
    owner.mint()
    deadline, minted_alone = time.monotonic() + 60, 0
    while not pod.ids():
        assert time.monotonic() < deadline
        for guest in (owner, pod):
            try:
                guest.mint(timeout=0.1)
                minted_alone += guest is owner
            except Refused:
                pass
        time.sleep(0.05)
    assert minted_alone > 5
    assert owner.refusal().code in ("store_unavailable", "lease_lost", "worker_id_unavailable")
    link.down = False
    deadline = time.monotonic() + 30
    while (code := owner.refusal().code) == "store_unavailable":
        assert time.monotonic() < deadline
    assert code in ("lease_lost", "worker_id_unavailable")
    pod.mint()
    pod.end()
    owner.mint_by(30)
    ours, theirs = owner.ids(), pod.ids()
    check(ours, theirs)
    assert len({worker_of(identifier) for identifier in (*ours, *theirs)}) == 1
    before = [identifier for identifier in ours if identifier < theirs[0]]
    after = [identifier for identifier in ours if identifier > theirs[-1]]
    assert before + after == ours, "each had its own time"
    assert after


def test_forty_crashes_in_a_row_on_32_worker_ids_cost_seconds_at_the_most(tmp_path: Path) -> None:
    guests = []
    for _ in range(40):
        guests.append(OnDemand(f"local:{tmp_path}/workers?workers=0-31"))
        guests[-1].mint(timeout=10)
        guests[-1].crash()
    check_turns(*(guest.ids() for guest in guests))
    lead = leafmint.Layout().decode(guests[-1].ids()[-1]).timestamp_millis / 1000 - time.time()
    assert lead < 5
