"""What a web application answers to requests for the page and for its status document."""

from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import quote

from .page import ADDRESS, PAGE, POLICY

METHODS = ("GET", "HEAD")
SAFE = {
    "Cache-Control": "no-store",
    # A header can also forbid frames, unlike the page.
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every answer."""


class Answer(NamedTuple):
    """An answer to a request."""

    status: HTTPStatus
    headers: dict[str, str]
    body: bytes


def asks_for_status(method: str, path: str) -> bool:
    """Returns whether a request needs a document to be read."""
    return method in METHODS and path == f"/{ADDRESS}"


def answer_to(method: str, path: str, mounted: str, status: bytes = b"") -> Answer:
    """Answers a request.

    Args:
        method: The method.
        path: The path below where the page is mounted.
        mounted: Where that is.
        status: The document as JSON, if the request asks for it.
    """
    code, headers, body = found(method, path, mounted, status)
    headers |= SAFE | {"Content-Length": str(len(body))}
    return Answer(code, headers, b"" if method == "HEAD" else body)


def found(method: str, path: str, mounted: str, status: bytes) -> Answer:
    """Returns what an answer is about."""
    if method not in METHODS:
        return plain(HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": ", ".join(METHODS)})
    if path == f"/{ADDRESS}":
        return Answer(HTTPStatus.OK, {"Content-Type": "application/json"}, status)
    if path == "" and (last := mounted.rpartition("/")[2]):
        # Without the slash the page would look for its document elsewhere. Relative, since a proxy may rewrite paths.
        return plain(HTTPStatus.PERMANENT_REDIRECT, {"Location": f"{quote(last)}/"})
    if path in ("", "/"):
        return Answer(HTTPStatus.OK, {"Content-Type": "text/html; charset=utf-8"}, PAGE.encode())
    return plain(HTTPStatus.NOT_FOUND, {})


def plain(status: HTTPStatus, headers: dict[str, str]) -> Answer:
    """Returns an answer that has its own phrase as text."""
    return Answer(status, {"Content-Type": "text/plain; charset=utf-8", **headers}, status.phrase.encode())
