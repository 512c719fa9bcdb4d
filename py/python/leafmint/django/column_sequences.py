"""Whether ids are leased from the sequences of the columns that they go to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .. import late_binding


def are_leased_from() -> bool:
    """Return whether the store leases from sequences: identity columns then keep theirs, and old code its ids."""
    bound = late_binding.current()
    return are_named(bound.url or os.environ.get("LEAFMINT_URL"), bound.options)


def are_named(url: Any, options: Mapping[str, Any]) -> bool:
    """Return whether a URL, or options, have the option `sequence`."""
    return "sequence" in options or (isinstance(url, str) and "sequence" in parse_qs(urlsplit(url).query))
