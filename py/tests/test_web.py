"""The page in ASGI and WSGI applications: what it answers, and what clients and a silent store cannot do to it."""

from __future__ import annotations

import asyncio
import doctest
import io
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import leafmint
import leafmint.web
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from flask import Flask
from leafmint._internal import status_reader
from leafmint._internal.page import PAGE, POLICY
from leafmint.web import make_asgi_app, make_wsgi_app
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.websockets import WebSocketDisconnect
from testing import SENTINEL, UNREACHABLE, run_python, vector
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client


class Answered(NamedTuple):
    """An answer, with the names of its headers in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes


Get: TypeAlias = Callable[..., Answered]
Open: TypeAlias = Callable[..., Get]


def in_asgi(application: Any) -> Get:
    """Return what asks an ASGI application."""
    client = TestClient(application, follow_redirects=False)

    def get(path: str, method: str = "GET") -> Answered:
        answer = client.request(method, path)
        return Answered(answer.status_code, dict(answer.headers), answer.content)

    return get


def in_wsgi(application: Any) -> Get:
    """Return what asks a WSGI application."""
    client = Client(application)

    def get(path: str, method: str = "GET") -> Answered:
        answer = client.open(path, method=method)
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Answered(answer.status_code, headers, answer.get_data())

    return get


def in_fastapi(*generators: Any, **options: Any) -> Get:
    """Mount the page in FastAPI."""
    app = FastAPI()
    app.mount("/leafmint", make_asgi_app(*generators, **options))
    return in_asgi(app)


def in_starlette(*generators: Any, **options: Any) -> Get:
    """Mount the page in Starlette, below another mount."""
    inner = Starlette(routes=[Mount("/leafmint", make_asgi_app(*generators, **options))])
    get = in_asgi(Starlette(routes=[Mount("/ops", inner)]))
    return lambda path, method="GET": get(f"/ops{path}", method)


def in_flask(*generators: Any, **options: Any) -> Get:
    """Mount the page next to Flask."""
    return in_wsgi(DispatcherMiddleware(Flask("shop"), {"/leafmint": make_wsgi_app(*generators, **options)}))


def in_plain_wsgi(*generators: Any, **options: Any) -> Get:
    """Call the application as a server does, and check both against the specification of WSGI."""
    application = validator(make_wsgi_app(*generators, **options))

    def get(path: str, method: str = "GET") -> Answered:
        environ: dict[str, Any] = {"REQUEST_METHOD": method, "SCRIPT_NAME": "/leafmint", "wsgi.input": io.BytesIO()}
        environ |= {"PATH_INFO": path.removeprefix("/leafmint"), "QUERY_STRING": ""}
        setup_testing_defaults(environ)
        started: list[tuple[int, dict[str, str]]] = []

        def start(status: str, headers: list[tuple[str, str]], error: Any = None) -> Callable[[bytes], object]:
            started.append((int(status[:3]), {name.lower(): value for name, value in headers}))
            return lambda written: None

        parts = application(environ, start)
        try:
            body = b"".join(parts)
        finally:
            parts.close()  # type: ignore[attr-defined]
        return Answered(*started[0], body)

    return get


@pytest.fixture(params=[in_fastapi, in_starlette, in_flask, in_plain_wsgi])
def mounted(request: pytest.FixtureRequest) -> Open:
    """What mounts the page at /leafmint for some generators, and returns what asks it."""
    opened: Open = request.param
    return opened


def test_the_page_and_its_document_are_answered_and_nothing_else(mounted: Open, ids: leafmint.SegmentGenerator) -> None:
    get = mounted(ids)
    shown = get("/leafmint/")
    assert (shown.status, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert shown.body.decode() == PAGE
    status = get("/leafmint/status.json")
    assert (status.status, status.headers["content-type"]) == (200, "application/json")
    assert json.loads(status.body).keys() == vector("status").keys()
    for path in ("x", "page.html", "status.json/", "x/status.json", "%2e%2e/status.json"):
        assert get(f"/leafmint/{path}").status == 404
    without_slash = get("/leafmint")
    assert without_slash.status in (307, 308)
    assert without_slash.headers["location"].endswith("leafmint/")


def test_a_redirection_names_where_the_page_is_mounted_in_any_script(ids: leafmint.SegmentGenerator) -> None:
    place = "/ops/\u5e97".encode().decode("latin-1")
    answer = in_wsgi(DispatcherMiddleware(Flask("shop"), {place: make_wsgi_app(ids)}))("/ops/\u5e97")
    assert (answer.status, answer.headers["location"]) == (308, "%E5%BA%97/")


@pytest.mark.parametrize("path", ["", "status.json", "x"])
def test_every_answer_has_the_policy_and_is_stored_nowhere(
    mounted: Open, ids: leafmint.SegmentGenerator, path: str
) -> None:
    headers = mounted(ids)(f"/leafmint/{path}").headers
    assert headers["content-security-policy"] == f"{POLICY}; frame-ancestors 'none'"
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_it_can_only_be_read(mounted: Open, ids: leafmint.SegmentGenerator) -> None:
    get = mounted(ids)
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        refused = get("/leafmint/status.json", method)
        assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")
    for path in ("", "status.json"):
        whole, head = get(f"/leafmint/{path}"), get(f"/leafmint/{path}", "HEAD")
        assert (head.status, head.body) == (200, b"")
        assert head.headers["content-length"] == whole.headers["content-length"] == str(len(whole.body))


def test_the_document_has_store_holder_and_the_figures_of_this_process(
    mounted: Open, ids: leafmint.SegmentGenerator, flakes: leafmint.SnowflakeGenerator
) -> None:
    ids.tag("order").next_ids(3)
    flakes.next_id()
    document = json.loads(mounted(ids, flakes)("/leafmint/status.json").body)
    assert [tag["name"] for tag in document["tags"]] == ["order"]
    assert document["process"]["tags"]["order"]["issued"] == "3"
    assert document["process"]["snowflake"]["worker_id"] == document["workers"][0]["worker_id"]
    assert document["errors"] == []


def test_a_tag_that_is_refused_is_shown_with_its_error_and_counted_by_its_code(mounted: Open, tmp_path: Path) -> None:
    with leafmint.SegmentGenerator(f"sqlite:///{tmp_path}/ids.db", auto_create=False) as strict:
        strict.create_tag("order")
        before = datetime.now(timezone.utc)
        with pytest.raises(leafmint.UnknownTagError):
            strict.tag("parcel").next_id()
        process = json.loads(mounted(strict)("/leafmint/status.json").body)["process"]
    parcel = process["tags"]["parcel"]
    assert 'tag "parcel" is not in ' in parcel["last_error"]
    assert abs(datetime.fromisoformat(parcel["last_error_at"].replace("Z", "+00:00")) - before) < timedelta(minutes=1)
    assert (parcel["failed_calls"], process["store_up"]) == (1, True)
    assert process["failures"]["unknown_tag"] >= 1
    assert process["failures"]["store_unavailable"] == 0


def test_without_generators_the_late_bound_ones_are_shown_once_they_are_open(tmp_path: Any) -> None:
    get = in_fastapi()
    leafmint.configure(f"sqlite:///{tmp_path}/late.db")
    try:
        assert json.loads(get("/leafmint/status.json").body)["store"] is None
        leafmint.tag("order").next_id()
        get = in_fastapi()
        assert json.loads(get("/leafmint/status.json").body)["process"]["tags"].keys() == {"order"}
    finally:
        leafmint.close()
        leafmint.configure()


def test_many_clients_read_the_store_once_in_two_seconds(mounted: Open, ids: leafmint.SegmentGenerator) -> None:
    get, began = mounted(ids), time.monotonic()
    moments = {json.loads(get("/leafmint/status.json").body)["read"] for _ in range(50)}
    assert len(moments) <= 1 + (time.monotonic() - began) / status_reader.LEAST_AGE


def test_a_store_that_is_away_is_named_without_its_password_and_the_process_is_shown(mounted: Open) -> None:
    with leafmint.SegmentGenerator(UNREACHABLE, timeout=1) as ids:
        body = mounted(ids)("/leafmint/status.json").body
    document = json.loads(body)
    assert [error["code"] for error in document["errors"]] == ["store_unavailable"]
    assert document["process"]["tags"] == {}
    assert SENTINEL not in body.decode()


@pytest.fixture
def silent() -> Iterator[leafmint.SegmentGenerator]:
    """A generator on a server that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"mysql://root@127.0.0.1:{server.getsockname()[1]}/leafmint"
        ids = leafmint.SegmentGenerator(url, timeout=60, connect_timeout=60)
        yield ids
        ids.close()


