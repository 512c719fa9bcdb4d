"""The command `status`: one screen of 80 columns, the same as a document, and again and again."""

import fcntl
import json
import os
import pty
import re
import signal
import sqlite3
import struct
import subprocess
import termios
from contextlib import closing
from datetime import datetime
from zoneinfo import ZoneInfo

import leafmint as library
import pytest
from command import LEAFMINT, environment, leafmint, start
from leafmint.cli.output import columns_of
from testing import SENTINEL, UNREACHABLE, VECTORS

WIDE = "订单" * 60
HOSTILE = "\x1b[2J<script>‮"


@pytest.fixture
def shop(url: str) -> str:
    """Return the URL of a store with many tags, of which `order` was changed last, a series and a table."""
    with library.SegmentGenerator(url) as ids:
        ids.init_schema()
        ids.series("invoice", period="year", zone="Europe/Madrid", format="{year}/{number:4}").next_many(42)
        ids.create_tag(HOSTILE)
        ids.create_tag(WIDE, start=2**60)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        rows = [(f"tag-{number}", number + 1, "2020-01-01 00:00:00") for number in range(10_000)]
        insert = "INSERT INTO leaf_alloc (biz_tag, max_id, step, update_time) VALUES (?, ?, 1000, ?)"
        connection.executemany(insert, [*rows, ("broken", -5, "2020-01-01 00:00:00")])
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
        connection.execute(f"INSERT INTO orders VALUES ({2**62})")
        connection.commit()
    with library.SegmentGenerator(url) as ids:
        ids.create_tag("order", step=2000)
    return url


def test_a_screen_has_80_columns_and_what_does_not_fit_is_counted(shop: str, local: str) -> None:
    with library.SnowflakeGenerator(local, endpoint="10.0.0.7:8080", lease_duration="10m") as flakes:
        flakes.next_id()
        ran = leafmint("status", "--audit", "--timeout", "60s", LEAFMINT_URL=shop, LEAFMINT_SNOWFLAKE_URL=local)
    assert ran.code == 0, ran.err
    assert max(map(columns_of, ran.lines)) <= 80
    assert len(ran.lines) < 60
    assert re.search(r"10\.0\.0\.7:8080 +yes +in \d+ \w+ +\d+ \w+ ago$", ran.out, re.MULTILINE), ran.out
    assert "\x1b" not in ran.out
    text = "\n".join(" ".join(line.split()) for line in ran.lines)
    for shown in (
        "\norder 1 2000 ",
        "and 9,994 more tags: use --all",
        "error broken cannot be used:",
        f"invoice {datetime.now(ZoneInfo('Europe/Madrid')).year} 43 9957",
        "1,023 of 1,024 worker ids are free; time bits end in 2080",
        "worker id endpoint held reserved until last heartbeat",
        "0 10.0.0.7:8080 yes in ",
        "orders.id integer 50.0 % -",
    ):
        assert shown in text, (shown, ran.out)
    whole = leafmint("status", "--all", "--timeout", "60s", LEAFMINT_URL=shop).lines
    assert len([line for line in whole if line.startswith("tag-")]) == 10_000


def test_the_document_is_that_of_the_library(shop: str, local: str) -> None:
    patient = ("--json", "--audit", "--timeout", "60s")
    found = leafmint("status", *patient, LEAFMINT_URL=shop, LEAFMINT_SNOWFLAKE_URL=local).json()
    example = json.loads((VECTORS / "status.json").read_text())
    assert found.keys() == example.keys()
    assert (len(found["tags"]), found["not_shown"], found["process"]) == (10_004, 1, None)
    assert (found["holder"]["workers"], found["keys"][0]["used"], found["errors"]) == (1024, str(2**62), [])
    assert leafmint("status", "--json", LEAFMINT_SNOWFLAKE_URL=local).json()["store"] is None


def test_what_cannot_be_read_is_an_error_line_and_the_rest_is_shown(local: str) -> None:
    ran = leafmint("status", LEAFMINT_URL=UNREACHABLE, LEAFMINT_SNOWFLAKE_URL=local)
    assert (ran.code, SENTINEL in ran.out) == (1, False)
    text = " ".join(ran.out.split())
    assert "error store: store_unavailable: mysql://127.0.0.1:1/leafmint: cannot connect" in text
    assert "1,024 of 1,024 worker ids are free" in text
    assert leafmint("status").code == 2
    assert leafmint("status", "-o", "no_such=1", LEAFMINT_URL="memory:").code == 2
    assert leafmint("status", "--watch", "0", LEAFMINT_URL="memory:").code == 2


def test_an_error_of_two_parts_is_shown_once(mysql_url: str) -> None:
    ran = leafmint("status", LEAFMINT_URL=f"{mysql_url}?table=no_such_table")
    text = " ".join(ran.out.split())
    assert (ran.code, text.count("error 1146"), "error store, tags: invalid_config: " in text) == (2, 1, True)


def test_a_watch_shows_ids_per_second_in_lines_and_ends_by_ctrl_c(url: str) -> None:
    with library.SegmentGenerator(url, max_step=100) as ids:
        order = ids.tag("order")
        order.next_id()
        watch = start("status", "--watch", "0.1", "--timeout", "60s", LEAFMINT_URL=url)
        assert watch.stdout is not None
        lines = [watch.stdout.readline()]
        assert lines[0].split()[1:] == ["order", "max_id", lines[0].split()[3], "-", "ids/s"]
        rate = 0.0
        while rate <= 0:
            order.next_ids(1000)
            rate = float(watch.stdout.readline().split()[4].replace(",", ""))
        watch.send_signal(signal.SIGINT)
        watch.communicate(timeout=60)
        assert watch.returncode == 130


def test_a_watch_redraws_a_terminal_of_80_columns(shop: str) -> None:
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [*LEAFMINT, "status", "--watch", "0.1", "--timeout", "60s"]
    variables = environment(LEAFMINT_URL=shop)
    with subprocess.Popen(command, stdin=there, stdout=there, stderr=there, env=variables) as watch:
        os.close(there)
        seen = b""
        while seen.count(b"\x1b[H\x1b[2J") < 3:
            seen += os.read(here, 4096)
        watch.send_signal(signal.SIGINT)
        assert watch.wait(timeout=60) == 130
    os.close(here)
    _, _, second, *_ = seen.decode().split("\x1b[H\x1b[2J")
    assert "\x1b" not in second
    assert max(map(columns_of, second.splitlines())) <= 80
    assert len(second.splitlines()) <= 24
    assert "ids/s" in second
    assert "order" in second
