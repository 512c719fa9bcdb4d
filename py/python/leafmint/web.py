"""A page that shows what generators, their store and their holder do, to mount in an ASGI or a WSGI application.

It is read-only and has no log-in of its own: mount it behind the authentication of the application. Below its path it
answers `/` with the page and `/status.json` with what the page shows, and nothing else.

>>> import leafmint
>>> from leafmint.web import make_wsgi_app
>>> application = make_wsgi_app(leafmint.SegmentGenerator("memory://web"))
>>> request = {"REQUEST_METHOD": "GET", "PATH_INFO": "/"}
>>> _ = application(request, lambda status, headers: print(status, headers[0]))
200 OK ('Content-Type', 'text/html; charset=utf-8')
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

from ._internal.meters import Generator, Sources
from ._internal.page_answers import answer_to, asks_for_status
from ._internal.status_reader import StatusReader
from .records import AuditReport

__all__ = ["make_asgi_app", "make_wsgi_app"]

_Message: TypeAlias = MutableMapping[str, Any]
_Asgi: TypeAlias = Callable[
    [_Message, Callable[[], Awaitable[_Message]], Callable[[_Message], Awaitable[None]]], Awaitable[None]
]
_Wsgi: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def make_asgi_app(*generators: Generator, audit: Callable[[], AuditReport] | None = None) -> _Asgi:
    """Makes an ASGI application, to mount in FastAPI, Starlette or Litestar.

    The store is read on another thread, for at most three seconds, and at most every two seconds.

    Args:
        *generators: The generators to show. Without any, those of `leafmint.tag` and `leafmint.snowflake`, whenever
            they are open. Of several of a kind, the first one's store or holder is read. It keeps none alive.
        audit: Reads how far keys are used, as `lambda: leafmint.audit(engine)`; None shows no keys. It is called in the
            background, every ten minutes at most while clients ask, and nothing waits for it.

    Example:
        >>> from fastapi import FastAPI
        >>> from leafmint.web import make_asgi_app
        >>> app = FastAPI()
        >>> app.mount("/leafmint", make_asgi_app())
    """
    reader = StatusReader(Sources(generators, {}), audit)

    async def application(
        scope: _Message, receive: Callable[[], Awaitable[_Message]], send: Callable[[_Message], Awaitable[None]]
    ) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            raise NotImplementedError(f"the page of leafmint has no {scope['type']}")
        method, mounted = scope["method"], scope.get("root_path", "")
        path = scope["path"].removeprefix(mounted)
        status = await reader.read_async() if asks_for_status(method, path) else b""
        answer = answer_to(method, path, mounted, status)
        headers = [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in answer.headers.items()]
        await send({"type": "http.response.start", "status": answer.status.value, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    return application


def make_wsgi_app(*generators: Generator, audit: Callable[[], AuditReport] | None = None) -> _Wsgi:
    """Makes a WSGI application, to mount by Werkzeug's `DispatcherMiddleware` or in a server of WSGI.

    Args:
        *generators: As of `make_asgi_app`.
        audit: As of `make_asgi_app`.

    Example:
        >>> from flask import Flask
        >>> from leafmint.web import make_wsgi_app
        >>> from werkzeug.middleware.dispatcher import DispatcherMiddleware
        >>> app = Flask("shop")
        >>> app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/leafmint": make_wsgi_app()})
    """
    reader = StatusReader(Sources(generators, {}), audit)

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
        status = reader.read() if asks_for_status(method, path) else b""
        # WSGI has the bytes of a path as characters of Latin-1.
        mounted = environ.get("SCRIPT_NAME", "").encode("latin-1").decode("utf-8", "replace")
        answer = answer_to(method, path, mounted, status)
        start_response(f"{answer.status.value} {answer.status.phrase}", list(answer.headers.items()))
        return [answer.body]

    return application
