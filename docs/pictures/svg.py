"""A drawing as an SVG file that is readable in dark and light, also for those who do not see it."""

from __future__ import annotations

from html import escape

STYLE = """
svg { --paper: #fff; --ink: #1f2328; --faint: #57606a; --edge: #8c959f;
  --time: #b2dfdb; --worker: #ffe0b2; --sequence: #d1c4e9; --datacenter: #f8bbd0;
  --good: #b2dfdb; --kept: #ffe0b2; --bad: #ffcdd2; --empty: #eceff1 }
@media (prefers-color-scheme: dark) { svg { --paper: #1e2129; --ink: #e6e8eb; --faint: #a9b1ba; --edge: #7d8590;
  --time: #00695c; --worker: #8a5200; --sequence: #51428c; --datacenter: #86275a;
  --good: #00695c; --kept: #8a5200; --bad: #8e2430; --empty: #343a43 } }
text { font: 14px system-ui, sans-serif; fill: var(--ink); text-anchor: middle }
.small { font-size: 12px; fill: var(--faint) }
.left { text-anchor: start }
.right { text-anchor: end }
.bold { font-weight: 600 }
line, path { stroke: var(--edge); fill: none; stroke-width: 1.5 }
.dashed { stroke-dasharray: 4 4 }
"""


class Picture:
    """Shapes and texts on paper of a width and a height."""

    def __init__(self, height: int, title: str, description: str, width: int = 720) -> None:
        """Starts a picture; the description says in words what it shows."""
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            ' role="img" aria-labelledby="title description">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="description">{escape(description)}</desc>',
            f"<style>{STYLE}</style>",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"'
            ' orient="auto"><path d="M1 1 7 4 1 7"/></marker></defs>',
            f'<rect width="{width}" height="{height}" rx="6" style="fill: var(--paper)"/>',
        ]

    def text(self, x: float, y: float, text: str, kind: str = "") -> None:
        """Writes a line of text; its base line is at y."""
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{_classes(kind)}>{escape(text)}</text>')

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        text: str = "",
        kind: str = "",
    ) -> None:
        """Draws a rectangle with a text in its middle."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" style="fill: var(--{fill})"/>'
        )
        lines = text.split("\n")
        for number, line in enumerate(lines):
            self.text(
                x + width / 2, y + height / 2 + 5 + 17 * (number - (len(lines) - 1) / 2), line, kind
            )

    def line(
        self, x1: float, y1: float, x2: float, y2: float, kind: str = "", arrow: bool = False
    ) -> None:
        """Draws a straight line, which may end with an arrow head."""
        head = ' marker-end="url(#head)"' if arrow else ""
        self.parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"{_classes(kind)}{head}/>'
        )

    def shape(self, points: list[tuple[float, float]], fill: str) -> None:
        """Draws a filled shape."""
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(f'<polygon points="{corners}" style="fill: var(--{fill})"/>')

    def __str__(self) -> str:
        """Returns the file."""
        return "\n".join([*self.parts, "</svg>"]) + "\n"


def _classes(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
