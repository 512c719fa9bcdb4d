"""The page that shows a status document: `files/page.html`."""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

PLACE = '<script type="application/json" id="status">{}</script>'
"""The element of the page with its document, or with the address of one."""
ADDRESS = "status.json"
"""Where the page looks for a document if none is embedded."""
PAGE = (files("leafmint") / "files" / "page.html").read_text(encoding="utf-8")
"""The page as it is served: it reads its document from the address next to it."""
POLICY = "".join(re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', PAGE))
"""Its content security policy."""


def page_of(status: Mapping[str, Any] | None) -> str:
    """Returns the page with a document in it; without one it only decodes ids."""
    # No text of the document can end the element, or begin a comment in it.
    embedded = json.dumps(status, separators=(",", ":")).replace("<", "\\u003c")
    return PAGE.replace(PLACE.format(f'"{ADDRESS}"'), PLACE.format(embedded))
