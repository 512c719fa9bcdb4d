"""The soak test: three languages mint in both modes, on databases and on files, while everything around them fails.

`soak.py [--seconds 600] [--seed N] [--ids 100000000] [--rate 17500]` kills, freezes, forks and restarts the
processes that mint, steps their clocks, cuts and slows their links to the databases, and freezes and kills the
databases. It keeps every id and prints a table at the end. It fails if an id is there twice, if a process hangs or ends
by itself, and if there were fewer ids or faults than demanded.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests/servers"), str(TOP / "tests/cross")]

from clocks import WallClock  # noqa: E402
from faults import Faults, LinkedServer  # noqa: E402
from guests import Guest, Scope, minted, reports, wait_until, wait_until_some_mint  # noqa: E402
from ledger import Verdict, judge  # noqa: E402
from link import Link  # noqa: E402
from mariadb import MariaDb  # noqa: E402
from postgresql import ACCOUNT, PASSWORD, PostgreSql  # noqa: E402
from programs import ENDS, compiled  # noqa: E402
from throwaway import Database  # noqa: E402

LANGUAGES = ("Rust", "Python", "Java")
FULL = 600
"""Seconds of a full soak; it must have this number of faults of each kind, and of ids:"""
FAULTS = 20
IDS = 100_000_000
RATE = 17_500
"""Ids per second of one process."""
LONGEST = 4
"""A soak ends after this many times its seconds, even if it still lacks ids or faults."""


def main() -> None:
    """Runs the soak."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=FULL)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument(
        "--ids",
        type=int,
        default=None,
        help="the least number of ids; by default in proportion to 100 million in 600 s",
    )
    parser.add_argument("--rate", type=int, default=RATE, help="ids per second of one process")
    options = parser.parse_args()
    part = options.seconds / FULL
    # A short soak must pass on any machine, so it demands half as much.
    share = 1 if part >= 1 else 0.5
    least = options.ids if options.ids is not None else int(IDS * part * share)
    print(f"soak: {options.seconds} seconds, seed {options.seed} (repeat with --seed {options.seed})", flush=True)

    folder = Path(tempfile.mkdtemp(prefix="leafmint-soak-"))
    try:
        with MariaDb() as mariadb, PostgreSql() as postgresql, ENDS:
            servers = [LinkedServer(server, Link(server.port)) for server in (mariadb, postgresql)]
            least_faults = max(1, int(FAULTS * part * share))
            guests = make_guests(folder, servers, options.seed, options.rate)
            passed = soak(guests, servers, options.seconds, options.seed, least, least_faults)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if passed else 1)


def soak(
    guests: list[Guest], servers: list[LinkedServer], seconds: int, seed: int, least_ids: int, least_faults: int
) -> bool:
    """Mints under faults, then judges. Returns whether the soak passed."""
    chance = random.Random(seed)
    faults = Faults(guests, servers, chance)
    for guest in guests:
        guest.start()
    wait_until_some_mint(guests, len(guests))
    began = time.monotonic()
    end = began + seconds
    # Every kind of fault happens somewhat more often than demanded; the last seconds are for recovery.
    quiet = min(10, seconds / 6)
    pause = (seconds - quiet) / (len(faults.kinds) * (FAULTS * seconds / FULL * 1.25 + 0.5))
    after = began + pause
    while True:
        now = time.monotonic()
        if now >= end:
            # A slow machine takes longer for as many ids and faults.
            if now >= began + LONGEST * seconds or enough(guests, faults, least_ids, least_faults):
                break
            end = now + pause + quiet
        faults.thaw()
        for guest in guests:
            guest.assert_alive()
        if now >= after and end - now > quiet:
            done = faults.next()
            after += pause
            print(f"{time.monotonic() - began:5.0f} s  {minted(guests):12,} ids  {done}", flush=True)
        wait_until(min(now + 0.2, end))
    faults.thaw(all_of_them=True)
    for server in servers:
        server.mend_link()
    for guest in guests:
        guest.end()
    time.sleep(2.5)  # Children of forks end by themselves.
    print("looking for duplicates", flush=True)
    scopes = dict.fromkeys(guest.scope for guest in guests)
    verdicts = {
        scope: judge([file for guest in guests if guest.scope == scope for file in guest.files("ids")])
        for scope in scopes
    }
    for server in servers:
        server.link.close()
    return report(guests, faults.done, verdicts, servers, least_ids, least_faults)


def enough(guests: list[Guest], faults: Faults, least_ids: int, least_faults: int) -> bool:
    """Returns whether there were as many ids and faults as demanded."""
    return minted(guests) >= least_ids and min(faults.done.values()) >= least_faults


