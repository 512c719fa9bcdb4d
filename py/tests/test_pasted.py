"""Commands and statements of messages and reports, pasted into bash, MariaDB's client and psql: each does one thing."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import leafmint
import pytest
from audited import Audited
from command import environment
from command import leafmint as leafmint_command
from sqlalchemy.dialects import mysql, postgresql

HOSTILE = [
    r"\'or(1)#",
    r"a\b",
    "it's",
    'a"b`c`',
    "$(touch pwned)",
    "`touch pwned`",
    "a; touch pwned; #",
    "a && touch pwned",
    "-n",
    "--help",
    "a\nb",
    "\ttab\r\x1b[2J\x7f",
    "%s {} ~ * ? !! $HOME",
    "\u202eor\u2066d\u200ber\u3000e",
    "订单é",
]
BYSTANDER = "bystander"


class Shell:
    """A bash in a folder of its own."""

    def __init__(self, folder: Path, url: str) -> None:
        """Make the folder, in which nothing must appear."""
        self.folder = folder
        folder.mkdir()
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = environment(LEAFMINT_URL=url, PATH=path)

    def paste(self, command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command line."""
        ran = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, encoding="utf-8"
        )
        assert list(self.folder.iterdir()) == [], command
        return ran


def command_in(text: str) -> str:
    """Return the command that a text ends with, or that a semicolon and a space end."""
    argument = r"(?:\$'(?:\\.|[^'\\])*'|'(?:[^']|'\\'')*'|[^';$]+)+"
    found = re.search(rf"leafmint tags (?:raise|create|recover) {argument}", text)
    assert found, text
    return found[0].removesuffix(" ")


def max_ids(url: str) -> dict[str, int | None]:
    """Return the max_id of each tag."""
    with leafmint.SegmentGenerator(url) as ids:
        return {tag.name: tag.max_id for tag in ids.list_tags()}


def test_the_message_of_a_store_that_lost_writes_mends_the_tag_that_it_names_and_no_other(
    url: str, tmp_path: Path
) -> None:
    shell = Shell(tmp_path / "empty", url)
    for name in HOSTILE:
        with leafmint.SegmentGenerator(url, default_step=10, max_step=10) as ids:
            ids.create_tag(BYSTANDER)
            tag = ids.tag(name)
            highest = max(tag.next_ids(25))
            connection = sqlite3.connect(url.removeprefix("sqlite:///"))
            with connection:
                connection.execute("UPDATE leaf_alloc SET max_id = 1")
            connection.close()
            with pytest.raises(leafmint.StoreRegressedError) as raised:
                [tag.next_id() for _ in range(1000)]
            highest = max(highest, ids.stats().tags[name].highest_leased)
        command = command_in(str(raised.value))
        before = max_ids(url)
        refused = shell.paste(command)
        assert refused.returncode == 1, "nothing but the store is known"
        assert (max_ids(url), "--reported" in refused.stderr) == (before, True)
        ran = shell.paste(command.replace("recover", f"recover --reported {highest} --margin 0 --yes", 1))
        assert ran.returncode == 0, (command, ran.stderr)
        assert max_ids(url) == before | {name: highest + 1}


def test_the_message_about_a_series_raises_the_row_of_its_period_once_the_highest_number_is_put_in(
    url: str, tmp_path: Path
) -> None:
    shell = Shell(tmp_path / "empty", url)
    with leafmint.SegmentGenerator(url) as ids:
        series = ids.series("it's", period="year", zone="UTC")
        series.next_many(30)
        connection = sqlite3.connect(url.removeprefix("sqlite:///"))
        with connection:
            connection.execute("UPDATE leaf_alloc SET max_id = 1")
        connection.close()
        with pytest.raises(leafmint.StoreRegressedError) as raised:
            [series.next() for _ in range(1000)]
        command = command_in(str(raised.value))
        before = max_ids(url)
        assert shell.paste(command).returncode == 2, "a word is no number"
        assert max_ids(url) == before
        ran = shell.paste(f"{command.replace('HIGHEST_NUMBER', '4711')} --yes")
        assert ran.returncode == 0, (command, ran.stderr)
        assert [*max_ids(url).values()] == [4712]
        assert series.next().number == 4712


