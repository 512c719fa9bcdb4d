"""Figures, and the table that they make."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    value: float
    unit: str
    sense: str | None
    goal: float | None
    detail: str

    @property
    def met(self) -> str:
        """Tells whether the goal is met; empty where there is none."""
        if self.goal is None:
            return ""
        return "met" if (self.value <= self.goal if self.sense == "at most" else self.value >= self.goal) else "MISSED"

    @property
    def shown(self) -> str:
        """The value with its unit."""
        return f"{number(self.value)} {self.unit}"

    @property
    def wanted(self) -> str:
        """The goal, if there is one."""
        return "" if self.goal is None else f"{self.sense} {number(self.goal)}"


def number(value: float) -> str:
    """Writes a value with as many digits as say something."""
    if value == int(value):
        return f"{int(value)}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"


def as_text(figures: list[Figure]) -> str:
    """Makes the table for a terminal: the value first."""
    return "\n".join(f"{figure.shown:>18}  {figure.wanted:<14} {figure.met:<7} {figure.what}" for figure in figures)


def as_markdown(figures: list[Figure]) -> str:
    """Makes the table for the docs."""
    rows = [f"| {f.shown} | {f.wanted} | {f.met} | {f.what} | {f.detail} |" for f in figures]
    return "\n".join(["| figure | goal | | what | how |", "|---|---|---|---|---|", *rows])