def test_a_silent_store_delays_an_answer_up_to_the_deadline(
    mounted: Open, silent: leafmint.SegmentGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_reader, "DEADLINE", 0.2)
    get = mounted(silent)
    for _ in range(2):  # the second one does not begin another read
        document = json.loads(get("/leafmint/status.json").body)
        assert [error["part"] for error in document["errors"]] == ["store"]
        assert document["process"] is not None


def test_an_event_loop_runs_on_while_a_store_is_silent(
    silent: leafmint.SegmentGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_reader, "DEADLINE", 1)
    application = make_asgi_app(silent)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("a request without a body")

    async def ask() -> None:
        await application({"type": "http", "method": "GET", "path": "/status.json", "root_path": ""}, receive, send)

    async def main() -> None:
        asked = asyncio.create_task(ask())
        given_up = asyncio.create_task(ask())
        turns = 0
        while not asked.done():
            turns += 1
            await asyncio.sleep(0.01)
            given_up.cancel()
        await asked
        assert turns > 10
        assert given_up.cancelled()

    asyncio.run(main())
    assert [message.get("status", 200) for message in sent] == [200, 200]


def test_an_audit_is_shown_once_it_has_ended_and_nothing_waits_for_it(
    mounted: Open, ids: leafmint.SegmentGenerator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_reader, "LEAST_AGE", 0.0)
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (7)")
    may_read, begun = threading.Event(), []

    def audit() -> leafmint.AuditReport:
        begun.append(1)
        assert may_read.wait(60)
        return leafmint.audit(f"sqlite:///{tmp_path}/shop.db")

    get = mounted(ids, audit=audit)

    def keys() -> Any:
        return json.loads(get("/leafmint/status.json").body)["keys"]

    assert keys() is None
    may_read.set()
    while (found := keys()) is None:
        time.sleep(0.01)
    assert [(key["table"], key["used"]) for key in found] == [("orders", "7")]
    assert len(begun) == 1


