"""The picture of one language: the time of an id against the floor, as SVG for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from figures import Spread, number, spread_of
from measurement import Measurement, comparisons

NAMES, PANEL, GAP, ROW, HEAD, TITLE = 190, 200, 60, 24, 70, 44
"""Widths of the column of names, of a panel and of the gap after it; heights of a row, of a head and of the title."""

STYLE = """\
text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-size:16px;font-weight:600}
.note{font-size:11px;fill:#57606a}.mark{text-anchor:middle}
.page{fill:#fff}.line{stroke:#d0d7de}.floor{stroke:#57606a;stroke-dasharray:3 3}
.peer{fill:#8c959f;stroke:#8c959f}.leafmint{fill:#00796b;stroke:#00796b}text.leafmint{font-weight:600;stroke:none}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}.page{fill:#0d1117}.line{stroke:#3d444d}
.floor{stroke:#9198a1}.peer{fill:#9198a1;stroke:#9198a1}.leafmint{fill:#4db6ac;stroke:#4db6ac}}"""

Rows = dict[str, dict[int | None, Spread]]


def picture(language: str, measurements: Sequence[Measurement]) -> str:
    """Draws each group of the language that has a floor: a row for each subject, a panel for each number of threads."""
    compared = [each for each in comparisons(m for m in measurements if m.language == language) if _floor(each)]
    groups: dict[str, list[list[Measurement]]] = {}
    for each in compared:
        groups.setdefault(each[0].group, []).append(each)
    panels = max((len(group) for group in groups.values()), default=0)
    if not panels:
        return ""
    scale = _Scale([spread for group in groups.values() for row in _rows(group).values() for spread in row.values()])
    parts, top = [], TITLE
    for name, group in groups.items():
        parts.append(_group(name, group, top, scale))
        top += HEAD + ROW * len(_rows(group))
    width, height = NAMES + panels * (PANEL + GAP) + 20, top + 30
    title = f"{language}: time of one id, as a multiple of the floor"
    note = "logarithmic; dots are medians, bars quartiles; further left is faster"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f'<rect class="page" width="{width}" height="{height}"/>'
        f"{_text(16, 28, title, 'title')}{''.join(parts)}{_text(16, height - 12, note, 'note')}</svg>\n"
    )


class _Scale:
    """Puts ratios on a logarithmic axis that all panels share."""

    def __init__(self, spreads: Sequence[Spread]) -> None:
        self.low = math.floor(min(0.0, *(math.log10(spread.low) for spread in spreads)))
        self.high = math.ceil(max(1.0, *(math.log10(spread.high) for spread in spreads)))
        self.labelled = 1 if self.high - self.low <= 4 else 2

    def at(self, ratio: float) -> float:
        """Returns how far right of a panel's left edge a ratio is."""
        return PANEL * (math.log10(ratio) - self.low) / (self.high - self.low)


def _floor(compared: Sequence[Measurement]) -> Measurement | None:
    return next((each for each in compared if each.role == "floor"), None)


def _rows(group: Sequence[Sequence[Measurement]]) -> Rows:
    """Returns the ratio to the floor of each subject, by its name and number of threads."""
    rows: Rows = {}
    for compared in group:
        floor = _floor(compared)
        for each in compared:
            if floor and each is not floor:
                ratios = [mine / least for mine, least in zip(each.rounds, floor.rounds, strict=True)]
                rows.setdefault(each.name, {})[each.threads] = spread_of(ratios)
    return rows


def _group(name: str, group: Sequence[Sequence[Measurement]], top: int, scale: _Scale) -> str:
    rows, floor = _rows(group), _floor(group[0])
    parts = [_text(16, top + 18, name, "title"), _text(16, top + 36, f"floor: {floor.name if floor else ''}", "note")]
    for number_, compared in enumerate(group):
        left, threads = NAMES + number_ * (PANEL + GAP), compared[0].threads
        bottom = top + HEAD + ROW * len(rows) - 6
        parts.append(_text(left, top + 36, f"{threads} thread{'' if threads == 1 else 's'}"))
        for power in range(scale.low, scale.high + 1):
            across = left + scale.at(10.0**power)
            kind = "floor" if power == 0 else "line"
            parts.append(f'<path class="{kind}" d="M{across:.1f} {top + 58}V{bottom}"/>')
            if power % scale.labelled == 0:
                parts.append(_text(across, top + 54, f"{10.0**power:g}", "note mark"))
        parts += [
            _subject(left, top + HEAD + ROW * at, row[threads], _kind(subject), scale)
            for at, (subject, row) in enumerate(rows.items())
            if threads in row
        ]
    parts += [_text(16, top + HEAD + ROW * at + 8, subject, _kind(subject)) for at, subject in enumerate(rows)]
    return "".join(parts)


def _kind(subject: str) -> str:
    return "leafmint" if subject.startswith("leafmint") else "peer"


def _subject(left: float, top: float, spread: Spread, kind: str, scale: _Scale) -> str:
    low, middle, high = (left + scale.at(value) for value in (spread.low, spread.median, spread.high))
    return (
        f'<path class="{kind}" stroke-width="3" d="M{low:.1f} {top + 4}H{high:.1f}"/>'
        f'<circle class="{kind}" cx="{middle:.1f}" cy="{top + 4}" r="5"/>'
        f"{_text(high + 9, top + 8, number(spread.median))}"
    )


def _text(left: float, top: float, words: str, kind: str = "") -> str:
    # The names of peers are read, not compared: they are as dark as other text.
    shade = f' class="{kind}"' if kind and kind != "peer" else ""
    return f'<text x="{left:.1f}" y="{top:.1f}"{shade}>{escape(words)}</text>'
