"""Wall clocks set back and forth, before the epoch and past the last timestamp: no duplicates, and no endless wait."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import leafmint
import numpy
import pytest
from clocks import WallClock
from guests import Guest, Scope, reports, wait_until_some_mint
from ledger import judge, read
from minting_process import GRACE, OnDemand, check, check_turns, worker_of
from programs import TOP, compiled, finish, mint_commands, start

HOUR = 3600
YEAR = 365 * 24 * HOUR

HOLDERS = ["a directory", "a fixed id", "a database", "a fixed id in a database"]


def holder_url(holder: str, database: str, folder: Path) -> str:
    """The URL of one kind of holder, in a place of its own."""
    state = f"state_dir={folder}/state"
    # With a database, a clock that is an hour off is refused unless that is allowed.
    skewed = f"{state}&max_clock_skew=2h&auto_create=true"
    return {
        "a directory": f"local:{folder}/workers?workers=0-3",
        "a fixed id": f"fixed:7?{state}&namespace={uuid.uuid4().hex}",
        "a database": f"{database}?workers=0-3&{skewed}",
        "a fixed id in a database": f"{database}?worker_mode=endpoint&endpoint=10.0.0.1:8080&{skewed}",
    }[holder]


def test_a_restart_on_a_clock_set_back_repeats_no_id(database: str, tmp_path: Path) -> None:
    def turns(holder: str) -> None:
        folder = tmp_path / holder
        folder.mkdir()
        url, clock = holder_url(holder, database, folder), WallClock(folder / "clock")
        guests = []
        for number, set_back in enumerate((0, 0.001, 0.5, 3, 60, HOUR, HOUR)):
            clock.set(-set_back)
            guests.append(OnDemand(url, clock))
            began = time.monotonic()
            guests[-1].mint(5000, timeout=20)
            waited = time.monotonic() - began
            # The rest is for the start of the process.
            assert waited < 20 + GRACE, f"{holder}, {set_back} s back: {waited} s"
            if number % 3 == 0:
                guests[-1].end()
            else:
                guests[-1].crash()
        check_turns(*(guest.ids() for guest in guests))

    with ThreadPoolExecutor(len(HOLDERS)) as pool:
        list(pool.map(turns, HOLDERS))


def test_a_free_worker_id_is_preferred_to_ids_far_ahead_of_a_clock_set_back(database: str, tmp_path: Path) -> None:
    for holder in ("a directory", "a database"):
        url, clock = holder_url(holder, database, tmp_path), WallClock(tmp_path / "clock")
        before = OnDemand(url, clock)
        worker = worker_of(before.mint()[0])
        before.crash()
        clock.set(-HOUR)
        after = OnDemand(url, clock)
        ids = after.mint(timeout=20)
        assert worker_of(ids[0]) != worker, holder
        lead = leafmint.Layout().decode(ids[0]).timestamp_millis / 1000 - (time.time() - HOUR)
        assert lead < 60, f"{holder}: {lead} s"
        check(before.ids(), after.ids())


def test_a_clock_too_far_behind_the_ids_is_a_named_error_until_it_is_corrected(tmp_path: Path) -> None:
    url, clock = f"fixed:7?state_dir={tmp_path}&namespace={uuid.uuid4().hex}", WallClock(tmp_path / "clock")
    before = OnDemand(url, clock)
    before.mint()
    before.crash()
    clock.set(-3 * HOUR)
    after = OnDemand(url, clock)
    refused = after.refusal()
    assert refused.code == "clock_moved_backwards"
    assert "max_clock_lead" in str(refused)
    clock.set(0)
    after.mint_by(20)
    clock.set(-3 * HOUR)
    assert after.refusal(10).code == "clock_moved_backwards", "while minting too"
    clock.set(0)
    after.mint_by(20)
    check_turns(before.ids(), after.ids())


def test_a_clock_an_hour_off_the_databases_is_a_named_error_at_the_start(database: str, tmp_path: Path) -> None:
    clock = WallClock(tmp_path / "clock")
    for off in (-HOUR, HOUR):
        clock.set(off)
        guest = OnDemand(f"{database}?auto_create=true&state_dir={tmp_path}/state", clock)
        refused = guest.refusal()
        assert refused.code == "clock_moved_backwards"
        assert "max_clock_skew" in str(refused)
        # It would try on, and might find the clock right while the next line moves it.
        guest.crash()
    clock.set(0)
    OnDemand(f"{database}?auto_create=true&state_dir={tmp_path}/state", clock).mint()


def test_processes_whose_clocks_are_minutes_apart_hand_a_worker_id_over_and_back(database: str, tmp_path: Path) -> None:
    fast, slow = WallClock(tmp_path / "fast"), WallClock(tmp_path / "slow")
    fast.set(300)
    slow.set(-300)

    def on(host: str, clock: WallClock | None, workers: str) -> OnDemand:
        lease = f"lease_duration=3s&heartbeat=500ms&max_clock_skew=1h&workers={workers}"
        return OnDemand(f"{database}?auto_create=true&{lease}&state_dir={tmp_path}/{host}.state", clock)

    guests = []
    for host, clock in (("slow", slow), ("fast", fast), ("slow", slow), ("right", None), ("fast", fast)):
        guests.append(on(host, clock, "0"))
        guests[-1].mint(1000, timeout=20)
        guests[-1].end()
    check_turns(*(guest.ids() for guest in guests))
    assert {worker_of(guest.ids()[0]) for guest in guests} == {0}

    # What a crashed owner on a fast clock had reserved is refused to others until then, and another id is at hand.
    crashed = on("fast", fast, "0")
    crashed.mint(1000)
    crashed.crash()
    refused = on("slow", slow, "0").refusal()
    assert refused.code == "worker_id_unavailable"
    assert "reserved for another" in str(refused)
    other = on("slow", slow, "0-1")
    assert worker_of(other.mint(1000, timeout=20)[0]) == 1
    again = on("fast", fast, "0-1")
    assert worker_of(again.mint(1000, timeout=20)[0]) == 0, "its own host goes on at once"
    check_turns(*(guest.ids() for guest in (*guests, crashed, other, again)))


@pytest.fixture
def commands() -> dict[str, list[str]]:
    """The programs that mint until they are ended, in each language."""
    return {
        "Rust": [str(TOP / "target/debug/soak")],
        "Python": [str(mint_commands()["Python"][0]), str(TOP / "tests/soak/minter.py")],
        "Java": compiled(TOP / "tests/soak/Minter.java"),
    }


# Seconds off the machine's clock, and for how long at least.
STEPS = [(-0.001, 1.0), (-3, 2.5), (0, 1.0), (-HOUR, 2.5), (0, 1.5), (HOUR, 2.0), (0, 0.5)]


def test_a_clock_that_steps_back_and_forth_follows_the_policy_and_repeats_no_id(
    commands: dict[str, list[str]], database: str, tmp_path: Path
) -> None:
    clock = WallClock(tmp_path / "clock")
    directory, registry = (
        f"local:{tmp_path}/workers?timeout=2s",
        f"{database}?auto_create=true&state_dir={tmp_path}/state&timeout=2s",
    )
    cases = [("continue", language, directory, "auto") for language in commands]
    cases += [
        ("wait", "Rust", directory, "auto"),
        ("wait", "Java", registry, "auto"),
        ("wait", "Python", registry, "system"),
    ]
    cases += [("fail", "Python", registry, "auto"), ("fail", "Rust", directory, "system")]
    guests = {}
    for policy, language, place, told_by in cases:
        scope = Scope(policy, "snowflake", f"{place}&clock_rollback={policy}", "-")
        guest = Guest(language, scope, commands[language], tmp_path, 1500, 1, clock, (told_by,))
        guests[policy, language] = guest
    for guest in guests.values():
        guest.start()
    wait_until_some_mint(list(guests.values()), len(guests))
    time.sleep(2)
    # On a busy machine the first calls may end before there is a worker id.
    at_the_start = {policy_and_language: reports([guest])[1] for policy_and_language, guest in guests.items()}
    for off, seconds in STEPS:
        clock.set(off)
        time.sleep(seconds)
        if off == -HOUR:
            wait_until_refused([guest for (policy, _), guest in guests.items() if policy != "continue"])
    # The clock is right again, and everybody mints.
    back = time.time() * 1000
    deadline = time.monotonic() + 60
    for guest in guests.values():
        while last_timestamp(guest) <= back:
            assert time.monotonic() < deadline, f"{guest.name} does not mint any more: {guest.said()}"
            time.sleep(0.1)
    for guest in guests.values():
        guest.assert_alive()
        guest.end()

    for place in (directory, registry):
        of_place = [guest for guest in guests.values() if guest.scope.url.startswith(place)]
        verdict = judge([file for guest in of_place for file in guest.files("ids")])
        assert (verdict.duplicates, verdict.disordered) == ([], []), place
    for (policy, language), guest in guests.items():
        longest, errors = reports([guest])
        errors -= at_the_start[policy, language]
        assert longest < 2 + 60, f"{guest.name} waited {longest} s"
        assert set(errors) == (set() if policy == "continue" else {"clock_moved_backwards"}), f"{guest.name}: {errors}"


def wait_until_refused(guests: list[Guest]) -> None:
    """Waits until each process has had calls refused because the clock was set back."""
    deadline = time.monotonic() + 60
    for guest in guests:
        while not reports([guest])[1]["clock_moved_backwards"]:
            assert time.monotonic() < deadline, f"{guest.name} is not refused: {guest.said()}"
            time.sleep(0.1)


def last_timestamp(guest: Guest) -> int:
    """The time in the last id of a process, in Unix milliseconds."""
    return leafmint.Layout().decode(max(int(read(file)[-1]) for file in guest.files("ids"))).timestamp_millis


def test_a_clock_before_the_epoch_is_a_named_error_until_it_is_corrected(tmp_path: Path) -> None:
    clock = WallClock(tmp_path / "clock")
    clock.set(-20 * YEAR)
    guest = OnDemand(f"local:{tmp_path}/workers", clock)
    refused = guest.refusal()
    assert refused.code == "clock_moved_backwards"
    assert "before the layout's epoch" in str(refused)
    clock.set(0)
    guest.mint_by(20)
    clock.set(-20 * YEAR)
    assert guest.refusal(10).code == "clock_moved_backwards", "while minting too"
    clock.set(0)
    guest.mint_by(20)
    check(guest.ids())


def test_a_clock_past_the_last_timestamp_is_a_named_error_until_it_is_corrected(tmp_path: Path) -> None:
    clock = WallClock(tmp_path / "clock")
    clock.set(60 * YEAR)
    guest = OnDemand(f"local:{tmp_path}/workers", clock)
    refused = guest.refusal()
    assert refused.code == "id_space_exhausted"
    assert "3487858230209" in str(refused)
    clock.set(0)
    guest.mint_by(20)
    check(guest.ids())


def test_ids_end_with_the_time_bits_and_a_named_error_and_are_never_negative(tmp_path: Path) -> None:
    seconds, bits = 20, "timestamp:38,worker:10,sequence:12"
    ends = int(time.time() * 1000) + seconds * 1000
    epoch = ends - (1 << 38)
    url = f"local:{tmp_path}/workers?layout={bits}&epoch={epoch}"
    guest = OnDemand(url)
    guest.mint()
    refused = guest.refusal(2 * seconds)
    assert refused.code == "id_space_exhausted"
    assert str(ends) in str(refused)
    check(guest.ids())
    layout = leafmint.Layout(bits, epoch=epoch)
    assert ends - 10_000 < layout.decode(guest.ids()[-1]).timestamp_millis < ends
    assert OnDemand(url).refusal().code == "id_space_exhausted", "at the start too"


def test_a_full_tick_carries_into_the_next_one_in_three_languages(tmp_path: Path) -> None:
    bits, count = "timestamp:41,worker:19,sequence:3", 16_000
    url = f"local:{tmp_path}/ids?layout={bits}&timeout=30s"
    running = {
        language: start(command, url, "-", count, tmp_path / language) for language, command in mint_commands().items()
    }
    every = []
    for language, process in running.items():
        seconds = finish(process, 300)["seconds"]
        assert isinstance(seconds, float)
        assert seconds > count / 8 / 1000 * 0.95, f"{language}: eight ids a millisecond are the most there can be"
        ids = numpy.fromfile(tmp_path / language, dtype="<i8")[1:]
        assert (numpy.diff(ids) > 0).all()
        every.append(ids)
    together = numpy.concatenate(every)
    assert len(numpy.unique(together)) == len(together) == 3 * count
