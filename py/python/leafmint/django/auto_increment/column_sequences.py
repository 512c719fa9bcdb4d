"""Whether ids are leased from the sequences of the columns that they go to."""

from __future__ import annotations

import contextlib
import os
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ... import late_binding


def are_leased_from() -> bool:
    """Return whether the store leases from sequences: identity columns then keep theirs, and old code its ids."""
    bound = late_binding.current()
    return "sequence" in bound.options or is_in(bound.url or os.environ.get("LEAFMINT_URL"))


def is_in(url: Any) -> bool:
    """Return whether a URL has the option `sequence`. A URL that cannot be read has none: opening it says why."""
    with contextlib.suppress(ValueError):
        return isinstance(url, str) and "sequence" in parse_qs(urlsplit(url).query)
    return False
