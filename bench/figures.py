"""Figures: the median over the rounds, its spread, and whether a goal is met."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from goals import AT_MOST, Goal, goal_of
from measurement import Measurement, comparisons

ROUNDS = 7
"""A goal is judged by no fewer rounds."""


@dataclass(frozen=True)
class Spread:
    """The median of the rounds between their quartiles: half of the rounds are from `low` to `high`."""

    low: float
    median: float
    high: float


def spread_of(rounds: Sequence[float]) -> Spread:
    """Returns the quartiles of the rounds."""
    if len(rounds) == 1:
        return Spread(rounds[0], rounds[0], rounds[0])
    return Spread(*statistics.quantiles(rounds, n=4, method="inclusive"))


def judged(rounds: Sequence[float], goal: Goal) -> str:
    """Returns "met" or "missed" if both quartiles are on that side of the goal, else "open"."""
    if len(rounds) < ROUNDS:
        return "open"
    spread = spread_of(rounds)
    best, worst = (spread.low, spread.high) if goal.sense == AT_MOST else (-spread.high, -spread.low)
    wanted = goal.value if goal.sense == AT_MOST else -goal.value
    return "met" if worst <= wanted else "missed" if best > wanted else "open"


@dataclass(frozen=True)
class Figure:
    """One line of the table: a ratio of two subjects, or the value of one."""

    language: str
    group: str
    threads: int | None
    name: str
    against: str
    unit: str
    rounds: tuple[float, ...]
    how: str
    times: str = ""
    """The two sides of a ratio."""

    @property
    def goal(self) -> Goal | None:
        """The goal, if there is one."""
        return goal_of(self.language, self.group, self.threads, self.name, self.against)

    @property
    def word(self) -> str:
        """Says "met", "missed" or "open"; empty if there is no goal."""
        return judged(self.rounds, self.goal) if self.goal else ""

    @property
    def spread(self) -> Spread:
        """The median and the quartiles of the rounds."""
        return spread_of(self.rounds)

    @property
    def what(self) -> str:
        """The name of the line within its language."""
        if not self.against:
            return f"{self.group}: {self.name}"
        compared = "time against" if self.unit == "x the time" else "times as fast as"
        return f"{self.group}: {self.name}, {compared} {self.against}"


def figures_of(measurements: Iterable[Measurement]) -> list[Figure]:
    """Computes every figure: leafmint against each floor and against its peers; values as they are if no floor is."""
    return [figure for compared in comparisons(measurements) for figure in _figures(compared)]


def _figures(compared: Sequence[Measurement]) -> list[Figure]:
    ours = [each for each in compared if each.role == "leafmint"]
    floors = [each for each in compared if each.role == "floor"]
    if not floors or not ours:
        return [_value(each) for each in compared]
    against_floor = [_ratio(each, floor, "x the time", each, floor) for each in ours for floor in floors]
    peers = [each for each in compared if each.role == "peer"]
    with_peers = [(mine, peer) for mine in ours for peer in peers if mine is ours[0] or _has_goal(mine, peer)]
    return against_floor + [_ratio(peer, mine, "x as fast", mine, peer) for mine, peer in with_peers]


def _has_goal(mine: Measurement, other: Measurement) -> bool:
    language, group, threads = mine.comparison
    return goal_of(language, group, threads, mine.name, other.name) is not None


def _value(each: Measurement) -> Figure:
    language, group, threads = each.comparison
    return Figure(language, group, threads, each.name, "", each.unit, each.rounds, each.how)


def _ratio(above: Measurement, below: Measurement, unit: str, mine: Measurement, other: Measurement) -> Figure:
    rounds = tuple(a / b for a, b in zip(above.rounds, below.rounds, strict=True))
    times = " against ".join(f"{number(statistics.median(each.rounds))} {each.unit}" for each in (mine, other))
    how = f"{mine.how}; against {other.how}"
    language, group, threads = mine.comparison
    return Figure(language, group, threads, mine.name, other.name, unit, rounds, how, times)


def number(value: float) -> str:
    """Writes a value with as many digits as say something."""
    if value == int(value):
        return f"{int(value)}"
    if 0 < abs(value) < 0.01:
        return f"{value:.1g}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"


def shown(figure: Figure) -> tuple[str, str]:
    """Writes the median with its unit, and the spread."""
    spread = figure.spread
    unit = "x" if figure.unit.startswith("x") else figure.unit
    return f"{number(spread.median)} {unit}", f"{number(spread.low)} to {number(spread.high)}"


def threads_of(figure: Figure) -> str:
    """Writes the number of threads."""
    return "" if figure.threads is None else f"{figure.threads} thread{'' if figure.threads == 1 else 's'}"


def as_text(figures: Iterable[Figure]) -> str:
    """Makes the table for a terminal: the median first."""
    return "\n".join(
        f"{shown(each)[0]:>18}  {shown(each)[1]:<18} {each.goal or ''!s:<14} {each.word:<7}"
        f" {each.language}, {each.what}{', ' if each.threads else ''}{threads_of(each)}"
        for each in figures
    )
