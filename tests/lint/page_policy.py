#!/usr/bin/env python3
"""Checks that the page's policy allows its script and its style, by their hashes; `--write` writes them."""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "py/python/leafmint/files/page.html"


def with_hashes(text: str) -> str:
    """Returns the page with the hashes of what is between its tags."""
    for tag in ("script", "style"):
        content = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert content, f"the page has no <{tag}>"
        digest = base64.b64encode(hashlib.sha256(content[1].encode()).digest()).decode()
        text = re.sub(f"{tag}-src '[^']*'", f"{tag}-src 'sha256-{digest}'", text, count=1)
    return text


def main() -> None:
    """Writes the hashes, or ends with 1 if they are not those of the page."""
    text = PAGE.read_text(encoding="utf-8")
    wanted = with_hashes(text)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(wanted, encoding="utf-8")
    elif text != wanted:
        sys.exit(f"{PAGE.name}: the hashes of its policy are old: run {Path(__file__).name} --write")


if __name__ == "__main__":
    main()
