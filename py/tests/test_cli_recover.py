"""The command `tags recover`: finds the highest id in use, and only then raises the tag or makes its row."""

import json
import os
import pty
import sqlite3
import subprocess
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import leafmint as library
import pytest
from command import LEAFMINT, Ran, environment, leafmint

MARGIN = 10_000_000


def change(url: str, sql: str) -> None:
    """Do what another program does to the database."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        connection.executescript(sql)


def recover(url: str, *arguments: str) -> Ran:
    """Run the command."""
    return leafmint("tags", "recover", *arguments, LEAFMINT_URL=url)


def max_id(url: str, name: str = "orders") -> int | None:
    """Return what the store has of a tag."""
    with library.SegmentGenerator(url) as ids:
        return {tag.name: tag.max_id for tag in ids.list_tags()}.get(name)


@pytest.fixture
def shop(url: str) -> str:
    """Return the URL of a store with a tag, a series, and the application's rows 1 to 7."""
    with library.SegmentGenerator(url) as ids:
        ids.tag("orders").next_ids(7)
        ids.series("invoice", period="year", zone="UTC").next_many(3)
    change(url, "CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (7000)")
    change(url, "CREATE TABLE bills (number INTEGER PRIMARY KEY); INSERT INTO bills VALUES (20)")
    return url


class Prometheus:
    """Answers queries as Prometheus does: with one number for every tag, of one process."""

    def __init__(self) -> None:
        self.value, self.queries, self.logins = "0", list[str](), list[str | None]()
        self.down: list[dict[str, object]] = []
        test = self

        def result(query: str) -> list[dict[str, object]]:
            if query == "up == 0":
                return test.down
            number = "1" if "store_up" in query else test.value
            is_none = not number or "@" in query or 'tag="other"' in query
            return [] if is_none else [{"metric": {"job": "app"}, "value": [1.0, number]}]

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                query = parse_qs(urlsplit(self.path).query)["query"][0]
                test.queries.append(query)
                test.logins.append(self.headers.get("Authorization"))
                document = {"status": "success", "data": {"resultType": "vector", "result": result(query)}}
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(document).encode())

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        self.server: ThreadingHTTPServer = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """The URL, with a log-in."""
        return f"http://me:s3ntinel@127.0.0.1:{self.server.server_port}/"


@pytest.fixture
def prometheus() -> Iterator[Prometheus]:
    """Return a server that answers as Prometheus does."""
    server = Prometheus()
    yield server
    server.server.shutdown()
    server.server.server_close()


def test_a_tag_is_raised_above_the_rows_and_what_processes_report(shop: str, prometheus: Prometheus) -> None:
    prometheus.value = "8800"
    ran = recover(shop, "orders", "--prometheus", prometheus.url, "--reported", "8781")
    assert (ran.code, "orders would be raised above 10008800" in ran.out, max_id(shop)) == (1, True, 8)
    rows = {tuple(line.rsplit(maxsplit=1)) for line in ran.lines}
    assert {("leased from the store", "7"), ("rows of orders.id", "7000"), ("reported", "8781")} <= rows
    assert prometheus.queries[0] == 'max(max_over_time(leafmint_ids_highest_leased{tag="orders"}[30d]))'
    assert set(prometheus.logins) == {"Basic bWU6czNudGluZWw="}
    ran = recover(shop, "orders", "--prometheus", prometheus.url, "--yes", "--json")
    assert (ran.code, ran.json()["above"], ran.json()["raised"], ran.json()["max_id"]) == (
        0,
        "10008800",
        True,
        "10008801",
    )
    again = recover(shop, "orders", "--reported", "8000", "--yes")
    assert (again.code, "nothing was changed" in again.out, max_id(shop)) == (0, True, 10008801)
    assert "s3ntinel" not in ran.out + ran.err + again.out


def test_a_check_compares_a_tag_with_what_processes_report(shop: str, prometheus: Prometheus) -> None:
    def check(tag: str, reported: str) -> tuple[int, str]:
        prometheus.value = reported
        ran = leafmint("check", "--tag", tag, "--prometheus", prometheus.url, LEAFMINT_URL=shop)
        return ran.code, ran.lines[-1]

    assert max_id(shop) == 8
    assert check("orders", "7") == (0, "ok    tag         orders: can be leased")
    code, line = check("orders", "8")
    recover = "leafmint tags recover {} --prometheus URL"
    found = "processes have leased up to 8, and the store leases 8 next: "
    assert (code, line.endswith(found + recover.format("orders"))) == (1, True)
    code, line = check("parcel", "8")
    makes = "processes have leased up to 8. To make it, run "
    assert (code, line.endswith(makes + recover.format("parcel"))) == (2, True)
    code, line = check("parcel", "")
    assert (code, line.endswith("no process has leased from it. To make it, run leafmint tags create parcel")) == (
        2,
        True,
    )
    change(shop, f"UPDATE leaf_alloc SET max_id = {2**60 + 1} WHERE biz_tag = 'orders'")
    assert check("orders", f"{float(2**60)}")[0] == 0
    assert check("orders", f"{float(2**60 + 1024)}")[0] == 1
    assert leafmint("check", "--prometheus", "file:///etc/passwd", LEAFMINT_URL=shop).code == 2
    assert leafmint("check", "--prometheus", prometheus.url, LEAFMINT_SNOWFLAKE_URL="local:workers").code == 2
    for tag, code in (("orders", 1), ("parcel", 2)):
        down = leafmint("check", "--tag", tag, "--prometheus", "http://127.0.0.1:1", LEAFMINT_URL=shop)
        assert (down.code, "cannot tell what processes have leased: http://127.0.0.1:1" in down.out) == (code, True)
        assert "tags create" not in down.out


