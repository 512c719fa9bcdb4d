"""The page of the command line has every command, no option that is none, and examples that print what it shows."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from urllib.parse import unquote, urlsplit

import leafmint
import pymysql
import pytest
from leafmint.cli import main
from leafmint.sqlalchemy import GaplessSequence
from programs import TOP
from sqlalchemy import create_engine

PAGE = (TOP / "docs/command-line.md").read_text()
EXAMPLE = re.compile(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


def run(command: str, folder: Path, **variables: str) -> str:
    """Runs a command of the page, and returns what it prints."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": tools, "COLUMNS": "400", **variables}
    ran = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    return ran.stdout + ran.stderr


def sections() -> dict[tuple[str, ...], str]:
    """Returns the text of the page about each command, or about several, whose last words are in the heading."""
    parts = re.split(r"^### (`.*`)$|^## .*$", PAGE, flags=re.MULTILINE)
    return {headed(title): text for title, text in zip(parts[1::2], parts[2::2], strict=True) if title}


def headed(title: str) -> tuple[str, ...]:
    """Returns the commands that a heading names."""
    first, *others = re.findall(r"`(.*?)`", title)
    group, _, _ = first.rpartition(" ")
    return (first, *(f"{group} {other}" for other in others))


def commands(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Returns the help of every command."""
    with pytest.raises(SystemExit, match="0"):
        main([*words, "--help"])
    text = capsys.readouterr().out
    if "COMMAND" not in text:
        return {" ".join(("leafmint", *words)): text}
    names = re.findall(r"^    (\S+)(?:  |$)", text, re.MULTILINE)
    return {name: help for each in names for name, help in commands((*words, each), capsys).items()}


def options(text: str) -> set[str]:
    """Returns the long options that a text names."""
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def test_the_page_has_every_command_with_the_example_of_its_help_and_no_option_of_another(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    helps = commands((), capsys)
    assert sorted(command for group in sections() for command in group) == sorted(helps)
    for group, text in sections().items():
        said = re.sub(r"```.*?```", "", text, flags=re.DOTALL)  # The examples are run.
        assert options(said) <= {option for command in group for option in options(helps[command])}, group
        for command in group:
            example = helps[command].rstrip().splitlines()[-1].strip()
            assert f"$ {example}" in text, command


@pytest.fixture
def folder(tmp_path: Path, database: str) -> Path:
    """Returns the folder of the examples, with numbers in its store and the settings of a Leaf on a database."""
    with leafmint.SegmentGenerator(f"sqlite:///{tmp_path}/ids.db") as ids:
        ids.series("customer", period="forever").next_many(8)
        for key, count in (("shop-7", 42), ("shop-8", 5)):
            ids.series("invoice", period="year", zone="Europe/Madrid", key=key).next_many(count, on=date(2026, 1, 1))
        ids.series("invoice", period="year", zone="Europe/Madrid", key="shop-7").next(on=date(2025, 1, 1))
    engine = create_engine(f"sqlite:///{tmp_path}/ids.db")
    with engine.begin() as connection:
        GaplessSequence("credit", period="forever").next_many(connection, 7)
        invoices = GaplessSequence("invoice", period="year", zone="Europe/Madrid", key="shop-7")
        invoices.next_many(connection, 42, on=date(2026, 1, 1))
    engine.dispose()
    with leafmint.SegmentGenerator(f"sqlite:///{tmp_path}/shop.db") as ids:
        ids.create_tag("orders", start=5)
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (7)")
    with leafmint.SegmentGenerator(database) as ids:
        ids.init_schema()
        ids.create_tag("order", step=2000, start=52001)
    count_orders(database)
    url, query, _ = database.partition("?")
    (tmp_path / "leaf.properties").write_text(f"leaf.name=leaf\nleaf.jdbc.url=jdbc:{url}{query}\n")
    return tmp_path


def count_orders(database: str) -> None:
    """Makes a table that the server counts, with a row."""
    parts = urlsplit(database)
    login = {"user": unquote(parts.username or ""), "password": unquote(parts.password or "")}
    name = parts.path.lstrip("/")
    with pymysql.connect(host=parts.hostname, port=parts.port or 3306, database=name, **login) as connection:
        connection.cursor().execute("CREATE TABLE orders (id BIGINT AUTO_INCREMENT PRIMARY KEY)")
        connection.cursor().execute("INSERT INTO orders VALUES (52000)")
        connection.commit()


def test_the_examples_print_what_the_page_shows(folder: Path, database: str) -> None:
    variables: dict[str, str] = {}
    for command, expected in EXAMPLE.findall(PAGE):
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            variables[name] = value.replace("mysql://user:password@host/database", database)
            continue
        printed = TIME.sub("TIME", run(command, folder, **variables))
        lines = re.sub(r"^…\n", "LINES", TIME.sub("TIME", expected), flags=re.MULTILINE)
        pattern = re.escape(lines).replace("LINES", "(?:.*\n)*?").replace("…", ".*")
        assert re.fullmatch(pattern, printed), (command, printed)
