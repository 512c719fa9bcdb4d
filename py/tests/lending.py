"""Serves a connection of SQLAlchemy or Django on standard input and output, for the specs of the core.

    python lending.py mysql+pymysql://root@127.0.0.1:3306/leafmint

A process has one connection. Without a URL it serves any number of them on a port, which it prints: the first line of
each is `U URL`, with the URL in hexadecimal, and its end cuts the connection.

The requests are `C` (connect), `R n` (run the n statements of the next lines, each in hexadecimal), `T n` (likewise in
one transaction) and `E` (end). The reply to the first is `c PRODUCT VERSION`. For each statement there is `n COUNT`, or
`r COLUMNS ROWS` and a line for each row, or `e NUMBER STATE LOST TEXT`. Texts are in hexadecimal, `-` is none, and a
line `.` ends a reply.
"""

import queue
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Any

from leafmint._internal.borrowed import Connection, Lent, Result, lend
from leafmint._internal.drivers import DriverError
from sqlalchemy import create_engine, make_url
from sqlalchemy.ext.asyncio import create_async_engine


def hexed(text: str | None) -> str:
    """Return a text in hexadecimal."""
    return "-" if text is None else text.encode().hex()


def shown(result: Result) -> Iterator[str]:
    """Yield the lines of a result."""
    if isinstance(result, tuple):
        yield of_error(result)
    elif isinstance(result, int):
        yield f"n {result}"
    else:
        yield f"r {len(result[0]) if result else 0} {len(result)}"
        yield from (" ".join(map(hexed, row)) for row in result)


def of_error(error: DriverError) -> str:
    """Return the line of an error."""
    number, state, text, is_lost = error
    return f"e {'-' if number is None else number} {state or '-'} {int(is_lost)} {hexed(text)}"


def of_url(url: str) -> Lent:
    """Return the lender of an engine, or of a database of Django for `django+mysql://…`."""
    if url.startswith("django+"):
        return of_django(url.removeprefix("django+"))
    made = make_url(url)
    engine: Any = create_async_engine(made) if made.get_dialect().is_async else create_engine(made)
    lender = lend(engine)
    assert lender is not None
    return lender


class Serving:
    """Answers the requests of one stream."""

    def __init__(self, lines: Iterator[str], reply: Callable[[str], object]) -> None:
        self.lines = lines
        self.reply = reply
        self.connection: Connection | None = None

    def serve(self, lender: Lent) -> None:
        """Answer requests until the end."""
        for line in self.lines:
            self.reply("\n".join([*self.answer(lender, *line.split()), ".\n"]))

    def answer(self, lender: Lent, request: str, count: str = "0") -> list[str]:
        """Return the lines of a reply."""
        statements = [bytes.fromhex(next(self.lines)).decode() for _ in range(int(count))]
        if request == "C":
            opened = lender.connect()
            if isinstance(opened, tuple):
                return [of_error(opened)]
            self.connection = opened
            return [f"c {hexed(opened.product)} {hexed(opened.version)}"]
        connection = self.connection
        if connection is None:
            return ["e - - 1 " + hexed("the connection is closed")]
        if request == "E":
            self.connection = None
            connection.end()
            return []
        return [line for result in connection.run(statements, request == "T") for line in shown(result)]


_configuring = Lock()


def of_django(url: str) -> Lent:
    """Return the lender of a database of Django."""
    import django
    from django.conf import settings
    from django.db import connections

    with _configuring:
        if not settings.configured:
            if find_spec("MySQLdb") is None:
                import pymysql

                pymysql.install_as_MySQLdb()
            settings.configure(USE_TZ=True)
            django.setup()
        made = make_url(url)
        entry = {
            "ENGINE": f"django.db.backends.{made.drivername}",
            "NAME": made.database,
            "USER": made.username,
            "PASSWORD": made.password,
            "HOST": made.host,
            "PORT": str(made.port),
        }
        connections.settings[url] = connections.configure_settings({"default": {}, url: entry})[url]
    from leafmint.django.database import DjangoDatabase

    lender = DjangoDatabase(url).lent()
    assert lender is not None
    return lender


def serve_one(url: str) -> None:
    """Serve standard input."""

    def reply(text: str) -> None:
        print(text, end="", flush=True)

    Serving(iter(sys.stdin.readline, ""), reply).serve(of_url(url))


def serve_stream(stream: socket.socket) -> None:
    """Serve a connection to the port, until its end, which cuts the database's connection."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    reader = stream.makefile("r", encoding="ascii")
    url = bytes.fromhex(reader.readline().split()[1]).decode()
    serving = Serving(iter(lines.get, ""), lambda text: stream.sendall(text.encode()))

    def read() -> None:
        with suppress(OSError):
            for line in reader:
                lines.put(line)
        if serving.connection is not None:
            serving.connection.cut()
        lines.put("")

    Thread(target=read, daemon=True).start()
    with stream, suppress(OSError):
        serving.serve(of_url(url))
    if serving.connection is not None:
        serving.connection.drop()


def serve_port() -> None:
    """Serve connections to a port, which is printed, until the end of standard input."""
    server = socket.create_server(("127.0.0.1", 0), backlog=500)
    print(server.getsockname()[1], flush=True)

    def accept() -> None:
        while True:
            stream, _ = server.accept()
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Thread(target=serve_stream, args=[stream], daemon=True).start()

    Thread(target=accept, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        serve_one(sys.argv[1])
    else:
        serve_port()