def test_ids_are_left_free_above_the_rows_since_more_may_be_leased(shop: str) -> None:
    ran = recover(shop, "orders", "--yes")
    assert (ran.code, max_id(shop)) == (0, 7000 + MARGIN + 1)
    assert "left free  10,000,000 ids" in ran.out
    assert "not found  processes: give what they report" in ran.out
    # Rows that were restored with the table show no more than it does of what was leased since.
    again = recover(shop, "orders", "--margin", "5", "--yes")
    assert (again.code, max_id(shop)) == (0, 7000 + MARGIN + 6)
    # It is above what processes have leased.
    reported = recover(shop, "orders", "--reported", "7000", "--margin", "5", "--yes")
    assert (reported.code, max_id(shop)) == (0, 7000 + MARGIN + 6)
    assert reported.lines[-1] == "orders is above them: nothing was changed"


def test_a_process_that_is_not_scraped_may_have_leased_above_a_restored_store(
    shop: str, prometheus: Prometheus
) -> None:
    prometheus.value = "8800"
    reported = ("--prometheus", prometheus.url, "--margin", "50", "--yes")
    assert (recover(shop, "orders", *reported).code, max_id(shop)) == (0, 8851)
    assert "nothing was changed" in recover(shop, "orders", *reported).out
    prometheus.down = [{"metric": {"job": "app", "instance": "app-2:9000"}, "value": [1.0, "0"]}]
    ran = recover(shop, "orders", *reported)
    assert (ran.code, max_id(shop)) == (0, 8901)
    assert "not found  Prometheus: 1 target of Prometheus is down: app-2:9000" in ran.out
    assert "nothing was changed" in recover(shop, "orders", *reported, "--reported", "8850").out


def test_without_anything_but_the_store_it_refuses_and_says_what_to_give(shop: str, prometheus: Prometheus) -> None:
    prometheus.value = ""
    change(shop, "DELETE FROM leaf_alloc WHERE biz_tag = 'orders'; DROP TABLE orders")
    ran = recover(shop, "orders", "--yes", "--prometheus", prometheus.url)
    assert (ran.code, max_id(shop)) == (1, None)
    assert "give --rows TABLE.COLUMN, --prometheus URL or --reported ID" in ran.err
    assert "knows of no process that has leased an id of the tag" in ran.out
    unreachable = recover(shop, "orders", "--yes", "--prometheus", "http://me:s3ntinel@127.0.0.1:1")
    assert (unreachable.code, "http://127.0.0.1:1: " in unreachable.out) == (1, True)
    assert "s3ntinel" not in unreachable.out + unreachable.err
    wrong = [("--prometheus", "file:///etc/passwd"), ("--rows", "bills.no"), ("--rows", "x"), ("--reported", "-1")]
    for arguments in wrong:
        assert recover(shop, "orders", *arguments).code == 2, arguments


def test_a_row_that_is_gone_is_made_above_that_number(shop: str) -> None:
    change(shop, "DELETE FROM leaf_alloc WHERE biz_tag = 'orders'")
    ran = recover(shop, "orders", "--rows", "bills.number", "--reported", "93500", "--step", "50")
    assert (ran.code, "orders would be created above 10093500" in ran.out, max_id(shop)) == (1, True, None)
    assert recover(shop, "orders", "--reported", "93500", "--step", "50", "--yes").code == 0
    assert leafmint("mint", "orders", LEAFMINT_URL=shop).out == "10093501\n"


