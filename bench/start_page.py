"""The page of the starts: a table for a terminal, and one for the page."""

from __future__ import annotations

from typing import Any

from figures import Spread, number, spread_of
from page import verdict

Programs = list[dict[str, Any]]
FIELDS = ("processor", "wall")
"""What a run took, in the order of its fields."""

INTRODUCTION = """\
What leafmint adds to a process, from its start to its end: each program against the same one without leafmint. Each
figure is the median over {rounds} interleaved rounds, with its quartiles. The first id comes from a table or a
directory that exists. Round trips are the answers of the database on which the process goes on, the end included, which
checks the session and gives the unused ids back; TCP takes one more for a connection. One run of `make bench-start`."""
SHOWN = ("processor", "memory", "system", "Python", "Java", "before the run")
"""The facts that the page shows."""


def spreads(program: dict[str, Any], field: str) -> tuple[Spread, Spread]:
    """Returns how many times the time of the same program without leafmint one took, and how much longer."""
    at = FIELDS.index(field)
    pairs = [(mine[at], other[at]) for mine, other in zip(program["with"], program["without"], strict=True)]
    return spread_of([mine / other for mine, other in pairs]), spread_of([mine - other for mine, other in pairs])


def cells(program: dict[str, Any], to: str) -> list[str]:
    """Writes the figures of a program: times and difference of processor time and wall time, and round trips."""
    shown = [
        f"{number(spread.median)}{unit} ({number(spread.low)}{to}{number(spread.high)})"
        for field in FIELDS
        for spread, unit in zip(spreads(program, field), (" x", " ms"), strict=True)
    ]
    trips = program["round_trips"]
    return [*shown, "" if trips is None else str(trips)]


def as_text(programs: Programs) -> str:
    """Makes the table for a terminal."""
    lines = [f"{'':36}{'processor time':>26}{'more':>28}{'wall time':>26}{'more':>28}  round trips"]
    for program in programs:
        times, more, wall, longer, trips = cells(program, " to ")
        lines.append(f"{program['name']:36}{times:>26}{more:>28}{wall:>26}{longer:>28}  {trips}")
    return "\n".join(lines)


def page(raw: dict[str, Any]) -> str:
    """Makes the page."""
    parts = [
        "# Start",
        verdict(raw["complaints"]),
        INTRODUCTION.format(rounds=raw["rounds"]),
        "\n".join(f"* {name}: {raw['facts'][name]}" for name in SHOWN if raw["facts"][name] != "none"),
    ]
    for part in dict.fromkeys(program["part"] for program in raw["programs"]):
        parts += [f"## {part}", table([program for program in raw["programs"] if program["part"] == part])]
    return "\n\n".join(part for part in parts if part)


def table(programs: Programs) -> str:
    """Makes the table of one part."""
    lines = ["| program | processor time | more | wall time | more | round trips |", "|---|---|---|---|---|---|"]
    for program in programs:
        lines.append(f"| {program['name']} | {' | '.join(cells(program, chr(0x2013)))} |")
    return "\n".join(lines)
