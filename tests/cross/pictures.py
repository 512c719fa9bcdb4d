"""Makes the pictures of docs/page.md: `python tests/cross/pictures.py`."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests/servers")]

from browser import started  # noqa: E402
from leafmint._internal.page import page_of  # noqa: E402

PICTURES = {
    "page": (960, 1160, "light", "header"),
    "page-dark": (960, 780, "dark", "#process"),
    "page-phone": (360, 720, "light", "#workers"),
}
"""Width, height, colour scheme, and what is at the top."""

TAGS = ["order", "customer", "invoice_line", "<script>alert(1)</script>", "shipment", "refund"]
WORKERS = [(0, True, "10:09:58", "10.0.0.7"), (1, True, "10:07:12", "10.0.0.8"), (2, False, "09:12:40", "10.0.0.9")]


def document() -> dict[str, Any]:
    """Returns the example of a status document with some more rows."""
    example: dict[str, Any] = json.loads((TOP / "tests/vectors/status.json").read_text())
    (tag,), (worker,), (key,) = example["tags"], example["workers"], example["keys"]
    figures = example["process"]["tags"]["order"]
    example["tags"] = [
        {**tag, "name": name, "description": None, "max_id": str(52001 * 7**place)} for place, name in enumerate(TAGS)
    ]
    example["workers"] = [
        {**worker, "worker_id": number, "held": held, "horizon": f"2026-11-29T{at}.000Z", "endpoint": f"{host}:8080"}
        for number, held, at, host in WORKERS
    ]
    example["keys"] += [{**key, "table": "customer", "used": "912004117", "days_left": None}]
    well = {"failures_in_a_row": 0, "refill_failures": 0, "last_error": None}
    example["process"]["tags"] |= {"customer": {**figures, **well}}
    return {**example, "errors": []}


def main() -> None:
    """Writes the pictures."""
    folder = TOP / "docs/pictures"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, started(Path(place) / "profile") as browser:
        file = Path(place) / "report.html"
        file.write_text(page_of(document()), encoding="utf-8")
        for name, (width, height, scheme, top) in PICTURES.items():
            browser.open(file.as_uri(), width=width, height=height, scheme=scheme)
            browser.type("#ids", "2116681624581074986")
            browser.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
            browser.run("document.querySelector(arguments[0]).scrollIntoView()", top)
            browser.driver.save_screenshot(str(folder / f"{name}.png"))


if __name__ == "__main__":
    main()
