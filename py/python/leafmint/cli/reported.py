"""The highest id that processes report to Prometheus."""

from __future__ import annotations

import base64
import json
import math
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlencode, urlsplit, urlunsplit
from urllib.request import Request, urlopen

from .. import InvalidArgumentError

DEADLINE = 10.0
"""Longest wait for each part of the answer, in seconds."""
MOST_BYTES = 1 << 20
EXACT = 2**53
"""Prometheus keeps numbers up to this one exactly."""


class NotReportedError(Exception):
    """What processes report could not be read, or none reports the tag."""


class NoNumberError(NotReportedError):
    """Prometheus answers, and no process has leased an id of the tag."""


def highest_reported(url: str, tag: str) -> int:
    """Asks Prometheus for the highest id of a tag that any process reported within 30 days.

    Raises:
        NotReportedError: There is no answer, or no such metric.
    """
    request, place = request_of(url, query_of(tag))
    try:
        # The scheme was checked.
        with urlopen(request, timeout=DEADLINE) as answer:
            document = json.loads(answer.read(MOST_BYTES))
    except HTTPError as error:
        raise NotReportedError(f"{place} answers {error.code}") from error
    except (OSError, HTTPException, ValueError) as error:
        raise NotReportedError(f"{place}: {getattr(error, 'reason', error)}") from error
    return number_of(document, place)


def query_of(tag: str) -> str:
    """Returns the query, with the tag as a string of PromQL."""
    quoted = tag.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'max(max_over_time(leafmint_ids_highest_leased{{tag="{quoted}"}}[30d]))'


def request_of(url: str, query: str) -> tuple[Request, str]:
    """Returns a request and its address without credentials, which go into a header."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidArgumentError("--prometheus: write the URL of a server, such as http://prometheus:9090")
    host = parts.netloc.rpartition("@")[2]
    place = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
    request = Request(f"{place}/api/v1/query?{urlencode({'query': query})}")
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_header("Authorization", f"Basic {base64.b64encode(login.encode()).decode()}")
    return request, place


def number_of(document: Any, place: str) -> int:
    """Returns the number of an answer; above 2^53, which Prometheus rounds, the next one that it has."""
    try:
        found = [float(each["value"][1]) for each in document["data"]["result"]]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise NotReportedError(f"{place} does not answer as Prometheus does") from error
    numbers = [number for number in found if math.isfinite(number) and number > 0]
    if not numbers:
        raise NoNumberError(f"{place} knows of no process that has leased an id of the tag")
    highest = max(numbers)
    return int(highest if highest < EXACT else math.nextafter(highest, math.inf))
