"""Tags with room below a raised AUTO_INCREMENT: old code inserts by the counter, new code by the tag, both at once."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from django.db import connections

from .. import InvalidConfigError, LateTag, StoreUnavailableError
from .._core import _check_counters
from ..late_binding import current


def has_room(tag: LateTag, table: str, using: str) -> bool:
    """Return whether both kinds of code may insert, as `leafmint migrate-from-auto-increment check` says it.

    Above the counter the tag would push it, and inserts of both would fail. Without such a room, or a counter, or if
    the tags are not in a database of MySQL or MariaDB with the table, the answer is no.

    Raises:
        StoreUnavailableError: The table is locked: nothing is known of it.
    """
    if connections[using].vendor != "mysql":
        return False
    url: Any = current().url or os.environ.get("LEAFMINT_URL")
    options = {**current().options, "eager": False}
    chosen = ([table], [(table, tag.name)])
    with suppress(InvalidConfigError):
        scope, found, (findings, _, _) = _check_counters(url, options, chosen, "both", 1, [])
        clashes = [text for level, subject, text in findings if level == "clash" and subject != scope]
        if clashes and not found:
            text = f"the tag {tag.name!r} may have room below the counter of {table}, or not: {clashes[0]}. Try again"
            raise StoreUnavailableError(text)
        return bool(found) and not clashes
    return False
