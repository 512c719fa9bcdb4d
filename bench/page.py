"""The page of one run: the answers to what a user asks first, the pictures, the ratios; and a table of every figure."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from figures import Figure, number, shown
from goals import AT_MOST, GOALS, Goal
from measurement import Measurement

NOTES = "## Notes"
DASH = "\N{EN DASH}"

INTRODUCTION = """\
One run of `make bench`: each median with its quartiles. Ratios compare between machines, nanoseconds do not. A goal of
0 is shown if it was missed. [How it is measured](README.md)."""


@dataclass(frozen=True)
class Run:
    """Everything that a page says."""

    date: str
    facts: dict[str, str]
    complaints: list[str]
    measurements: list[Measurement]
    figures: list[Figure]
    pictures: dict[str, str]
    """File names by language."""
    notes: str


def page(run: Run) -> str:
    """Writes the page."""
    parts = [
        f"# Benchmarks of {run.date}",
        verdict(run.complaints),
        *_answers(run),
        f"{INTRODUCTION} {_elsewhere(run)}",
    ]
    parts.append("\n".join(f"* {name}: {fact}" for name, fact in run.facts.items()))
    for language in _languages(run.figures):
        parts += [f"## {language}", _picture(language, run.pictures), _table(language, run.figures)]
    absent = [f"* not measured: {_title(goal)}" for goal in missing(run.figures)]
    return "\n\n".join(part for part in [*parts, "\n".join(absent), run.notes] if part)


def missing(figures: Iterable[Figure]) -> list[Goal]:
    """Returns the goals that no figure is there for."""
    found = {id(figure.goal) for figure in figures}
    return [goal for goal in GOALS if id(goal) not in found]


def _title(goal: Goal) -> str:
    against = f" against {goal.against}" if goal.against else ""
    return f"{goal.language}, {goal.group}, {goal.name}{against}"


def verdict(complaints: Sequence[str]) -> str:
    """Asks for another run if the machine was not quiet."""
    return f"**Run this again on a quiet machine**: {'; '.join(complaints)}." if complaints else ""


def _languages(figures: Iterable[Figure]) -> list[str]:
    return list(dict.fromkeys(figure.language for figure in figures))


def _answers(run: Run) -> list[str]:
    languages = _languages(run.figures)
    rows = [
        ("segment ids per second and core", [_rate(run, each, "segment id") for each in languages]),
        ("snowflakes per second and core, no cap", [_rate(run, each, "snowflake") for each in languages]),
        ("snowflakes per second, 12 bits of sequence", [_capped(run, each) for each in languages]),
        ("speed of a segment id", [_peers(run, each, "segment id") for each in languages]),
        ("speed of a snowflake", [_peers(run, each, "snowflake") for each in languages]),
    ]
    kept = [[question, *answers] for question, answers in rows if any(answers)]
    return [_grid(["one thread", *languages], kept) if kept else "", _pauses(run)]


def _rate(run: Run, language: str, group: str) -> str:
    found = [each for each in run.measurements if (*each.comparison, each.name) == (language, group, 1, "leafmint")]
    return "".join(_per_second(1e9 / statistics.median(each.rounds)) for each in found)


def _capped(run: Run, language: str) -> str:
    wanted = (language, "snowflake at the cap", 1, "leafmint", "")
    return "".join(_per_second(each.spread.median * 1e3) for each in run.figures if _key(each) == wanted)


def _per_second(rate: float) -> str:
    return f"{number(rate / 1e6)} million"


def _key(figure: Figure) -> tuple[str, str, int | None, str, str]:
    return (figure.language, figure.group, figure.threads, figure.name, figure.against)


def _peers(run: Run, language: str, group: str) -> str:
    found = [each for each in run.figures if _key(each)[:3] == (language, group, 1) and each.unit == "x as fast"]
    return ", ".join(f"{shown(each)[0]} {each.against}" for each in found)


def _pauses(run: Run) -> str:
    stores: dict[str, dict[str, Figure]] = {}
    for figure in run.figures:
        if figure.group.startswith("slow store"):
            stores.setdefault(figure.group, {})[figure.name] = figure
    rows = [
        [
            group.removeprefix("slow store, "),
            number(max(found["longest wait"].rounds)),
            f"{number(max(found['longest wait after warm-up'].rounds))} ms",
            f"{found['store calls per million ids'].spread.median:.0f}",
        ]
        for group, found in stores.items()
    ]
    head = ["round trip to the store", "longest pause (round trips)", "after warm-up", "store calls per million ids"]
    return _grid(head, rows) if rows else ""


def _picture(language: str, pictures: dict[str, str]) -> str:
    return f"![Times of {language}]({pictures[language]})" if language in pictures else ""


def _table(language: str, figures: Iterable[Figure]) -> str:
    rows = [
        [_what(each), str(each.threads or ""), _spread(each), _judged(each), each.times.replace(" against ", ", ")]
        for each in figures
        if each.language == language and _is_shown(each)
    ]
    return _grid(["what", "threads", "median", "goal", "times: leafmint, other"], rows)


def _what(figure: Figure) -> str:
    """Names a row; a name that is only "leafmint" says nothing."""
    name = figure.name.removeprefix("leafmint").removeprefix(", ")
    compared = "time" if figure.unit == "x the time" else "speed"
    return ", ".join(filter(None, [figure.group, name, figure.against and f"{compared} against {figure.against}"]))


def _spread(figure: Figure) -> str:
    median, quartiles = shown(figure)
    return f"{median} ({quartiles.replace(' to ', DASH)})"


def _judged(figure: Figure) -> str:
    goal = figure.goal
    return f"{figure.word} ({'≤' if goal.sense == AT_MOST else '≥'} {goal.value:g})" if goal else ""


def _is_shown(figure: Figure) -> bool:
    """Returns whether a row says more than that nothing happened, or compares with another library."""
    if figure.goal:
        return figure.goal.value != 0 or figure.word != "met"
    return figure.unit == "x as fast" and figure.threads == 1


def _elsewhere(run: Run) -> str:
    return f"All figures: [{run.date}.csv]({run.date}.csv)."


def table(figures: Iterable[Figure]) -> str:
    """Writes every figure as CSV."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["language", "median", "quartiles", "goal", "judged", "threads", "what", "times", "how"])
    for each in figures:
        row = [each.language, *shown(each), each.goal or "", each.word, each.threads or "", each.what, each.times]
        lines.writerow([*row, each.how])
    return text.getvalue()


def _grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