def test_an_audit_that_fails_is_named_and_takes_no_other_part_away(
    ids: leafmint.SegmentGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_reader, "LEAST_AGE", 0.0)
    get = in_plain_wsgi(ids, audit=lambda: leafmint.audit("memory:"))
    while not (document := json.loads(get("/leafmint/status.json").body))["errors"]:
        time.sleep(0.01)
    assert [(error["part"], error["code"]) for error in document["errors"]] == [("keys", "invalid_config")]
    assert document["store"]["answered"] is not None


def test_a_websocket_is_refused_and_other_protocols_are_named(ids: leafmint.SegmentGenerator) -> None:
    with pytest.raises(WebSocketDisconnect), TestClient(make_asgi_app(ids)).websocket_connect("/status.json"):
        pass
    with pytest.raises(NotImplementedError, match="lifespan"), TestClient(make_asgi_app(ids)):
        pass


def test_a_process_ends_although_a_silent_store_is_being_read() -> None:
    script = """
        import socket, threading, leafmint
        from leafmint._internal import status_reader
        from leafmint.web import make_wsgi_app
        status_reader.DEADLINE = 0.1
        server = socket.create_server(("127.0.0.1", 0))
        ids = leafmint.SegmentGenerator(f"mysql://root@127.0.0.1:{server.getsockname()[1]}/x", connect_timeout=600)
        ask = {"REQUEST_METHOD": "GET", "PATH_INFO": "/status.json"}
        make_wsgi_app(ids)(ask, lambda status, headers: print(status))
        assert any(thread.name == "leafmint-status" for thread in threading.enumerate())
    """
    assert run_python(script, seconds=60) == "200 OK\n"


def test_a_child_of_a_process_whose_read_has_not_ended_reads_by_itself() -> None:
    script = """
        import json, os, socket, leafmint
        from leafmint._internal import status_reader
        from leafmint.web import make_wsgi_app
        server = socket.create_server(("127.0.0.1", 0))
        silent = leafmint.SegmentGenerator(f"mysql://root@127.0.0.1:{server.getsockname()[1]}/x", connect_timeout=600)
        page = make_wsgi_app(silent)
        ask = lambda: json.loads(page({"REQUEST_METHOD": "GET", "PATH_INFO": "/status.json"}, lambda *_: None)[0])
        status_reader.DEADLINE = 0.1
        assert ask()["errors"][0]["part"] == "store"
        child = os.fork()
        if child == 0:
            server.close()
            status_reader.DEADLINE = 60
            document = ask()
            os._exit(0 if document["process"]["pid"] == os.getpid() and document["store"] else 1)
        server.close()
        print(os.waitpid(child, 0)[1])
    """
    assert run_python(script, seconds=120) == "0\n"


def test_the_examples_run() -> None:
    result = doctest.testmod(leafmint.web)
    assert result.attempted > 5
    assert result.failed == 0
