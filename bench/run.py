"""Measures everything and makes one page: `make bench`, or `make bench BENCH=--quick` to see whether it runs.

The parts run one after another, each in processes of its own, for about twenty minutes. The machine is looked at before
and after; keep it quiet meanwhile. The table goes to standard output. The page and one picture per language go to
docs/dev/benchmarks/DATE.md, DATE.csv and DATE-LANGUAGE.svg; the page's text from `## Notes` on is kept. Raw figures
go to target/bench/DATE.json, from which --again makes the page anew. With --quick or --only the page stays there too.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import machine
import parts
from figures import as_text, figures_of
from measurement import Measurement
from page import NOTES, Run, missing, page, table
from picture import picture

PARTS = {"rust": parts.rust, "refill": parts.refill, "python": parts.python, "java": parts.java}


def options() -> argparse.Namespace:
    """Reads the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="see whether everything runs; the figures mean nothing")
    options.add_argument("--date", default=datetime.date.today().isoformat(), help="names the page")
    options.add_argument("--again", action="store_true", help="measures nothing: makes the page of the last run anew")
    options.add_argument("--only", choices=PARTS, action="append", help="runs these parts only")
    return options.parse_args()


def main() -> None:
    """Runs the parts, prints the table and makes the page."""
    given = options()
    parts.RAW.mkdir(parents=True, exist_ok=True)
    raw = parts.RAW / f"{given.date}.json"
    if not given.again:
        raw.write_text(json.dumps(measured(given.only or list(PARTS), given.quick), indent=1))
    folder = parts.RAW if given.quick or given.only else parts.TOP / "docs/dev/benchmarks"
    run = assembled(given.date, folder, json.loads(raw.read_text()))
    print(as_text(run.figures))
    for goal in [] if given.only else missing(run.figures):
        print(f"not measured: {goal.language}, {goal.group}, {goal.name}")
    for complaint in run.complaints:
        print(f"RUN AGAIN on a quiet machine: {complaint}")
    target = folder / f"{given.date}.md"
    target.write_text(page(run) + "\n")
    target.with_suffix(".csv").write_text(table(run.figures))
    print(f"\nkept in {target.relative_to(parts.TOP)}; replace the former page and the links to it")
    if parts.FAILED:
        sys.exit(f"failed: {', '.join(dict.fromkeys(parts.FAILED))}")


def measured(wanted: list[str], quick: bool) -> dict[str, Any]:
    """Returns the machine's facts, what the parts measured, and what kept the machine from being quiet."""
    facts = machine.facts(list(parts.jdks()))
    before, began = machine.look(), machine.ticks()
    complaints = machine.complaints("before", before)
    for complaint in complaints:
        print(f"This run will have to be repeated: {complaint}", flush=True)
    measurements = [each for name in PARTS if name in wanted for each in PARTS[name](quick)]
    share, more = machine.stolen(began, machine.ticks())
    after = machine.look()
    facts |= {"before the run": str(before), "after the run": str(after)}
    facts["taken by the host during the run"] = f"{share:.1f} % of the processors"
    complaints += [*more, *machine.complaints("after", after)]
    return {"facts": facts, "complaints": complaints, "measurements": [asdict(each) for each in measurements]}


def assembled(date: str, folder: Path, raw: dict[str, Any]) -> Run:
    """Computes the figures of a run, and draws its pictures into the folder."""
    measurements = [Measurement(**{**each, "rounds": tuple(each["rounds"])}) for each in raw["measurements"]]
    pictures, notes = draw(folder, date, measurements), notes_of(folder / f"{date}.md")
    return Run(date, raw["facts"], raw["complaints"], measurements, figures_of(measurements), pictures, notes)


def draw(folder: Path, date: str, measurements: list[Measurement]) -> dict[str, str]:
    """Draws a picture per language and returns the file names."""
    pictures = {}
    for language in dict.fromkeys(each.language for each in measurements):
        if drawn := picture(language, measurements):
            pictures[language] = f"{date}-{language.lower().replace(' ', '-')}.svg"
            (folder / pictures[language]).write_text(drawn)
    return pictures


def notes_of(target: Path) -> str:
    """Returns the notes of a page that was made before."""
    before = target.read_text() if target.exists() else ""
    return (NOTES + before.partition(NOTES)[2]).rstrip()


if __name__ == "__main__":
    main()
