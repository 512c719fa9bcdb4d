"""Switches the guards of the core off, one at a time, and checks that a test catches each loss: `make mutants`.

The tests are built from a copy of the core that has all weakenings (weakened_core.py), and the environment variable
LEAFMINT_MUTANT switches one on. Every test named in weakenings.py must pass without a weakening, and fail with its
own. Needs LEAFMINT_TEST_MYSQL, LEAFMINT_TEST_POSTGRES, LEAFMINT_TEST_ZOOKEEPER and LEAFMINT_TEST_TICKETS.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import weakened_core
from weakened_core import SWITCH, TOP
from weakenings import PROOFS, WEAKENINGS, Weakening

sys.path.insert(0, str(TOP / "tests/servers"))

from mariadb import VARIABLE, MariaDb

SECONDS = 300
"""Longest time of a test. A test that hangs catches nothing: it must fail by itself."""

THREADS = 6
"""Tests at a time: most of them wait."""

TESTS = (
    *([f"leafmint-{crate}", "--lib"] for crate in ("ids", "engine", "backends")),
    ["leafmint", "--lib"],
    ["leafmint-tests", "--test=core"],
    ["leafmint-models", "--test=loom"],
)
"""The packages and their tests."""

ALONE = ("tickets::pins::", "mysql::settings::")
"""The tests that run one at a time, as `.config/nextest.toml` says why."""

LONG = ("holder_zookeeper::forever::", "snowflake::backfill::")
"""The tests that begin first: without their guards they wait until their deadlines."""

one_at_a_time = threading.Lock()


def git(*words: str) -> list[str]:
    """Returns the lines that a command of git prints."""
    return subprocess.run(["git", *words], cwd=TOP, capture_output=True, text=True).stdout.splitlines()


def touched() -> set[str]:
    """Returns the weakenings that differ from the main branch, or of which the guard's file or the test's does.

    On the main branch itself, that differs from the commit before.
    """
    base = git("merge-base", "HEAD", "origin/main") or ["HEAD"]
    since = base[0] if base != git("rev-parse", "HEAD") else "HEAD~1"
    changed = [TOP / name for name in {*git("diff", "--name-only", since), *git("ls-files", "--others")}]
    texts = [file.read_text() for file in changed if file.suffix == ".rs" and file.is_file()]
    before: dict[str, Any] = {"__name__": "before"}
    exec("\n".join(git("show", f"{since}:tests/mutants/weakenings.py")), before)
    return {
        one.name
        for one in WEAKENINGS
        if one not in before.get("WEAKENINGS", [])
        or any(TOP / "core" / place.file in changed for place in one.places)
        or any(f"fn {one.test.rpartition('::')[2]}(" in text for text in texts)
    }


def build() -> dict[str, str]:
    """Builds the tests of the copy, next to what `make build` compiles, and returns their paths."""
    weakened_core.write()
    built = {}
    for arguments in TESTS:
        messages = subprocess.run(
            ["cargo", "test", "--locked", f"--manifest-path={weakened_core.COPY}/Cargo.toml", "--target-dir=target",
             "--package", *arguments, "--no-run", "--message-format=json-render-diagnostics"],
            check=True, stdout=subprocess.PIPE, text=True, cwd=TOP,
            env={**os.environ, "CARGO_PROFILE_DEV_DEBUG": "false"},
        ).stdout  # fmt: skip
        for message in map(json.loads, messages.splitlines()):
            if message.get("executable") and message["profile"]["test"]:
                name = message["target"]["name"].removeprefix("leafmint_")
                built[name] = message["executable"]
    return built


def run(binary: str, test: str, server: str, mutant: str) -> tuple[str, str]:
    """Runs one test. Returns `passed`, `failed`, `hung` or `not there`, and its output."""
    environment = {**os.environ, VARIABLE: server, SWITCH: mutant}
    command = [binary, test, "--exact", "--nocapture"]
    try:
        with one_at_a_time if test.startswith(ALONE) else contextlib.nullcontext():
            ended = subprocess.run(
                command, cwd=TOP / "core/tests", env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=SECONDS, text=True, errors="replace",
            )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "hung", f"no end within {SECONDS} s"
    if "running 1 test" not in ended.stdout:
        return "not there", ended.stdout
    return "passed" if ended.returncode == 0 else "failed", ended.stdout


def reason(output: str) -> str:
    """Returns the message of a failed test, in one line."""
    lines = output.splitlines()
    said = [lines[at + 1].strip() for at, line in enumerate(lines[:-1]) if re.search(r"panicked at ", line)]
    return said[-1][:100] if said else ""


def judge(weakening: Weakening, binary: str, server: str) -> str | None:
    """Switches one guard off, prints the outcome, and returns an error if no test catches it."""
    began = time.monotonic()
    outcome, output = run(binary, weakening.test, server, weakening.name)
    verdict = "caught by" if outcome == "failed" else f"SURVIVES ({outcome})"
    test = f"{weakening.binary}::{weakening.test}"
    seconds = time.monotonic() - began
    print(f"{weakening.name}: {weakening.what}\n    {verdict} {test} ({seconds:.1f} s): {reason(output)}", flush=True)
    return None if outcome == "failed" else f"{weakening.name}: {test} {outcome}"


def main() -> int:
    """Runs everything; returns 1 if a weakening survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="weakenings to try; all by default")
    parser.add_argument("--build", action="store_true", help="only compile the tests")
    parser.add_argument("--quick", action="store_true", help="one for each line of the proofs, and what was changed")
    given = parser.parse_args()
    names = {*given.names} | ({*PROOFS.values()} | touched() if given.quick else set())
    chosen = [weakening for weakening in WEAKENINGS if not names or weakening.name in names]
    chosen.sort(key=lambda one: not one.test.startswith(LONG))
    problems = weakened_core.check()
    problems += [f"there is no weakening {name}" for name in names - {one.name for one in chosen}]
    if problems:
        print("\n".join(problems))
        return 1
    began = time.monotonic()
    built = build()
    print(f"built in {time.monotonic() - began:.0f} s", flush=True)
    if given.build:
        return 0
    with MariaDb("--autocommit=0", "--sql-mode=") as without_autocommit, ThreadPoolExecutor(THREADS) as pool:
        server = {True: os.environ[VARIABLE], False: without_autocommit.url}
        sound = {(one.binary, one.test, one.autocommit) for one in chosen}
        outcomes = pool.map(lambda one: (one, *run(built[one[0]], one[1], server[one[2]], "")), sorted(sound))
        for (binary, test, _), outcome, output in outcomes:
            if outcome != "passed":
                print(output)
                problems.append(f"{binary}::{test} {outcome} with no guard switched off")
        if not problems:
            judged = pool.map(lambda one: judge(one, built[one.binary], server[one.autocommit]), chosen)
            problems = [problem for problem in judged if problem]
    failed = "\n".join(f"FAILED {problem}" for problem in problems)
    print(failed or f"all {len(chosen)} weakenings are caught", end="")
    print(f" ({time.monotonic() - began:.0f} s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
