"""What a hostile server does that speaks PostgreSQL's protocol: each behaviour is a function that takes a `Peer`.

The messages are those of https://www.postgresql.org/docs/current/protocol-message-formats.html.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable

from hostile import garbage, silence
from rogue import Behaviour, Peer

TLS_REQUEST = 80_877_103
READY = b"Z\0\0\0\x05I"
CHAR, NAME, INT8, TEXT, OID = 18, 19, 20, 25, 26
OF_A_TYPE = (NAME, CHAR, OID, OID, OID, NAME, OID)
"""The columns of the statement by which the driver asks for a type."""


def message(kind: bytes, body: bytes = b"") -> bytes:
    """Encodes a message."""
    return kind + struct.pack(">I", len(body) + 4) + body


def row(*values: bytes | None) -> bytes:
    """Encodes a row."""
    fields = [struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value for value in values]
    return message(b"D", struct.pack(">H", len(values)) + b"".join(fields))


def columns(*types: int) -> bytes:
    """Describes the columns of the rows that follow."""
    fields = [b"c\0" + struct.pack(">IHIhiH", 0, 0, oid, -1, -1, 1) for oid in types]
    return message(b"T", struct.pack(">H", len(types)) + b"".join(fields))


def prepared(parameters: tuple[int, ...] = ()) -> bytes:
    """Says that a statement was read, and which parameters it has."""
    return message(b"1") + message(b"t", struct.pack(f">H{len(parameters)}I", len(parameters), *parameters))


def end(count: int = 1) -> bytes:
    """Ends the rows of a statement."""
    return message(b"C", f"SELECT {count}".encode() + b"\0") + READY


def parameter(name: bytes, value: bytes = b"") -> bytes:
    """Reports a parameter of the session."""
    return message(b"S", name + b"\0" + value + b"\0")


def first_message(peer: Peer) -> None:
    """Reads what a client begins with. There is no TLS."""
    length, code = struct.unpack(">II", peer.exactly(8))
    if code == TLS_REQUEST:
        peer.raw(b"N")
        length, _ = struct.unpack(">II", peer.exactly(8))
    peer.rogue.received.append(peer.exactly(length - 8))


def log_in(peer: Peer) -> None:
    """Accepts any account."""
    first_message(peer)
    peer.raw(message(b"R", struct.pack(">I", 0)) + READY)


def statements(peer: Peer) -> bytes:
    """Reads the messages of a statement, up to the one that asks for an answer."""
    kinds = b""
    while not kinds.endswith(b"S"):
        kind = peer.exactly(1)
        (length,) = struct.unpack(">I", peer.exactly(4))
        peer.rogue.received.append(peer.exactly(length - 4))
        kinds += kind
        if kind == b"X":
            raise ConnectionError("the client said goodbye")
    return kinds


def each_statement(answer: Callable[[Peer], None]) -> Behaviour:
    """Accepts any account and answers the statements."""

    def behave(peer: Peer) -> None:
        log_in(peer)
        while True:
            statements(peer)
            answer(peer)

    return behave


def types_without_end(first: int) -> Behaviour:
    """Answers with a column of a type that is a domain over another one, and so on."""

    def behave(peer: Peer) -> None:
        log_in(peer)
        numbers = itertools.count(first)
        while True:
            kinds = statements(peer)
            if kinds == b"PBDES":
                peer.raw(prepared() + message(b"2") + columns(next(numbers)) + row(b"1") + end())
            elif kinds == b"PDS":
                peer.raw(prepared((OID,)) + columns(*OF_A_TYPE) + READY)
            else:
                base = struct.pack(">I", next(numbers))
                none = struct.pack(">I", 0)
                peer.raw(message(b"2") + row(b"d", b"d", none, None, base, b"public", none) + end())

    return behave


def unknown_log_in(peer: Peer) -> None:
    """Asks for a way of logging in that there is not."""
    first_message(peer)
    peer.raw(message(b"R", struct.pack(">I", 99) + b"x" * 100_000))
    silence(peer)


def long_error(peer: Peer) -> None:
    """Refuses the log-in with a text of nearly a megabyte, in several lines and with escape sequences."""
    first_message(peer)
    text = b"\x1b[31mforged\x1b[0m\r\n2026-01-01 ERROR root logged in\n" + b"x" * 1_000_000
    peer.raw(message(b"E", b"SFATAL\0C28P01\0M" + text + b"\0\0"))


def parameters_at_log_in(peer: Peer) -> None:
    """Reports parameters of ever new names before the log-in ends."""
    first_message(peer)
    peer.raw(message(b"R", struct.pack(">I", 0)))
    names = itertools.count()
    while True:
        peer.raw(b"".join(parameter(b"%x" % next(names)) for _ in range(1000)))


def _parameters(peer: Peer) -> None:
    peer.raw(b"".join(parameter(b"%x" % name) for name in range(400_000)))
    peer.raw(prepared() + message(b"2") + columns(INT8) + end(0))


def _many_rows(peer: Peer) -> None:
    peer.raw(prepared() + message(b"2") + columns(TEXT, TEXT, TEXT))
    rows = row(b"1", b"1", b"x" * 1000) * 100
    while True:
        peer.raw(rows)


def _many_small_rows(peer: Peer) -> None:
    peer.raw(prepared() + message(b"2") + columns())
    rows = row() * 1000
    while True:
        peer.raw(rows)


def _many_columns(peer: Peer) -> None:
    peer.raw(prepared() + message(b"2") + columns(*[INT8] * 60_000) + row(*[None] * 60_000) * 20 + end())


def _many_parameters(peer: Peer) -> None:
    peer.raw(prepared((99_999,) * 60_000) + message(b"2") + columns(INT8) + end(0))


def _all_null(peer: Peer) -> None:
    peer.raw(prepared() + message(b"2") + columns(*[INT8] * 7) + row(*[None] * 7) + end())


def _wrong_types(peer: Peer) -> None:
    wrong = (b"1e308", b"-", b"", b"18446744073709551615", b"\xff\xfe", b"1", b"2")
    peer.raw(prepared() + message(b"2") + columns(CHAR, TEXT, OID, INT8, TEXT, NAME, INT8) + row(*wrong) + end())


def _forged_error(peer: Peer) -> None:
    text = b"\x1b[2J\r\nINFO all is well\n\x07" + b"y" * 500_000
    peer.raw(message(b"E", b"SERROR\0C42501\0M" + text + b"\0\0") + READY)


def _row_longer_than_it_says(peer: Peer) -> None:
    peer.raw(prepared() + message(b"2") + columns(INT8) + message(b"D", struct.pack(">Hi", 1, 0x7FFFFFFF)) + end())


def _message_shorter_than_itself(peer: Peer) -> None:
    peer.raw(b"D\0\0\0\0" + b"T\xff\xff\xff\xff" + READY)


def _notices(peer: Peer) -> None:
    peer.raw(message(b"N", b"SWARNING\0C01000\0Mwell\0\0") * 1000)


def _copy(peer: Peer) -> None:
    peer.raw(prepared() + message(b"2") + message(b"G", b"\0\0\0") + READY)


BEHAVIOURS: dict[str, Behaviour] = {
    "silence": silence,
    "garbage": garbage,
    "long_error": long_error,
    "unknown_log_in": unknown_log_in,
    "types_without_end": types_without_end(16_384),
    "built_in_types_without_end": types_without_end(9_000),
    "parameters_at_log_in": parameters_at_log_in,
    "parameters": each_statement(_parameters),
    "many_rows": each_statement(_many_rows),
    "many_small_rows": each_statement(_many_small_rows),
    "many_columns": each_statement(_many_columns),
    "many_parameters": each_statement(_many_parameters),
    "all_null": each_statement(_all_null),
    "wrong_types": each_statement(_wrong_types),
    "forged_error": each_statement(_forged_error),
    "row_longer_than_it_says": each_statement(_row_longer_than_it_says),
    "message_shorter_than_itself": each_statement(_message_shorter_than_itself),
    "notices": each_statement(_notices),
    "copy": each_statement(_copy),
}
"""The behaviours that a client must survive."""