def make_guests(folder: Path, servers: list[LinkedServer], seed: int, rate: int) -> list[Guest]:
    """Makes the guests: each language in each scope."""
    mariadb, postgresql = (server.link.port for server in servers)
    mysql = f"mysql://root@127.0.0.1:{mariadb}/leafmint"
    postgres = f"postgresql://{ACCOUNT}:{PASSWORD}@127.0.0.1:{postgresql}/leafmint"
    state = f"{folder}/state"
    # A lease this short is stolen from a guest that is frozen for long.
    lease = "auto_create=true&lease_duration=20s&heartbeat=2s&workers=0-15"
    scopes = [
        Scope("MariaDB", "segment", f"{mysql}?auto_create=true", "soak"),
        Scope("PostgreSQL", "segment", f"{postgres}?auto_create=true", "soak"),
        Scope("file", "segment", f"sqlite:///{folder}/ids.db", "soak"),
        Scope("rows-of-MariaDB", "snowflake", f"{mysql}?namespace=soak&state_dir={state}&{lease}", "-"),
        Scope("rows-of-PostgreSQL", "snowflake", f"{postgres}?namespace=soak&state_dir={state}-pg&{lease}", "-"),
        Scope("directory", "snowflake", f"local:{folder}/workers?workers=0-1023", "-"),
    ]
    commands = {
        "Rust": [str(TOP / "target/debug/soak")],
        "Python": [sys.executable, str(TOP / "tests/soak/minter.py")],
        "Java": compiled(TOP / "tests/soak/Minter.java"),
    }
    guests = []
    for language in LANGUAGES:
        for scope in scopes:
            guest = Guest(language, scope, commands[language], folder, rate, seed)
            if scope.mode == "snowflake":
                guest.clock = WallClock(folder / f"{guest.name}.clock")
                guest.clocks = ("auto", "system")
            guests.append(guest)
    return guests


def report(
    guests: list[Guest],
    faults: Counter[str],
    verdicts: dict[Scope, Verdict],
    servers: list[LinkedServer],
    least_ids: int,
    least_faults: int,
) -> bool:
    """Prints the table. Returns whether the soak passed."""
    problems = []
    total = sum(verdict.count for verdict in verdicts.values())
    print(f"\n{'ids':30}" + "".join(f"{language:>14}" for language in LANGUAGES) + f"{'together':>14}{'twice':>8}")
    for scope, verdict in verdicts.items():
        counts = [
            minted([guest for guest in guests if (guest.language, guest.scope) == (name, scope)]) for name in LANGUAGES
        ]
        row = "".join(f"{count:14,}" for count in (*counts, verdict.count))
        print(f"{scope.mode + ', ' + scope.name:30}{row}{len(verdict.duplicates):8}")
        if verdict.duplicates:
            problems.append(f"{scope.name}: handed out twice: {verdict.duplicates}")
        if verdict.disordered:
            problems.append(f"{scope.name}: not ascending within one generator: {verdict.disordered}")
    by_language = {name: minted([guest for guest in guests if guest.language == name]) for name in LANGUAGES}
    print(f"{'all':30}" + "".join(f"{by_language[name]:14,}" for name in LANGUAGES) + f"{total:14,}")

    print("\nfaults  " + ", ".join(f"{kind}: {count}" for kind, count in sorted(faults.items())))
    for language in LANGUAGES:
        longest, errors = reports([guest for guest in guests if guest.language == language])
        named = ", ".join(f"{code}: {count}" for code, count in sorted(errors.items())) or "none"
        print(f"{language:7} longest wait {longest:.1f} s (a frozen process waits too); errors {named}")
    samples = {line for guest in guests for line in guest.said().splitlines() if ": " in line}
    for sample in sorted(samples)[:12]:
        print(f"  {sample[:300]}")
    for scope, leased in leases(servers).items():
        [used] = (verdict.count for each, verdict in verdicts.items() if (each.name, each.mode) == (scope, "segment"))
        print(f"leased / used on {scope}: {leased:,} / {used:,} = {leased / max(used, 1):.2f}")

    if total < least_ids:
        problems.append(f"{total:,} ids are fewer than {least_ids:,}")
    problems += [f"{name} minted less than a tenth" for name, count in by_language.items() if count < total / 10]
    problems += [
        f"{kind}: {count} times is less than {least_faults}" for kind, count in faults.items() if count < least_faults
    ]
    for problem in problems:
        print(f"FAILED: {problem}")
    if not problems:
        print("no id twice")
    return not problems


def leases(servers: list[LinkedServer]) -> dict[str, int]:
    """Returns the number of ids that were leased from each database."""
    tables = {"MariaDB": "leafmint.leaf_alloc", "PostgreSQL": "leaf_alloc"}
    databases = [linked.server for linked in servers if isinstance(linked.server, Database)]
    read = "SELECT max_id - 1 FROM {} WHERE biz_tag = 'soak'"
    return {database.name: int(database.sql(read.format(tables[database.name]))) for database in databases}


if __name__ == "__main__":
    main()
