"""The page of the inserts: a table for a terminal, several for the page, and a picture."""

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
BATCH = 50
"""The orders of a commit with which the page begins."""


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
    """Makes the page: what each framework gains, then all figures."""
    cases: Cases = raw["cases"]
    parts = [
        "# Rows a second",
        "How many rows a framework inserts with leafmint's keys: orders with two lines each, as a multiple of the rows"
        " with keys that the database counts (`IDENTITY`, `AUTO_INCREMENT`), and of the rows with the fastest other"
        " key. Segments, 50 orders a commit; medians of interleaved rounds of one run of `make bench-apps`.",
        gains(cases),
        "![Rows of each framework, as a multiple of those with counted keys](rows.svg)",
        "Where it is not first, and what else decides: [README](README.md#rows-a-second).",
    ]
    for (database, milliseconds), group in grouped(cases, "database", "milliseconds").items():
        parts += [f"## {place(database, milliseconds)}", "Medians with quartiles.", rows(group)]
        if milliseconds:
            parts += ["Round trips for a row:", trips(group)]
    parts += ["## Size of indexes", sizes(raw["sizes"]), "## The machine"]
    return "\n\n".join([*parts, "\n".join(f"* {name}: {fact}" for name, fact in raw["facts"].items())])


def place(database: str, milliseconds: float) -> str:
    """Names a database at a distance."""
    return f"{database}, {milliseconds:g} ms away" if milliseconds else database


def best_peer(group: Cases) -> dict[str, Any]:
    """Returns the fastest case without leafmint."""
    peers = [case for case in group if not WORDS[case["kind"]].startswith("leafmint")]
    return min(peers, key=lambda case: statistics.median(case["seconds"]))


def shop_cases(cases: Cases) -> dict[str, dict[str, Cases]]:
    """Returns the cases that the page begins with, by framework and place."""
    found: dict[str, dict[str, Cases]] = {}
    for (framework, database, milliseconds, batch), group in grouped(
        cases, "framework", "database", "milliseconds", "batch"
    ).items():
        if batch == BATCH:
            found.setdefault(framework, {})[place(database, milliseconds)] = group
    return found


def gains(cases: Cases) -> str:
    """Makes the table that answers what a user gains."""
    found = shop_cases(cases)
    places = list(dict.fromkeys(where for groups in found.values() for where in groups))
    lines = ["| | " + " | ".join(places) + " |", "|---" * (len(places) + 1) + "|"]
    for framework, groups in found.items():
        cells = " | ".join(gain(groups[where]) if where in groups else "" for where in places)
        lines.append(f"| {framework} | {cells} |")
    return "\n".join(lines)


def gain(group: Cases) -> str:
    """Writes the rows of segments against counted keys and against the fastest other key."""
    segment = next(case for case in group if case["kind"] == "segment")
    peer = best_peer(group)
    against = statistics.median(other / mine for mine, other in zip(segment["seconds"], peer["seconds"], strict=True))
    own = f"**{statistics.median(ratios(segment, group)):.2f}**"
    return own if peer["kind"] == BASE else f"{own}; {against:.2f} of {WORDS[peer['kind']]}"


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


NAMES, WIDTH, ROW, HEAD = 240, 420, 20, 74
LEAST, MOST = 0.5, 32.0
"""The ends of the axis, in times the rows of counted keys."""


def across(ratio: float) -> float:
    """Returns how far right a ratio is, on a logarithmic axis."""
    inside = min(max(ratio, LEAST), MOST)
    return NAMES + WIDTH * math.log(inside / LEAST) / math.log(MOST / LEAST)


def picture(cases: Cases) -> str:
    """Draws a block for each framework, with a line for each database and distance."""
    parts, top = [], HEAD + 16
    for framework, groups in shop_cases(cases).items():
        parts.append(words(16, top, framework))
        for where, group in groups.items():
            top += ROW
            parts.append(bar(where, group, top))
        top += ROW + 14
    line = "".join(
        f'<path class="{"floor" if ratio == 1 else "line"}" d="M{across(ratio):.1f} {HEAD - 8}V{top - 28}"/>'
        f"{words(across(ratio), HEAD - 14, f'{ratio:g}', 'note mark')}"
        for ratio in (0.5, 1, 2, 4, 8, 16, 32)
    )
    title = "Rows inserted, as a multiple of those with IDENTITY or AUTO_INCREMENT"
    note = (
        f"{BATCH} orders with lines a commit; green: leafmint's segments, grey: the fastest other key; bars: quartiles"
    )
    width = NAMES + WIDTH + 70
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" role="img"><title>{escape(title)}</title>'
        f'<style>{STYLE}</style><rect class="page" width="{width}" height="{top}"/>'
        f"{words(16, 24, title, 'title')}{words(16, 42, note, 'note')}{line}{''.join(parts)}</svg>\n"
    )


def bar(where: str, group: Cases, top: int) -> str:
    """Draws segments with their quartiles, and the fastest other key."""
    spread = spread_of(ratios(next(case for case in group if case["kind"] == "segment"), group))
    peer = across(statistics.median(ratios(best_peer(group), group)))
    low, middle, high = (across(value) for value in (spread.low, spread.median, spread.high))
    return (
        f"{words(32, top, where, 'note')}"
        f'<circle class="peer" cx="{peer:.1f}" cy="{top - 4}" r="4"/>'
        f'<path class="leafmint" stroke-width="3" d="M{low:.1f} {top - 4}H{high:.1f}"/>'
        f'<circle class="leafmint" cx="{middle:.1f}" cy="{top - 4}" r="5"/>'
        f"{words(max(high, peer) + 9, top, f'{spread.median:.2f}', 'leafmint')}"
    )


def words(left: float, top: float, text: str, kind: str = "") -> str:
    """Writes words."""
    shade = f' class="{kind}"' if kind else ""
    return f'<text x="{left:.1f}" y="{top:.1f}"{shade}>{escape(text)}</text>'
