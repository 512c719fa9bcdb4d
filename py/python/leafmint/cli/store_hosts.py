"""How each host of a fail-over list is: whether it answers, how fast, and how its tags compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from .. import LeafmintError, SegmentGenerator, TagInfo
from .._internal.status import Status
from .hosts import NO_TABLE, places_of
from .opened import segments
from .stores import Place

Numbers = dict[str, int]
"""What is leased next of each tag."""


class Look(NamedTuple):
    """What one host says."""

    answered: float | None = None
    problem: str | None = None
    numbers: Numbers | None = None


class StoreHosts:
    """The hosts of a list, which are read again and again with the same connections."""

    def __init__(self, place: Place | None, options: Mapping[str, Any]) -> None:
        """Opens each host alone, without connecting."""
        listed = places_of(place) if place else []
        self.hosts: dict[str, SegmentGenerator] = {host: segments(alone, options) for host, alone in listed}

    def add_to(self, status: Status) -> None:
        """Adds each host to a status whose store was read, with the tags that it leases from a lower number or higher.

        The store was read before the others, so that a tag that is lower at one of them lags. If one is higher, the
        store is read once more: a process may have leased in between.
        """
        if not self.hosts:
            return
        store: dict[str, Any] = status.document["store"]
        own, others = store["host"], [host for host in self.hosts if host != store["host"]]
        with ThreadPoolExecutor(max(len(others), 1)) as pool:
            looks = dict(zip(others, pool.map(lambda host: look_at(self.hosts[host]), others), strict=True))
        before = {} if store["is_new"] else None if status.tags is None else numbers_of(status.tags)
        after = before
        if before is not None and any(lower(before, look.numbers) for look in looks.values()):
            after = look_at(self.hosts[own]).numbers
        looks[own] = Look(store["answered"], None, before)
        store["hosts"] = [
            {
                "host": host,
                "answered": looks[host].answered,
                "behind": lower(looks[host].numbers, before),
                "ahead": lower(after, looks[host].numbers),
                "problem": looks[host].problem,
            }
            for host in self.hosts
        ]


def look_at(ids: SegmentGenerator) -> Look:
    """Reads one host."""
    try:
        found = ids.check()
        answered = found.round_trip.total_seconds()
        return Look(answered, NO_TABLE) if found.is_new else Look(answered, None, numbers_of(ids.list_tags()))
    except LeafmintError as error:
        return Look(problem=NO_TABLE if error.reason == "missing_table" else f"{error.code}: {error}")


def numbers_of(tags: Iterable[TagInfo]) -> Numbers:
    """Returns what is leased next of each tag; 0 of one that cannot be used."""
    return {tag.name: tag.max_id or 0 for tag in tags}


def lower(these: Numbers | None, those: Numbers | None) -> int | None:
    """Returns how many tags have a lower number here than there, or are missing here."""
    if these is None or those is None:
        return None
    return sum(these.get(name, -1) < number for name, number in those.items())
