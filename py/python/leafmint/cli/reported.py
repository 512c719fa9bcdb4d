"""What processes report to Prometheus of the ids that they have leased."""

from __future__ import annotations

import base64
import json
import math
import re
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode, urlsplit, urlunsplit

from .. import InvalidArgumentError
from .._internal.meters import OTHER_TAGS
from .._internal.series_tags import ENDS
from .output import counted

DEADLINE = 30.0
"""Longest wait for each part of the answer, in seconds."""
MOST_BYTES = 1 << 24
MOST_NAMED = 3
EXACT = 2**53
"""Prometheus keeps numbers up to this one exactly."""
LOOK_BACK = "30d"
HIGHEST = "leafmint_ids_highest_leased"
PROCESSES = f"last_over_time(leafmint_store_up[{LOOK_BACK}])"
"""The processes that lease numbers: each reports this series, also before its first lease."""
LEASED = f"max_over_time({HIGHEST}[{LOOK_BACK}])"
SAME_GENERATOR = "on (job, instance, generator)"
OF_A_PERIOD = re.compile("@[0-9]{4}(-[0-9]{2}){0,2}$")
"""What the tag of a series ends with, unless its numbers never start again."""
ON_A_SERVER = re.compile(r".*//[^/]*/([^ ?;)]+).*(, table .*) \(scope: ")
"""The scope of a table on a server: the database is named behind the hosts."""
TOGETHER = re.compile(f"{OTHER_TAGS}|.*@({'|'.join(ENDS)})|")
"""Names that several tags are reported by."""


class NotReportedError(Exception):
    """What processes report could not be read, or none reports the tag."""


class LeftOut(NamedTuple):
    """Tags of other stores."""

    tags: int
    scopes: list[str]

    def __str__(self) -> str:
        """Says how many there are, and of which stores."""
        stores = "store" if len(self.scopes) == 1 else "stores"
        return f"{counted(self.tags, 'tag')} of {len(self.scopes)} other {stores} left out: {named(self.scopes)}"