def test_the_message_about_an_unknown_tag_makes_that_tag_and_no_other(url: str, tmp_path: Path) -> None:
    shell = Shell(tmp_path / "empty", url)
    with leafmint.SegmentGenerator(url, auto_create=False) as ids:
        for bits, name in enumerate(HOSTILE[:13]):
            with pytest.raises(leafmint.UnknownTagError) as raised:
                ids.tag(name, gene_bits=bits).next_id(gene=1 if bits else None)
            before = max_ids(url)
            ran = shell.paste(command_in(str(raised.value)))
            assert ran.returncode == 0, (str(raised.value), ran.stderr)
            assert max_ids(url) == before | {name: 1}
            assert {tag.name: tag.gene_bits for tag in ids.list_tags()}[name] == bits


def test_no_message_of_a_process_offers_its_own_last_id(url: str) -> None:
    with leafmint.SegmentGenerator(url, default_step=7777, max_step=7777) as ids:
        tag = ids.tag("order")
        tag.next_id()
        assert ids.stats().tags["order"].highest_leased == 7777
        for change in ("UPDATE leaf_alloc SET max_id = 1", "DELETE FROM leaf_alloc"):
            connection = sqlite3.connect(url.removeprefix("sqlite:///"))
            with connection:
                connection.execute(change)
            connection.close()
            with pytest.raises(leafmint.LeafmintError) as raised:
                ids.tag("order").next_ids(7777)
            text = str(raised.value)
            assert "777" not in text, text
            assert "leafmint tags recover order;" in text, text


def test_what_an_audit_says_of_a_tag_does_one_thing(mariadb: Audited, tmp_path: Path) -> None:
    owner = mariadb.operator.set(drivername="mysql").render_as_string(hide_password=False)
    shell = Shell(tmp_path / "empty", owner)
    with leafmint.SegmentGenerator(owner) as ids:
        ids.init_schema()
        for name in HOSTILE:
            mariadb.table(quoted(mariadb, name), "BIGINT")
            mariadb.run(f"INSERT INTO {quoted(mariadb, name)} (id) VALUES (200000000)")
            ids.create_tag(name, gene_bits=8)
    found = {it.table: it.text for it in leafmint.audit(mariadb.url).findings if it.kind == "tag_behind"}
    assert sorted(found) == sorted(HOSTILE)
    for name, text in found.items():
        before = max_ids(owner)
        ran = shell.paste(command_in(text))
        assert ran.returncode == 0, (text, ran.stderr)
        assert max_ids(owner) == before | {name: (200_000_000 >> 8) + 1}
    with leafmint.SegmentGenerator(owner) as ids:
        first = ids.tag("it's", gene_bits=8).next_id(gene=0)
        assert 200_000_000 < first <= 200_000_000 + 256
    assert [it.kind for it in leafmint.audit(mariadb.url).findings if it.kind == "tag_behind"] == []


def quoted(shop: Audited, name: str) -> str:
    """Return a name for a statement of this test."""
    preparers = {"mysql": mysql.dialect, "postgresql": postgresql.dialect}
    text: str = preparers[shop.kind]().identifier_preparer.quote_identifier(name)
    # SQLAlchemy doubles percent signs for its drivers.
    return text.replace("%%", "%")


