"""The soak of worker ids in ZooKeeper: six processes on four worker ids, while everything around them fails.

`ensemble.py [--seconds 60] [--seed N] [--rate 20000]` starts an ensemble of three. It kills its leader, freezes a
follower or the leader, lets sessions expire, kills and freezes the processes that mint, and steps their clocks. It
keeps every id, and fails if an id is there twice, if two processes stamped the same time with one worker id, if a call
of a process that was never frozen took 5 seconds or more, or if worker ids hardly ever changed their owner.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests/servers"), str(TOP / "tests/cross")]

from clocks import WallClock  # noqa: E402
from guests import Guest, Scope, minted, reports, wait_until, wait_until_some_mint  # noqa: E402
from ledger import Owners, judge, owners  # noqa: E402
from programs import ENDS, compiled  # noqa: E402
from zookeeper import Ensemble, ZooKeeper  # noqa: E402

LANGUAGES = ("Rust", "Python", "Java")
WORST = 5.0
"""Seconds that no call may take. A soak of less than a minute must pass on any machine, so it allows twice as long."""
LONGEST = 4
"""A soak ends after this many times its seconds, even if it still lacks faults or changes of owner."""
RATE = 20_000
"""Ids per second of one process."""
OPTIONS = "workers=0-3&lease_duration=4s&heartbeat=500ms&timeout=3s&connect_timeout=1s&namespace=soak"


class Trouble:
    """Injects faults into the ensemble and the processes that mint."""

    def __init__(self, ensemble: Ensemble, guests: list[Guest], chance: random.Random) -> None:
        self.ensemble, self.guests, self.chance = ensemble, guests, chance
        self.kinds: dict[str, Callable[[], str]] = {
            "leader killed": self.kill_leader,
            "server frozen": self.freeze_server,
            "process killed": self.kill_guest,
            "process frozen": self.freeze_guest,
            "clock stepped": self.step_clock,
        }
        self.done = Counter(dict.fromkeys(self.kinds, 0))
        self.deck: list[str] = []
        self.later: list[tuple[float, Callable[[], None]]] = []

    def next(self) -> str:
        """Injects the next fault that is possible; every kind is equally frequent. Returns a description."""
        if not self.deck:
            self.deck = sorted(self.kinds)
            self.chance.shuffle(self.deck)
        for kind in reversed(self.deck):
            if done := self.kinds[kind]():
                self.deck.remove(kind)
                self.done[kind] += 1
                return f"{kind}: {done}"
        return ""

    def mend(self, everything: bool = False) -> None:
        """Ends the faults whose time is over."""
        now = time.monotonic()
        for fault in [fault for fault in self.later if everything or fault[0] <= now]:
            self.later.remove(fault)
            fault[1]()

    def after(self, seconds: float, mend: Callable[[], None]) -> None:
        """Ends a fault later."""
        self.later.append((time.monotonic() + seconds, mend))

    def healthy(self) -> bool:
        """Returns whether all three servers serve, so that one may fail."""
        return all(node.answers() for node in self.ensemble.nodes)

    def kill_leader(self) -> str:
        """Kills the leader, and starts it again."""
        leader = self.ensemble.leader()
        if not leader or not self.healthy():
            return ""
        leader.kill()
        self.after(2, leader.launch)
        return f"server {leader.number}"

    def freeze_server(self) -> str:
        """Freezes a follower, or sometimes the leader."""
        if not self.healthy():
            return ""
        node: ZooKeeper = self.chance.choice(self.ensemble.nodes)
        node.freeze()
        seconds = self.chance.choice((1, 3))
        self.after(seconds, node.thaw)
        return f"server {node.number} for {seconds} s"

    def kill_guest(self) -> str:
        """Kills a process, and starts it again: at once, or after its lease has ended."""
        guest = self.chance.choice([guest for guest in self.guests if guest.running])
        guest.crash()
        seconds = self.chance.choice((0, 6))
        self.after(seconds, guest.start)
        return f"{guest.name} for {seconds} s"

    def freeze_guest(self) -> str:
        """Freezes one of the last three processes for longer than its lease and its sessions last, or for a moment."""
        guest = self.chance.choice(self.guests[3:])
        if not guest.running:
            return ""
        seconds = self.chance.choice((1, 6, 6))
        guest.freeze()
        self.after(seconds, guest.thaw)
        return f"{guest.name} for {seconds} s"

    def step_clock(self) -> str:
        """Sets the clock of a process, within what the start of a process tolerates."""
        guest = self.chance.choice(self.guests)
        assert guest.clock
        step = self.chance.choice((0.05, 0.4, 2)) * self.chance.choice((-1, 1))
        guest.clock.set(step)
        return f"{guest.name} to {step:+} s"


def main() -> None:
    """Runs the soak."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--rate", type=int, default=RATE, help="ids per second of one process")
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    options = parser.parse_args()
    print(f"soak of worker ids in ZooKeeper: {options.seconds} seconds, seed {options.seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="leafmint-ensemble-"))
    try:
        # Sessions end soon: a process that is frozen for 6 s has lost its own.
        with Ensemble("maxSessionTimeout=4000") as ensemble, ENDS:
            passed = soak(folder, ensemble, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if passed else 1)


def soak(folder: Path, ensemble: Ensemble, options: argparse.Namespace) -> bool:
    """Mints under faults, then judges. Returns whether the soak passed."""
    chance = random.Random(options.seed)
    guests = make_guests(folder, ensemble, options, chance)
    trouble = Trouble(ensemble, guests, chance)
    for guest in guests:
        guest.start()
    # As many as there are worker ids.
    wait_until_some_mint(guests, 4)
    began = time.monotonic()
    end, after, enough = began + options.seconds, began + 3, False
    while (now := time.monotonic()) < end:
        if not enough and end - now < 6:
            enough = all(trouble.done.values()) and changes(by_worker(guests)) >= least_changes(options.seconds)
            enough = enough or end > began + LONGEST * options.seconds
            if not enough:
                # A slow machine takes longer for as many faults and changes.
                end = now + 10
        trouble.mend()
        for guest in guests:
            if guest.running:
                guest.assert_alive()
        if after <= now < end - 6:
            done = trouble.next()
            after = time.monotonic() + (1.2 if done else 0.2)
            if done:
                print(f"{time.monotonic() - began:5.0f} s  {minted(guests):12,} ids  {done}", flush=True)
        wait_until(now + 0.1)
    trouble.mend(everything=True)
    for guest in guests:
        guest.end()
    return report(guests, trouble.done, options.seconds)


def make_guests(folder: Path, ensemble: Ensemble, options: argparse.Namespace, chance: random.Random) -> list[Guest]:
    """Makes six processes on hosts of their own, with clocks of their own; every other one keeps no state file."""
    commands = {
        "Rust": lambda: [str(TOP / "target/debug/soak")],
        "Python": lambda: [sys.executable, str(TOP / "tests/soak/minter.py")],
        "Java": lambda: compiled(TOP / "tests/soak/Minter.java"),
    }
    made = {language: commands[language]() for language in options.languages}
    guests = []
    for number in range(6):
        language = options.languages[number % len(options.languages)]
        files = "state_files=false" if number % 2 else f"state_dir={folder}/host{number}"
        scope = Scope(f"{number}", "snowflake", f"{ensemble.url}?{OPTIONS}&{files}", "-")
        guest = Guest(language, scope, made[language], folder, options.rate, options.seed + 1000 * number)
        guest.clock = WallClock(folder / f"{guest.name}.clock")
        guest.clock.set(chance.uniform(-0.3, 0.45))
        guest.clocks = ("auto", "system")
        guests.append(guest)
    return guests


def by_worker(guests: list[Guest]) -> dict[int, Owners]:
    """Returns who stamped time with each worker id so far."""
    return owners([file for guest in guests for file in guest.files("ids")])


def changes(found: dict[int, Owners]) -> int:
    """Returns how often worker ids changed their owner."""
    return sum(each.changes for each in found.values())


def least_changes(seconds: int) -> float:
    """Returns how often worker ids must change their owner in a soak."""
    return seconds / 30


def report(guests: list[Guest], faults: Counter[str], seconds: int) -> bool:
    """Prints the figures. Returns whether the soak passed."""
    files = [file for guest in guests for file in guest.files("ids")]
    verdict, stamped = judge(files), by_worker(guests)
    longest, _ = reports(guests[:3])
    _, errors = reports(guests)
    print("\nfaults  " + ", ".join(f"{kind}: {count}" for kind, count in sorted(faults.items())))
    print("errors  " + (", ".join(f"{code}: {count}" for code, count in sorted(errors.items())) or "none"))
    for worker, found in sorted(stamped.items()):
        print(
            f"worker id {worker}: {found.ids:12,} ids in {found.stamped / 1000:5.1f} s of stamped time, "
            f"{found.changes} changes of owner, {found.shared} milliseconds with two owners"
        )
    print(f"worst call of a process that was never frozen: {longest:.2f} s")
    problems = []
    if verdict.duplicates:
        problems.append(f"handed out twice: {verdict.duplicates}")
    if verdict.disordered:
        problems.append(f"not ascending within one generator: {verdict.disordered}")
    # Two owners at once would take turns many times a second.
    together = {worker for worker, found in stamped.items() if found.shared or found.changes > seconds}
    problems += [f"worker id {worker}: stamped by two at once" for worker in sorted(together)]
    if longest >= (WORST if seconds >= 60 else 2 * WORST):
        problems.append(f"a call took {longest:.2f} s")
    if set(stamped) != {0, 1, 2, 3} or changes(stamped) < least_changes(seconds):
        problems.append(f"only {changes(stamped)} changes of owner of the worker ids {sorted(stamped)}")
    for problem in problems:
        print(f"FAILED: {problem}")
    if not problems:
        print(f"no id twice among {verdict.count:,}, no overlap of stamped time")
    return not problems


if __name__ == "__main__":
    main()