def test_all_tags_are_shown_first_and_then_raised_each_above_its_own_ids(shop: str, prometheus: Prometheus) -> None:
    with library.SegmentGenerator(shop) as ids:
        for name in ("parcel", "alone"):
            ids.create_tag(name)
    change(shop, "CREATE TABLE parcel (id INTEGER PRIMARY KEY); INSERT INTO parcel VALUES (42)")
    ran = recover(shop, "--all", "--margin", "5")
    assert (ran.code, max_id(shop), max_id(shop, "parcel"), max_id(shop, "alone")) == (1, 8, 1, 1)
    cells = {tuple(line.split()) for line in ran.lines}
    assert {
        ("orders", "7", "7000", "rows", "of", "orders.id", "7005"),
        ("parcel", "0", "42", "rows", "of", "parcel.id", "47"),
        ("alone", "0", "0", "leased", "from", "the", "store", "-"),
    } <= cells
    assert "invoice" not in ran.out
    assert "refused    alone: nothing but the store itself is known" in ran.out
    assert "not found  processes: give what they report by --prometheus or --reported, and " in ran.out
    assert "the max_id of a recovery since the backup (3 tags)" in ran.out
    assert ran.lines[-1] == "Nothing was changed: --yes raises the tags"
    ran = recover(shop, "--all", "--margin", "5", "--yes")
    assert (ran.code, max_id(shop), max_id(shop, "parcel"), max_id(shop, "alone")) == (1, 7006, 48, 1)
    assert {"orders: max_id is 7006", "parcel: max_id is 48"} <= set(ran.lines)
    prometheus.value = "90"
    ran = recover(shop, "parcel", "alone", "parcel", "--margin", "0", "--prometheus", prometheus.url, "--yes", "--json")
    found = [json.loads(line) for line in ran.lines]
    assert [(it["tag"], it["raised"], it["max_id"], it["refused"]) for it in found] == [
        ("parcel", True, "91", None),
        ("alone", True, "91", None),
    ]
    again = recover(shop, "parcel", "orders", "--margin", "0", "--yes")
    assert (again.code, again.lines[-2:]) == (
        0,
        ["parcel is above them: nothing was changed", "orders is above them: nothing was changed"],
    )


def test_what_only_one_tag_can_have_is_refused_for_several(shop: str) -> None:
    for arguments in (
        ["orders", "parcel", "--reported", "7"],
        ["--all", "--rows", "bills.number"],
        ["--all", "--gene-bits", "4"],
        ["--all", "--create-table"],
        ["--all", "--rows-below", "7"],
        ["orders", "--rows-below", "7"],
        ["--all", "orders"],
        [],
    ):
        ran = recover(shop, *arguments, "--yes")
        assert (ran.code, max_id(shop)) == (2, 8), arguments


def test_a_tag_with_genes_is_raised_by_the_number_without_the_gene(shop: str) -> None:
    with library.SegmentGenerator(shop) as ids:
        ids.create_tag("parcel", gene_bits=4)
        leased = ids.tag("parcel", gene_bits=4).next_id(gene=3)
    assert recover(shop, "parcel", "--reported", str(1000 * 16 + 15), "--yes").code == 0
    assert max_id(shop, "parcel") == 1001 + (MARGIN >> 4)
    change(shop, "DELETE FROM leaf_alloc WHERE biz_tag = 'parcel'; DELETE FROM leafmint_gene WHERE biz_tag = 'parcel'")
    ran = recover(shop, "parcel", "--reported", str(2000 * 16 + 3), "--gene-bits", "4", "--yes")
    assert (ran.code, max_id(shop, "parcel"), leased) == (0, 2001 + (MARGIN >> 4), 16 + 3)


def test_a_table_that_is_gone_may_have_been_renamed(server_url: str) -> None:
    url = f"{server_url}?table=leaf_{uuid.uuid4().hex[:8]}"
    ran = recover(url, "orders", "--reported", "9000", "--yes")
    assert (ran.code, "not found  leased from the store: no such table" in ran.out) == (1, True)
    assert "if it was renamed or moved, undo that" in ran.err
    ran = recover(url, "orders", "--reported", "9e+03", "--create-table", "--yes")
    assert (ran.code, max_id(url)) == (0, 9001 + MARGIN)
    assert "recover its other tags and series too" in ran.out
    assert "The table is new" not in recover(url, "parcels", "--reported", "1", "--create-table", "--yes").out
    assert {recover(url, "orders", "--reported", it, "--yes").code for it in ("9.1e+15", "9.00015e+03")} == {2}


def test_numbers_of_a_series_are_left_free_only_if_it_is_said(shop: str) -> None:
    year = next(tag.name for tag in library.SegmentGenerator(shop).list_tags() if tag.name.startswith("invoice@"))
    change(shop, "DELETE FROM leaf_alloc WHERE biz_tag LIKE 'invoice%'")
    ran = recover(shop, year, "--rows", "bills.number", "--yes")
    assert (ran.code, "give the highest one by --reported, or --margin N" in ran.err) == (1, True)
    assert recover(shop, year, "--rows", "bills.number", "--margin", "0", "--yes").code == 0
    with library.SegmentGenerator(shop) as ids:
        assert ids.series("invoice", period="year", zone="UTC").next().number == 21


@pytest.mark.parametrize(("typed", "raised"), [("yes", True), ("y", False)])
def test_a_terminal_is_asked(shop: str, typed: str, raised: bool) -> None:
    here, there = pty.openpty()
    command, variables = [*LEAFMINT, "tags", "recover", "orders", "--reported", "8000"], environment(LEAFMINT_URL=shop)
    with subprocess.Popen(command, stdin=there, stdout=there, stderr=there, env=variables) as process:
        os.close(there)
        seen = b""
        while b"Type yes: " not in seen:
            seen += os.read(here, 4096)
        os.write(here, f"{typed}\n".encode())
        code = process.wait(timeout=120)
        assert code == (0 if raised else 1), os.read(here, 4096).decode()
    os.close(here)
    assert max_id(shop) == (8001 + MARGIN if raised else 8)