def paste_sql(shop: Audited, statement: str, before: str) -> None:
    """Paste a statement into the server's own client."""
    at = shop.operator
    clients = {
        "mysql": ["mariadb", "--no-defaults", f"-h{at.host}", f"-P{at.port}", f"-u{at.username}", f"-p{at.password}"],
        "postgresql": ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", str(at.host), "-p", str(at.port)],
    }
    command = clients[shop.kind] if at.password or shop.kind != "mysql" else clients["mysql"][:-1]
    more = ["--default-character-set=utf8mb4"] if shop.kind == "mysql" else ["-U", str(at.username), "-d"]
    secrets = {"PGPASSWORD": str(at.password or "")}
    ran = subprocess.run(
        [*command, *more, str(at.database)],
        input=f"{before};\n{statement};\n",
        env=os.environ | secrets,
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, (statement, ran.stderr)


@pytest.mark.parametrize("mode", ["''", "'NO_BACKSLASH_ESCAPES,ANSI_QUOTES'"])
def test_a_counter_is_raised_by_the_statement_of_an_audit_in_every_sql_mode(mariadb: Audited, mode: str) -> None:
    raise_counters(mariadb, f"SET sql_mode = {mode}", HOSTILE)


def test_a_counter_is_raised_by_the_statement_of_an_audit_on_postgresql(postgres: Audited) -> None:
    raise_counters(postgres, "SET standard_conforming_strings = on", HOSTILE)
    raise_counters(postgres, "SET standard_conforming_strings = off", ["a\\b'\"c"])


def raise_counters(shop: Audited, before: str, names: list[str]) -> None:
    """Let rows pass the counters of tables with these names, and paste what the audit says."""
    for name in names:
        shop.table(quoted(shop, name))
        shop.table(quoted(shop, f"{name}2"))
        if shop.kind == "mysql":
            # A cascade goes past the counter.
            shop.run(
                f"CREATE TABLE {quoted(shop, name + 'p')} (id INT PRIMARY KEY)",
                f"INSERT INTO {quoted(shop, name + 'p')} VALUES (1)",
                f"ALTER TABLE {quoted(shop, name)} ADD FOREIGN KEY (id) REFERENCES {quoted(shop, name + 'p')} (id)"
                " ON UPDATE CASCADE",
                f"UPDATE {quoted(shop, name + 'p')} SET id = 1000",
            )
        else:
            shop.run(f"INSERT INTO {quoted(shop, name)} VALUES (1000)")
    found = [it for it in leafmint.audit(shop.url).findings if it.kind == "counter_behind"]
    assert sorted(it.table for it in found) == sorted(names)
    for it in found:
        sql = it.text.rpartition("as duplicates. ")[2].removeprefix("Stop processes that lease from it first. ")
        paste_sql(shop, sql, before)
    assert [it for it in leafmint.audit(shop.url).findings if it.kind == "counter_behind"] == []


def test_the_commands_of_a_move_from_auto_increment_do_one_thing(counted: Audited, tmp_path: Path) -> None:
    owner = counted.operator.set(drivername="mysql").render_as_string(hide_password=False)
    shell = Shell(tmp_path / "empty", owner)
    names = ["o$(touch pwned)", "a'b\n`c`;", "-orders"]
    with leafmint.SegmentGenerator(owner) as ids:
        ids.init_schema()
        ids.create_tag(names[1], gene_bits=8)
    for name in names:
        counted.table(quoted(counted, name), "BIGINT")
        counted.grow(quoted(counted, name), 1000)
    for name in names:
        to_run = look(counted.url, "plan", name)["to_run"]
        assert [command["place"] for command in to_run] == ["shell", "sql"]
        ran = shell.paste(to_run[0]["text"])
        assert ran.returncode == 0, (to_run, ran.stderr)
        paste_sql(counted, to_run[1]["text"].removesuffix(";"), "SELECT 1")
        assert look(counted.url, "check", name)["ready"]
        counted.run(f"INSERT INTO {quoted(counted, name)} () VALUES ()")
        (finding,) = look(counted.url, "check", name, "--after")["findings"]
        assert shell.paste(command_in(finding["text"])).returncode == 0
        assert look(counted.url, "check", name, "--after")["findings"] == []
    with leafmint.SegmentGenerator(owner) as ids:
        highest = int(look(counted.url, "check", names[1])["tables"][0]["highest"])
        first = ids.tag(names[1], gene_bits=8).next_id(gene=0)
        assert highest < first <= highest + 256


def look(url: str, command: str, table: str, *arguments: str) -> Any:
    """Return the document of a look at a counter."""
    # In a pattern, a bracket or a question mark would have a meaning.
    given = [f"--table={table}", *arguments, "--json"]
    return leafmint_command("migrate", "auto-increment", command, *given, LEAFMINT_URL=url).json()
