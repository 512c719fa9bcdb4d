"""A server that speaks MySQL's protocol, or any, and behaves as a test wants.

A behaviour is a function that takes a `Peer`, which is a client that has connected; `hostile.py` has some, and
`hostile_postgresql.py` those of another protocol. `Rogue` runs one of them on a port of its own and records what
clients send. The packets are those of https://dev.mysql.com/doc/dev/mysql-server/latest/PAGE_PROTOCOL.html.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from types import TracebackType

NONCE = bytes(range(33, 53))
SSL = 0x800
# Protocol 4.1, a database in the log-in, transactions, secure connection, several statements and results, plugins.
CAPABILITIES = 0x0200 | 0x0008 | 0x2000 | 0x8000 | 0x10000 | 0x20000 | 0x80000
LONG_TEXT, DOUBLE, LONGLONG = 252, 5, 8


class Peer:
    """A client that has connected."""

    def __init__(self, client: socket.socket, rogue: Rogue) -> None:
        self.socket = client
        self.rogue = rogue
        self.sequence = 0

    def send(self, payload: bytes) -> None:
        """Sends one packet."""
        self.raw(struct.pack("<I", len(payload))[:3] + bytes([self.sequence]) + payload)
        self.sequence = (self.sequence + 1) % 256

    def raw(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self.socket.sendall(data)

    def receive(self) -> bytes:
        """Reads one packet."""
        header = self.exactly(4)
        self.sequence = (header[3] + 1) % 256
        payload = self.exactly(int.from_bytes(header[:3], "little"))
        self.rogue.received.append(payload)
        return payload

    def exactly(self, count: int) -> bytes:
        """Reads bytes as they are."""
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the client went away")
            data += part
        return data

    def greet(self, plugin: str = "mysql_native_password", version: str = "8.0.36") -> bytes:
        """Greets and returns the client's log-in, over TLS if the rogue has a certificate."""
        capabilities = CAPABILITIES | (SSL if self.rogue.tls else 0)
        self.send(
            b"\x0a" + version.encode() + b"\0" + struct.pack("<I", 7) + NONCE[:8] + b"\0"
            + struct.pack("<HBHHB", capabilities & 0xFFFF, 45, 2, capabilities >> 16, 21) + bytes(10)
            + NONCE[8:] + b"\0" + plugin.encode() + b"\0"
        )  # fmt: skip
        answer = self.receive()
        if self.rogue.tls and len(answer) == 32:
            self.socket = self.rogue.tls.wrap_socket(self.socket, server_side=True)
            answer = self.receive()
        return answer

    def ok(self, affected: int = 0, insert_id: int = 0, more: bool = False) -> None:
        """Answers with success."""
        self.send(b"\0" + number(affected) + number(insert_id) + struct.pack("<HH", 2 | (8 if more else 0), 0))

    def error(self, code: int, text: bytes, state: bytes = b"HY000") -> None:
        """Answers with a refusal."""
        self.send(b"\xff" + struct.pack("<H", code) + b"#" + state + text)

    def log_in(self) -> None:
        """Accepts any log-in."""
        self.greet()
        self.ok()

    def rows(self, *rows: tuple[bytes | None, ...], kind: int = LONGLONG, more: bool = False) -> None:
        """Answers with a result set whose columns have one type."""
        self.columns(len(rows[0]), kind)
        for row in rows:
            self.send(row_of(row))
        self.end_of_rows(more)

    def columns(self, count: int, kind: int = LONGLONG) -> None:
        """Begins a result set."""
        self.send(number(count))
        for index in range(count):
            name = f"c{index}".encode()
            self.send(
                text(b"def") + text(b"") + text(b"") + text(b"") + text(name) + text(name)
                + b"\x0c" + struct.pack("<HIBHB", 45, 1024, kind, 0, 0) + b"\0\0"
            )  # fmt: skip
        self.end_of_rows()

    def end_of_rows(self, more: bool = False) -> None:
        """Ends the columns or the rows."""
        self.send(b"\xfe" + struct.pack("<HH", 0, 2 | (8 if more else 0)))


def number(value: int) -> bytes:
    """Encodes an integer of variable length."""
    if value < 251:
        return bytes([value])
    if value < 1 << 16:
        return b"\xfc" + struct.pack("<H", value)
    if value < 1 << 24:
        return b"\xfd" + struct.pack("<I", value)[:3]
    return b"\xfe" + struct.pack("<Q", value)


def text(value: bytes) -> bytes:
    """Encodes a text with its length."""
    return number(len(value)) + value


def row_of(row: tuple[bytes | None, ...]) -> bytes:
    """Encodes one row."""
    return b"".join(b"\xfb" if value is None else text(value) for value in row)


Behaviour = Callable[[Peer], None]


class Rogue:
    """Runs a behaviour for each client on a free port of 127.0.0.1."""

    def __init__(self, behaviour: Behaviour, tls: ssl.SSLContext | None = None, scheme: str = "mysql") -> None:
        self.behaviour = behaviour
        self.scheme = scheme
        self.tls = tls
        self.received: list[bytes] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, password: str = "hush-hush", user: str = "app") -> str:
        """The URL by which a client would connect."""
        return f"{self.scheme}://{user}:{password}@127.0.0.1:{self.port}/leafmint"

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._meet, args=(client,), daemon=True).start()

    def _meet(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            client.settimeout(30)
            peer = Peer(client, self)
            try:
                self.behaviour(peer)
            finally:
                peer.socket.close()  # with TLS it is not the client's socket any more

    def __enter__(self) -> Rogue:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.listener.close()
