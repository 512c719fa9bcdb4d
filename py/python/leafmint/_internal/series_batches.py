"""Numbers of a series for several documents: one draw for each period, in the order of the documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._core import SeriesNumber, _Period

LENGTHS: dict[str, int] = {"day": 10, "month": 7, "year": 4, "forever": 0}
"""How many characters of a date name its period."""


def texts_of(
    period: _Period, dates: list[date | None], draw: Callable[[int, date | None], list[SeriesNumber]]
) -> list[str]:
    """Return the text for each document, as if the numbers were taken one by one.

    `None` is the present date. Beside other dates it may be of a period of theirs, and only the order of single draws
    is that of the documents.
    """
    if None in dates and any(day is not None for day in dates):
        return [draw(1, day)[0].text for day in dates]
    places: defaultdict[Any, list[int]] = defaultdict(list)
    for place, day in enumerate(dates):
        # What is no date is refused by the series.
        is_date = isinstance(day, date) and not isinstance(day, datetime)
        places[str(day)[: LENGTHS[period]] if is_date else None if day is None else place].append(place)
    texts = [""] * len(dates)
    for of_period in places.values():
        numbers = draw(len(of_period), dates[of_period[0]])
        for place, number in zip(of_period, numbers, strict=True):
            texts[place] = number.text
    return texts
