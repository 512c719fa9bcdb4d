"""Runs a stage of `make test`, and notes what it took: `python3 tests/stages.py NAME BUDGET COMMAND…`.

Stages run side by side, so each line that one prints begins with its name; the log is also in target/stages. Without
arguments it prints what the stages took, next to their budgets, and which lines of those that failed say why. A budget
is in seconds of processor time, which hardly depends on what else runs: the servers that the stages share are not
counted. A stage above its budget does not fail: the figures say where to look.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "target/stages"
# What a line of nextest, pytest, Maven, Cargo or make has that says why a stage failed.
SAYS_WHY = re.compile(r"\bFAIL(ED)?\b|panicked at|\bERROR\b|^error|^E  |SIG[A-Z]+|TIMEOUT|\*\*\*")


def run(name: str, budget: int, command: list[str]) -> int:
    """Runs a stage. Returns its exit status."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    began = time.time()
    # Make's pipe of jobs is not for the programs of a stage.
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    with (FOLDER / f"{name}.log").open("w") as log:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace",
        )  # fmt: skip
        assert process.stdout
        for line in process.stdout:
            log.write(line)
            print(f"{name:10} | {line}", end="", flush=True)
        status = process.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = {
        "began": began,
        "ended": time.time(),
        "processor": used.ru_utime + used.ru_stime,
        "budget": budget,
        "status": status,
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(took))
    how = "passed" if status == 0 else f"FAILED with status {status}"
    print(f"{name:10} | {how}: {took['processor']:.0f} s of processor time (budget {budget} s)", flush=True)
    return status


def table() -> None:
    """Prints what the stages took and why some failed, and removes the figures."""
    files = sorted(FOLDER.glob("*.json"), key=lambda file: file.stat().st_mtime)
    stages = {file.stem: json.loads(file.read_text()) for file in files}
    if not stages:
        return
    start = min(stage["began"] for stage in stages.values())
    print(f"\n{'stage':10}  {'began':>7}  {'took':>7}  {'processor':>9}  {'budget':>7}")
    for name, stage in sorted(stages.items(), key=lambda item: item[1]["began"]):
        took, used, budget = stage["ended"] - stage["began"], stage["processor"], stage["budget"]
        remark = "FAILED" if stage["status"] else "over its budget" if used > budget else ""
        row = f"{name:10}  {stage['began'] - start:5.0f} s  {took:5.0f} s  {used:7.0f} s  {budget:5} s  {remark}"
        print(row.rstrip())
    whole = max(stage["ended"] for stage in stages.values()) - start
    used, budget = (sum(stage[key] for stage in stages.values()) for key in ("processor", "budget"))
    print(f"{'together':10}  {'':7}  {whole:5.0f} s  {used:7.0f} s  {budget:5} s")
    for name in [name for name, stage in stages.items() if stage["status"]]:
        print(f"\n{name} failed; from target/stages/{name}.log:")
        for line in why(name):
            print(f"  {line[:200]}")
    for file in files:
        file.unlink()


def why(stage: str) -> list[str]:
    """Returns up to ten lines of a stage's log that say why it failed; a panic says it in the line after its own."""
    lines = (FOLDER / f"{stage}.log").read_text().splitlines()
    panics = {at + 1 for at, line in enumerate(lines) if "panicked at" in line}
    found = [line.strip() for at, line in enumerate(lines) if at in panics or SAYS_WHY.search(line)]
    return list(dict.fromkeys(found))[:10] or lines[-10:]


if __name__ == "__main__":
    if len(sys.argv) == 1:
        table()
    else:
        sys.exit(run(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
