"""What a hostile server does: each behaviour is a function that takes a client of a `Rogue`."""

from __future__ import annotations

import threading
from collections.abc import Callable

from rogue import DOUBLE, LONG_TEXT, NONCE, Behaviour, Peer, number, row_of


def each_query(answer: Callable[[Peer, bytes], None]) -> Behaviour:
    """Accepts any log-in and answers the statements."""

    def behave(peer: Peer) -> None:
        peer.log_in()
        while True:
            command = peer.receive()
            if command[:1] == b"\x03":
                answer(peer, command[1:])
            elif command[:1] == b"\x01":
                return
            else:
                peer.ok()

    return behave


def silence(peer: Peer) -> None:
    """Says nothing."""
    while peer.socket.recv(4096):
        pass


def garbage(peer: Peer) -> None:
    """Sends bytes that are not a packet."""
    peer.raw(bytes(range(256)) * 64)
    silence(peer)


def endless_greeting(peer: Peer) -> None:
    """Sends a greeting that never ends, in packets of the largest size."""
    for sequence in range(64):
        peer.raw(b"\xff\xff\xff" + bytes([sequence]) + b"\x0a" + b"x" * (0xFFFFFF - 1))


def slow_bytes(peer: Peer) -> None:
    """Sends one byte of a greeting each 200 ms."""
    stop = threading.Event()
    peer.raw(b"\x50\0\0\0\x0a")
    while not stop.wait(0.2):
        peer.raw(b"8")


def long_error(peer: Peer) -> None:
    """Refuses the log-in with a text of nearly a megabyte, in several lines and with escape sequences."""
    peer.greet()
    peer.error(1105, b"\x1b[31mforged\x1b[0m\r\n2026-01-01 ERROR root logged in\n" + b"x" * 1_000_000)


def unknown_plugin(peer: Peer) -> None:
    """Asks for a plugin that does not exist."""
    peer.greet("hostile\x1b]0;plugin")
    silence(peer)


def switch_without_nonce(peer: Peer) -> None:
    """Asks for another plugin without its nonce."""
    peer.greet()
    peer.send(b"\xfemysql_native_password\0")
    silence(peer)


def empty_key(peer: Peer) -> None:
    """Asks for the password encrypted with an empty public key."""
    peer.greet("caching_sha2_password")
    peer.send(b"\x01\x04")
    peer.receive()
    peer.send(b"\x01")
    silence(peer)


def clear_password(peer: Peer) -> None:
    """Asks for the password in the clear."""
    peer.greet()
    peer.send(b"\xfemysql_clear_password\0")
    peer.receive()
    peer.ok()


def old_password(peer: Peer) -> None:
    """Asks for the log-in of 20 years ago."""
    peer.greet()
    peer.send(b"\xfe")
    peer.receive()
    peer.ok()


def endless_auth(peer: Peer) -> None:
    """Asks for the log-in again and again."""
    peer.greet("caching_sha2_password")
    while True:
        peer.send(b"\x01\x03")
        peer.send(b"\xfecaching_sha2_password\0" + NONCE + b"\0")
        peer.receive()


def _many_rows(peer: Peer, _sql: bytes) -> None:
    peer.columns(3, LONG_TEXT)
    row = row_of((b"1", b"1", b"x" * 1000))
    while True:
        peer.send(row)


def _many_small_rows(peer: Peer, _sql: bytes) -> None:
    peer.columns(1)
    batch = b""
    while True:
        batch = b""
        for _ in range(1000):
            batch += b"\x02\0\0" + bytes([peer.sequence]) + b"\x011"
            peer.sequence = (peer.sequence + 1) % 256
        peer.raw(batch)


def _forged_error(peer: Peer, _sql: bytes) -> None:
    peer.error(1105, b"\x1b[2J\r\nINFO all is well\n\0\x07" + b"y" * 500_000)


def _all_null(peer: Peer, _sql: bytes) -> None:
    for _ in range(20):
        peer.rows((None,) * 8, more=True)
    peer.rows((None,) * 8)


def _wrong_types(peer: Peer, _sql: bytes) -> None:
    for _ in range(20):
        peer.rows((b"1e308", b"-", b"", b"18446744073709551615", b"\xff\xfe", b"1", b"2", b"3"), kind=DOUBLE, more=True)
    peer.rows((b"99999999999999999999",) * 8, kind=LONG_TEXT)


def _no_columns_promised(peer: Peer, _sql: bytes) -> None:
    peer.ok(affected=1 << 63, insert_id=(1 << 64) - 1)


def _insert_id_above_i64(peer: Peer, _sql: bytes) -> None:
    for _ in range(20):
        peer.ok(affected=1, insert_id=(1 << 63) + 5, more=True)
    peer.ok(affected=1, insert_id=(1 << 63) + 5)


def _endless_results(peer: Peer, _sql: bytes) -> None:
    while True:
        peer.ok(affected=1, insert_id=2001, more=True)


def _local_file(peer: Peer, _sql: bytes) -> None:
    peer.send(b"\xfb/etc/passwd")
    peer.receive()
    peer.receive()
    peer.ok()


def _truncated_row(peer: Peer, _sql: bytes) -> None:
    peer.columns(4)
    peer.send(b"\xfe\xff\xff\xff\xff\xff\xff\xff\x7f")
    peer.end_of_rows()


def _many_columns(peer: Peer, _sql: bytes) -> None:
    peer.send(number(1 << 40))
    silence(peer)


BEHAVIOURS: dict[str, Behaviour] = {
    "silence": silence,
    "garbage": garbage,
    "endless_greeting": endless_greeting,
    "slow_bytes": slow_bytes,
    "long_error": long_error,
    "unknown_plugin": unknown_plugin,
    "switch_without_nonce": switch_without_nonce,
    "empty_key": empty_key,
    "clear_password": clear_password,
    "old_password": old_password,
    "endless_auth": endless_auth,
    "many_rows": each_query(_many_rows),
    "many_small_rows": each_query(_many_small_rows),
    "forged_error": each_query(_forged_error),
    "all_null": each_query(_all_null),
    "wrong_types": each_query(_wrong_types),
    "no_columns_promised": each_query(_no_columns_promised),
    "insert_id_above_i64": each_query(_insert_id_above_i64),
    "endless_results": each_query(_endless_results),
    "local_file": each_query(_local_file),
    "truncated_row": each_query(_truncated_row),
}
"""The behaviours that a client must survive."""

FATAL: dict[str, Behaviour] = {"many_columns": each_query(_many_columns)}
"""The behaviours that end the client's process inside the driver: SECURITY.md names them with a remedy."""
