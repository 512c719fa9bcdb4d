"""What processes report to Prometheus of the ids that they have leased."""

from __future__ import annotations

import base64
import json
import math
import re
from functools import cached_property
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlencode, urlsplit, urlunsplit
from urllib.request import Request, urlopen

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
PROCESSES = f"count by (job) (last_over_time(leafmint_store_up[{LOOK_BACK}]))"
"""Which jobs have processes that lease numbers: each reports this series, also before its first lease."""
OF_A_PERIOD = re.compile("@[0-9]{4}(-[0-9]{2}){0,2}$")
"""What the tag of a series ends with, unless its numbers never start again."""


class NotReportedError(Exception):
    """What processes report could not be read, or none reports the tag."""


class Reports:
    """What processes have reported to one Prometheus in the last 30 days. Each part is read when it is asked for."""

    def __init__(self, url: str) -> None:
        """Takes the URL of the server. Its credentials go into a header.

        Raises:
            InvalidArgumentError: It is no URL of a server.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidArgumentError("--prometheus: write the URL of a server, such as http://prometheus:9090")
        host = parts.netloc.rpartition("@")[2]
        self.place: str = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
        self.headers: dict[str, str] = {}
        if parts.username is not None:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self.headers["Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"

    def highest(self, tag: str) -> int | None:
        """Returns the highest id of a tag that any process has leased; None if none reports one."""
        quoted = tag.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        found = self.ask(f'max(max_over_time({HIGHEST}{{tag="{quoted}"}}[{LOOK_BACK}]))')
        return max((id_of(number) for _, number in found if is_id(number)), default=None)

    def every(self) -> dict[str, int]:
        """Returns the highest id of each tag that is reported by its name. A series has one number for all its tags."""
        found = self.ask(f"max by (tag) (max_over_time({HIGHEST}[{LOOK_BACK}]))")
        numbers = {labels.get("tag", ""): id_of(number) for labels, number in found if is_id(number)}
        together = re.compile(f"{OTHER_TAGS}|.*@({'|'.join(ENDS)})|")
        return {tag: number for tag, number in numbers.items() if not together.fullmatch(tag)}

    @cached_property
    def gap(self) -> str | None:
        """Why processes may have leased more than is reported; None if all report."""
        if not self.jobs:
            return f"{self.place} has no metrics of leafmint's processes of the last 30 days: does it scrape them?"
        return down([instance for job, instance in self.targets_down if job in self.jobs])

    def doubt(self, tag: str) -> str | None:
        """Returns why a process may have leased from a tag that none reports; None if none has."""
        # A target of any job: one that was never scraped has shown nothing that leafmint could be known by.
        if found := self.gap or down([instance for _, instance in self.targets_down]):
            return found
        name = re.split("[/@]", tag, maxsplit=1)[0]
        if OF_A_PERIOD.search(tag) or any(self.highest(f"{name}@{period}") for period in ENDS):
            return f"{self.place} has one number for all keys and periods of a series"
        if self.highest(OTHER_TAGS):
            return f'processes report some tags only together, as the tag "{OTHER_TAGS}"'
        return None

    @cached_property
    def jobs(self) -> set[str]:
        """The jobs that have processes with leafmint."""
        return {labels.get("job", "") for labels, _ in self.ask(PROCESSES)}

    @cached_property
    def targets_down(self) -> list[tuple[str, str]]:
        """Job and instance of each target whose last scrape failed."""
        return sorted((labels.get("job", ""), labels.get("instance", "")) for labels, _ in self.ask("up == 0"))

    def ask(self, query: str) -> list[tuple[dict[str, str], float]]:
        """Returns the labels and the number of each result of a query.

        Raises:
            NotReportedError: There is no answer, or not one of Prometheus.
        """
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
    named = ", ".join(instances[:MOST_NAMED]) + (", …" if len(instances) > MOST_NAMED else "")
    return f"{counted(len(instances), 'target')} of Prometheus {'is' if len(instances) == 1 else 'are'} down: {named}"
