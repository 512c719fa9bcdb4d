"""A hostile server causes named errors only: no crash, growth, wait past the deadline, flood of logs or password."""

from __future__ import annotations

import base64
import json
import os
import signal
import ssl
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import hostile
import hostile_postgresql
import leafmint
import pytest
import trustme
from hostile import FATAL, clear_password
from programs import TOP, compiled
from rogue import Behaviour, Rogue

PASSWORD = "hush-hush-7431"

TIMEOUT = 0.5
"""The timeout that the programs give each call."""

CODES = {"segment_unavailable", "store_unavailable", "invalid_config", "unknown_tag", "worker_id_unavailable"}

MEMORY = 64
"""The most that a program may grow, in MB."""


BEHAVIOURS: dict[str, tuple[str, Behaviour]] = {
    **{name: ("mysql", behaviour) for name, behaviour in hostile.BEHAVIOURS.items()},
    **{f"postgresql, {name}": ("postgresql", behaviour) for name, behaviour in hostile_postgresql.BEHAVIOURS.items()},
}
"""The scheme of each server's URL, and what it does."""

IN_EACH_LANGUAGE = [
    "silence",
    "long_error",
    "unknown_plugin",
    "empty_key",
    "forged_error",
    "wrong_types",
    "postgresql, types_without_end",
]
"""Behaviours whose errors each language has to convert: the driver itself is the same in all of them."""

CASES = [pytest.param("Rust", list(BEHAVIOURS), id="Rust, every behaviour")]
CASES += [pytest.param(language, IN_EACH_LANGUAGE, id=language) for language in ("Python", "Java")]
CASES += [
    pytest.param(language, list(BEHAVIOURS), id=f"{language}, every behaviour", marks=pytest.mark.long)
    for language in ("Python", "Java")
]


def command(language: str) -> list[str]:
    """Returns the program of a language that asks servers for ids."""
    java = compiled(TOP / "tests/cross/applications/Meet.java")
    return {
        "Rust": [str(TOP / "target/debug/meet")],
        "Python": [sys.executable, str(TOP / "tests/cross/applications/meet.py")],
        # A small heap, so that what grows is leafmint's and not the collector's.
        "Java": [java[0], "-Xmx16m", *java[1:]],
    }[language]


@pytest.mark.parametrize(("language", "behaviours"), CASES)
def test_a_rogue_server_costs_named_errors_and_nothing_else(language: str, behaviours: list[str]) -> None:
    with ExitStack() as stack:
        rogues = {name: stack.enter_context(rogue_of(name)) for name in behaviours}
        urls = [rogue.url(PASSWORD) for rogue in rogues.values()]
        asked = subprocess.run(
            [*command(language), *urls], capture_output=True, text=True, timeout=600,
            env={**os.environ, "RUST_BACKTRACE": "0"},
        )  # fmt: skip
    assert asked.returncode == 0, asked.stderr[-2000:]
    answers = [json.loads(line) for line in asked.stdout.splitlines()]
    assert len(answers) == 2 * len(rogues)
    least = min(answer["memory"] for answer in answers)
    for index, name in enumerate(rogues):
        for answer in answers[2 * index : 2 * index + 2]:
            check(f"{name}, {answer['mode']}", answer, least)
    # Java logs to standard error, two lines an event: each generator opens, fails once or twice, and closes.
    lines = asked.stderr.splitlines()
    assert len(lines) <= 16 * len(rogues), asked.stderr
    assert max(map(len, lines), default=0) < 2000, asked.stderr
    assert asked.stderr.count("panicked at") <= 2, asked.stderr
    assert PASSWORD not in asked.stderr
    in_the_clear = [
        name for name, rogue in rogues.items() if any(PASSWORD.encode() in packet for packet in rogue.received)
    ]
    assert in_the_clear == []


def rogue_of(name: str) -> Rogue:
    """Starts the server of a behaviour."""
    scheme, behaviour = BEHAVIOURS[name]
    return Rogue(behaviour, scheme=scheme)


def check(name: str, answer: dict[str, Any], least: float) -> None:
    """Checks the outcome of one call."""
    assert "code" in answer, f"{name} got an id: {answer}"
    message = answer.get("message") or base64.b64decode(answer["base64"]).decode()
    assert answer["code"] in CODES, f"{name}: {answer}"
    assert message.isprintable(), f"{name}: {message!r}"
    assert len(message) < 1500, f"{name}: {message}"
    assert PASSWORD not in message, name
    assert "bug in" not in message, f"{name}: {message}"
    assert answer["seconds"] < TIMEOUT + 10, f"{name}: {answer['seconds']:.1f} s"
    assert answer["memory"] - least < MEMORY, f"{name}: {answer['memory'] - least:.0f} MB more"


@pytest.mark.parametrize("mode", ["verify_ca", "verify_identity"])
def test_no_log_in_to_a_server_with_a_self_signed_certificate(mode: str, tmp_path: Path) -> None:
    authority, other = trustme.CA(), trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    other.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    with Rogue(clear_password, context) as rogue:
        options: dict[str, Any] = {"ssl_mode": mode, "ssl_ca": str(tmp_path / "authority.pem"), "timeout": 3}
        ids = leafmint.SegmentGenerator(rogue.url(PASSWORD), **options)
        with ids, pytest.raises(leafmint.LeafmintError, match=r"(?i)certificate|issuer"):
            ids.tag("order").next_id()
        assert all(len(packet) == 32 for packet in rogue.received), "nothing but the request for TLS"


@pytest.mark.parametrize("mode", ["disabled", "preferred", "required", "verify_ca", "verify_identity"])
def test_a_supplied_token_is_sent_in_the_clear_only_to_a_server_whose_certificate_is_verified(
    mode: str, tmp_path: Path
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    with Rogue(clear_password, context) as rogue:
        options: dict[str, Any] = {"ssl_mode": mode, "ssl_ca": str(tmp_path / "authority.pem"), "timeout": 3}
        url = f"mysql://127.0.0.1:{rogue.port}/leafmint"
        ids = leafmint.SegmentGenerator(url, credentials=lambda: ("app", PASSWORD), **options)
        with ids, pytest.raises(leafmint.LeafmintError) as raised:
            ids.tag("order").next_id()
        was_sent = any(PASSWORD.encode() in packet for packet in rogue.received)
    assert was_sent == mode.startswith("verify")
    assert was_sent != ("mysql_clear_password" in str(raised.value))
    assert PASSWORD not in str(raised.value)


def test_an_answer_of_2_to_the_40_columns_ends_the_process_as_security_md_says() -> None:
    with Rogue(FATAL["many_columns"]) as rogue:
        command = [sys.executable, str(TOP / "tests/cross/applications/meet.py"), rogue.url(PASSWORD)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == -signal.SIGABRT, (
        "the driver is mended: take this behaviour to the others, and out of SECURITY.md"
    )
    page = (TOP / "SECURITY.md").read_text()
    assert "2^40 columns" in page
    assert "verify_identity" in page