class Reports:
    """What processes have reported to one Prometheus in the last 30 days. Each part is read when it is asked for."""

    def __init__(self, url: str, scope: str | None = None) -> None:
        """Takes the URL of the server, and the scope of the only store whose processes count, or None for all.

        Credentials in the URL go into a header.

        Raises:
            InvalidArgumentError: It is no URL of a server.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidArgumentError("--prometheus: write the URL of a server, such as http://prometheus:9090")
        host = parts.netloc.rpartition("@")[2]
        self.place: str = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
        self.scope = scope
        self.headers: dict[str, str] = {}
        if parts.username is not None:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self.headers["Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"

    def highest(self, tag: str) -> int | None:
        """Returns the highest id of a tag that any process has leased; None if none reports one."""
        found = self.ask(f"max(max_over_time({HIGHEST}{{tag={quoted(tag)}}}[{LOOK_BACK}]))")
        return max((id_of(number) for _, number in found if is_id(number)), default=None)

    def highest_of_series(self, tag: str) -> int | None:
        """Returns the highest number of all keys and periods of the series that a tag is of; None if there is none."""
        name = re.split("[/@]", tag, maxsplit=1)[0]
        return max(filter(None, (self.highest(f"{name}@{period}") for period in ENDS)), default=None)

    def every(self) -> dict[str, int]:
        """Returns the highest id of each tag that is reported by its name. A series has one number for all its tags."""
        found = self.ask(f"max by (tag) ({self.of_store(LEASED)})")
        numbers = {labels.get("tag", ""): id_of(number) for labels, number in found if is_id(number)}
        return {tag: number for tag, number in numbers.items() if not TOGETHER.fullmatch(tag)}

    def of_store(self, series: str) -> str:
        """Returns a query without the processes of other stores. One that reports no store counts."""
        return f"({series} unless {SAME_GENERATOR} ({self.others}))" if self.scope else series

    @property
    def others(self) -> str:
        """The query of the generators that were on other stores only."""
        scope = quoted(scopes_like(self.scope or ""))
        here, elsewhere = (f"last_over_time(leafmint_info{{scope{it}{scope}}}[{LOOK_BACK}])" for it in ("=~", "!~"))
        return f"{elsewhere} unless {SAME_GENERATOR} {here}"

    @cached_property
    def left_out(self) -> LeftOut | None:
        """The tags that only processes of other stores report; None if there are none."""
        if not self.scope:
            return None
        tags = self.ask(f"max by (tag) ({LEASED} and {SAME_GENERATOR} ({self.others}))")
        number = sum(is_id(number) and not TOGETHER.fullmatch(labels.get("tag", "")) for labels, number in tags)
        scopes = self.ask(f"count by (scope) (({self.others}) and {SAME_GENERATOR} {LEASED})")
        return LeftOut(number, sorted(labels.get("scope", "") for labels, _ in scopes)) if number else None

    @cached_property
    def gap(self) -> str | None:
        """Why processes may have leased more than is reported; None if all report."""
        if not self.jobs:
            whose = "this store's" if self.scope and self.left_out else "leafmint's"
            return f"{self.place} has no metrics of {whose} processes of the last 30 days: does it scrape them yet?"
        return down([instance for job, instance in self.targets_down if job in self.jobs])

    def doubt(self, tag: str) -> str | None:
        """Returns why a process may have leased from a tag that none reports; None if none has."""
        # A target of any job: one that was never scraped has shown nothing that leafmint could be known by.
        if found := self.gap or down([instance for _, instance in self.targets_down]):
            return found
        if OF_A_PERIOD.search(tag) or self.highest_of_series(tag):
            return f"{self.place} has one number for all keys and periods of a series"
        if self.highest(OTHER_TAGS):
            return f'processes report some tags only together, as the tag "{OTHER_TAGS}"'
        return None

    @cached_property
    def jobs(self) -> set[str]:
        """The jobs that have processes with leafmint."""
        return {labels.get("job", "") for labels, _ in self.ask(f"count by (job) ({self.of_store(PROCESSES)})")}

    @cached_property
    def targets_down(self) -> list[tuple[str, str]]:
        """Job and instance of each target whose last scrape failed."""
        return sorted((labels.get("job", ""), labels.get("instance", "")) for labels, _ in self.ask("up == 0"))

    def ask(self, query: str) -> list[tuple[dict[str, str], float]]:
        """Returns the labels and the number of each result of a query.

        Raises:
            NotReportedError: There is no answer, or not one of Prometheus.
        """
        # They take a sixth of the start of a command, and no other needs them.
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request, urlopen

        request = Request(f"{self.place}/api/v1/query?{urlencode({'query': query})}", headers=self.headers)
        try:
            # The scheme was checked.
            with urlopen(request, timeout=DEADLINE) as answer:
                document = json.loads(answer.read(MOST_BYTES))
        except HTTPError as error:
            raise NotReportedError(f"{self.place} answers {error.code}") from error
        except (OSError, HTTPException, ValueError) as error:
            raise NotReportedError(f"{self.place}: {getattr(error, 'reason', error)}") from error
        return results_of(document, self.place)


def results_of(document: Any, place: str) -> list[tuple[dict[str, str], float]]:
    """Returns the labels and the number of each result in an answer."""
    try:
        return [(dict(each["metric"]), float(each["value"][1])) for each in document["data"]["result"]]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise NotReportedError(f"{place} does not answer as Prometheus does") from error


def is_id(number: float) -> bool:
    """Returns whether a number can be an id: 0 is reported before the first lease."""
    return math.isfinite(number) and number > 0


def id_of(number: float) -> int:
    """Returns the id that a number shows; above 2^53, which Prometheus rounds, the next one that it has."""
    return int(number if number < EXACT else math.nextafter(number, math.inf))


def down(instances: list[str]) -> str | None:
    """Says which targets are down; None for none."""
    if not instances:
        return None
    are = "is" if len(instances) == 1 else "are"
    return f"{counted(len(instances), 'target')} of Prometheus {are} down: {named(instances)}"


def named(names: list[str]) -> str:
    """Names the first ones."""
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")


def scopes_like(scope: str) -> str:
    """Returns a regular expression of what processes may call a store.

    They may reach a database by another host, or through an engine or a data source. Of two databases with the same
    name, both count: a tag too many is seen, one too few is not.
    """
    found = ON_A_SERVER.match(scope)
    if not found:
        return re.escape(scope)
    database, table = map(re.escape, found.groups())
    return f".*//[^/]*/{database}([ ?;)].*)?{table} [(]scope: .*"


def quoted(text: str) -> str:
    """Returns the value of a label for a query."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
