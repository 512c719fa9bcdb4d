"""The page of the inserts: a table for a terminal, one for the page, and a picture for each database."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

from figures import spread_of
from picture import STYLE
from tables import KINDS

Cases = list[dict[str, Any]]
WORDS = {kind.name: kind.words for kind in KINDS}
BASE = KINDS[0].name


def ratios(case: dict[str, Any], cases: Cases, field: str = "seconds") -> list[float]:
    """Returns how many times as many rows as with counted keys a case made, in each round."""
    same = ("database", "milliseconds", "framework", "batch")
    base = next(each for each in cases if each["kind"] == BASE and all(each[name] == case[name] for name in same))
    return [other / mine for mine, other in zip(case[field], base[field], strict=True)]


def title(case: dict[str, Any]) -> str:
    """Names the case without its key."""
    distance = f"{case['milliseconds']:g} ms away" if case["milliseconds"] else "loopback"
    return f"{case['database']}, {distance}, {case['framework']}, {orders(case['batch'])}"


def orders(batch: int) -> str:
    """Names the size of a transaction."""
    return "an order a commit" if batch == 1 else f"{batch:,} orders a commit"


def shown(values: list[float]) -> str:
    """Writes the median with the quartiles."""
    spread = spread_of(values)
    return f"{spread.median:.2f} ({spread.low:.2f} to {spread.high:.2f})"


def table(cases: Cases) -> str:
    """Makes the lines of one framework for a terminal."""
    lines = [title(cases[0])]
    for case in cases:
        rate = statistics.median(case["rows"] / seconds for seconds in case["seconds"])
        times = f"{shown(ratios(case, cases)):>21} x the rows"
        processor = f"{shown(ratios(case, cases, 'processor')):>21} x for the processor time"
        trips = f"{case['round_trips']:.3f} round trips a row"
        lines.append(f"  {WORDS[case['kind']]:<26} {rate:>9,.0f} rows/s {times} {processor}, {trips}")
    return "\n".join(lines)


def grouped(cases: Cases, *fields: str) -> dict[tuple[Any, ...], Cases]:
    """Returns the cases with the same values of the fields."""
    groups: dict[tuple[Any, ...], Cases] = {}
    for case in cases:
        groups.setdefault(tuple(case[field] for field in fields), []).append(case)
    return groups


def page(raw: dict[str, Any]) -> str:
    """Makes the page."""
    cases: Cases = raw["cases"]
    parts = [
        "# Rows a second",
        "How many times as many rows as with keys that the database counts (`AUTO_INCREMENT`, `IDENTITY`) a framework"
        " inserts: orders with two lines each. Each figure is the median of interleaved rounds, with its quartiles. One"
        " run of `make bench-apps`.",
        "\n".join(f"* {name}: {fact}" for name, fact in raw["facts"].items()),
    ]
    for (database, milliseconds), group in grouped(cases, "database", "milliseconds").items():
        distance = f"{milliseconds:g} ms of round trip" if milliseconds else "loopback"
        parts += [
            f"## {database}, {distance}",
            f"![{database}, {distance}]({file(database, milliseconds)})",
            rows(group),
        ]
    parts += ["## Size of indexes", sizes(raw["sizes"])]
    return "\n\n".join(parts)


def rows(cases: Cases, field: str = "seconds") -> str:
    """Makes the table of ratios of a database at a distance."""
    return _grid(cases, lambda case, group: shown(ratios(case, group, field)), 1)


def trips(cases: Cases) -> str:
    """Makes the table of round trips for a row."""
    return _grid(cases, lambda case, _: f"{case['round_trips']:.3f}", 0)


def _grid(cases: Cases, cell: Callable[[dict[str, Any], Cases], str], first: int) -> str:
    kinds = [kind.name for kind in KINDS if any(case["kind"] == kind.name for case in cases)][first:]
    lines = ["| | " + " | ".join(WORDS[kind] for kind in kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    for (framework, batch), group in grouped(cases, "framework", "batch").items():
        found = {case["kind"]: cell(case, group) for case in group}
        cells = " | ".join(found.get(kind, "") for kind in kinds)
        lines.append(f"| {framework}, {orders(batch)} | {cells} |")
    return "\n".join(lines)


def sizes(found: dict[str, dict[str, float]]) -> str:
    """Makes the table of bytes."""
    lines = ["| bytes of all indexes for a row | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    for kind in KINDS:
        lines.append(f"| {kind.words} | " + " | ".join(f"{each[kind.name]:.0f}" for each in found.values()) + " |")
    return "\n".join(lines)


def file(database: str, milliseconds: float) -> str:
    """Names a picture."""
    return f"rows-{database.lower()}-{'distant' if milliseconds else 'loopback'}.svg"


NAMES, WIDTH, ROW, HEAD = 240, 420, 19, 62
LEAST, MOST = 0.5, 32.0
"""The ends of the axis, in times the rows of counted keys."""


def across(ratio: float) -> float:
    """Returns how far right a ratio is, on a logarithmic axis."""
    inside = min(max(ratio, LEAST), MOST)
    return NAMES + WIDTH * math.log(inside / LEAST) / math.log(MOST / LEAST)


def pictures(cases: Cases) -> dict[str, str]:
    """Draws a picture for each database and distance, by its file's name."""
    groups = grouped(cases, "database", "milliseconds")
    return {file(*key): picture(f"{key[0]}, {key[1]:g} ms", group) for key, group in groups.items()}


def picture(name: str, cases: Cases) -> str:
    """Draws a line for each kind of key, a block for each framework and size of batches."""
    parts, top = [], HEAD + 20
    for (framework, batch), group in grouped(cases, "framework", "batch").items():
        parts.append(words(16, top, f"{framework}, {orders(batch)}"))
        for case in group[1:]:
            top += ROW
            parts.append(bar(case, group, top))
        top += ROW + 12
    line = "".join(
        f'<path class="{"floor" if ratio == 1 else "line"}" d="M{across(ratio):.1f} {HEAD - 8}V{top - 24}"/>'
        f"{words(across(ratio), HEAD - 14, f'{ratio:g}', 'note mark')}"
        for ratio in (0.5, 1, 2, 4, 8, 16, 32)
    )
    heading = words(16, 24, f"{name}: rows, as a multiple of those with counted keys; further right is faster", "title")
    width = NAMES + WIDTH + 70
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" role="img"><title>{escape(name)}</title>'
        f'<style>{STYLE}</style><rect class="page" width="{width}" height="{top}"/>'
        f"{heading}{line}{''.join(parts)}</svg>\n"
    )


def bar(case: dict[str, Any], group: Cases, top: int) -> str:
    """Draws the median of a case with its quartiles."""
    spread = spread_of(ratios(case, group))
    kind = "leafmint" if WORDS[case["kind"]].startswith("leafmint") else "peer"
    low, middle, high = (across(value) for value in (spread.low, spread.median, spread.high))
    shade = kind if kind == "leafmint" else ""
    return (
        f"{words(32, top, WORDS[case['kind']], shade)}"
        f'<path class="{kind}" stroke-width="3" d="M{low:.1f} {top - 4}H{high:.1f}"/>'
        f'<circle class="{kind}" cx="{middle:.1f}" cy="{top - 4}" r="5"/>'
        f"{words(high + 9, top, f'{spread.median:.2f}')}"
    )


def words(left: float, top: float, text: str, kind: str = "") -> str:
    """Writes words."""
    shade = f' class="{kind}"' if kind else ""
    return f'<text x="{left:.1f}" y="{top:.1f}"{shade}>{escape(text)}</text>'
