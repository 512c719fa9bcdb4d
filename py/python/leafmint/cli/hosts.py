"""The hosts of a fail-over list: which one answered, and whether the others agree before something is changed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .. import InvalidConfigError, LeafmintError, SegmentGenerator, SnowflakeGenerator, StoreUnavailableError
from .._core import _hosts_of
from .failure import Refusal
from .stores import Place

T = TypeVar("T")

NO_TABLE = "no such table"


def places_of(place: Place) -> list[tuple[str, Place]]:
    """Returns each host of a list with a place that is that host alone; none without a list."""
    hosts = _hosts_of(place.source) if isinstance(place.source, str) else []
    return [(host, Place(url, place.options, place.snowflake_options)) for host, url in hosts]


def chosen(args: Namespace, place: Place) -> Place:
    """Returns the place, or the one of its hosts that `--host` names."""
    return chosen_of(args, place)[0]


def chosen_of(args: Namespace, *places: Place) -> list[Place]:
    """Returns the places, of each list that has it only the host that `--host` names."""
    if not args.host:
        return list(places)
    alone = [dict(places_of(place)) for place in places]
    if not any(args.host in hosts for hosts in alone):
        listed = ", ".join(host for hosts in alone for host in hosts)
        raise InvalidConfigError(f"--host {args.host} is none of the URL's hosts: {listed or 'it lists one'}")
    return [hosts.get(args.host, place) for hosts, place in zip(alone, places, strict=True)]


def heading(generator: SegmentGenerator | SnowflakeGenerator) -> str:
    """Returns what a list begins with: the scope, and the host that answered, if there are several."""
    return f"{generator.scope}{answered_by(generator, chr(10) + 'host: ')}"


def answered_by(generator: SegmentGenerator | SnowflakeGenerator, before: str = " at ") -> str:
    """Returns the host that answered, behind some text; nothing without a list."""
    host = generator.stats().host
    return f"{before}{host}" if host else ""


def first_answer(place: Place, read: Callable[[Place], T]) -> tuple[str | None, T]:
    """Reads from the first host of a list that answers, and returns its name; None without a list."""
    errors = []
    for host, alone in places_of(place):
        try:
            return host, read(alone)
        except StoreUnavailableError as error:
            errors.append(str(error))
    if errors:
        raise StoreUnavailableError("; ".join(errors))
    return None, read(place)


def check_agreement(args: Namespace, place: Place, about: str, look: Callable[[Place], str]) -> None:
    """Refuses to change anything if two hosts of a list can be written to and have something else.

    A host that does not answer, and a replica that only reads, are left alone.
    """
    places = [] if args.host else places_of(place)
    if not places:
        return
    with ThreadPoolExecutor(len(places)) as pool:
        looks = pool.map(lambda it: (it[0], state_of(it[1], look)), places)
    found = {host: state for host, state in looks if state is not None}
    if len(set(found.values())) > 1:
        shown = ", ".join(f"{host} has {state}" for host, state in found.items())
        options = " or ".join(f"--host {host}" for host in found)
        text = f"the hosts of the list differ about {about}: {shown}. Nothing was changed: name the host that the "
        raise Refusal("hosts_differ", f"{text}processes use, {options}")


def state_of(place: Place, look: Callable[[Place], str]) -> str | None:
    """Returns what a host has; None if it does not answer, or only reads."""
    try:
        return look(place)
    except StoreUnavailableError:
        return None
    except LeafmintError as error:
        return NO_TABLE if error.reason == "missing_table" else f"the error {error.code}"
