"""Times, durations and numbers in words, for a screen."""

from __future__ import annotations

from datetime import datetime, timedelta

from .output import columns_of, printable

UNITS = (("days", 86_400), ("h", 3600), ("min", 60), ("s", 1))


def lasting(duration: timedelta) -> str:
    """Returns a duration in its largest unit, such as "3 min"."""
    seconds = max(duration.total_seconds(), 0)
    unit, length = next((it for it in UNITS if seconds >= it[1]), UNITS[-1])
    number = int(seconds // length)
    return f"{number:,} {'day' if unit == 'days' and number == 1 else unit}"


def ago(text: str | None, now: datetime) -> str | None:
    """Returns how long ago a time was, or in how long it will be, such as "3 min ago" or "in 9 min"."""
    if text is None:
        return None
    passed = now - moment(text)
    return f"{lasting(passed)} ago" if passed >= timedelta() else f"in {lasting(-passed)}"


def moment(text: str) -> datetime:
    """Reads a time of a document."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def shortened(value: object, width: int) -> str:
    """Returns printable text of at most this many columns."""
    text = printable(value)
    if columns_of(text) <= width:
        return text
    kept, room = "", width - 1
    for letter in text:
        room -= columns_of(letter)
        if room < 0:
            break
        kept += letter
    return f"{kept}…"
