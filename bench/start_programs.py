"""The programs whose starts are measured, by language, each with the same program without leafmint."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import start_java
from start_java import on_class_path

SEGMENT = "import leafmint; leafmint.SegmentGenerator('{url}').tag('start').next_id()"
SNOWFLAKE = "import leafmint; leafmint.SnowflakeGenerator('{url}').next_id()"
SEQUENCE = """\
import psycopg
with psycopg.connect('{PostgreSQL}') as connection:
    connection.execute('CREATE SEQUENCE IF NOT EXISTS start_ids')
    connection.execute("SELECT nextval('start_ids')").fetchone()
"""
APPLICATION = "import asyncio, datetime, logging, typing"
"""What nearly every application has imported already."""


class Program(NamedTuple):
    """A program. `{MariaDB}` and `{PostgreSQL}` in a word are URLs, `{folder}` is a folder that stays between runs."""

    part: str
    name: str
    command: list[str]
    without: list[str]
    """The same without leafmint."""
    database: str = ""
    """The database whose round trips are counted."""


def python() -> list[Program]:
    """Returns the programs of Python."""

    def program(name: str, code: str, without: str = "pass", database: str = "") -> Program:
        return Program("Python", name, [sys.executable, "-c", code], [sys.executable, "-c", without], database)

    def first_id(name: str, code: str, url: str, database: str = "") -> Program:
        return program(f"first {name}", code.replace("{url}", url), database=database)

    return [
        program("import leafmint", "import leafmint"),
        program("import leafmint, in an application", f"{APPLICATION}; import leafmint", APPLICATION),
        first_id("segment id, SQLite", SEGMENT, "sqlite:///{folder}/ids.db"),
        first_id("segment id, MariaDB", SEGMENT, "{MariaDB}", "MariaDB"),
        first_id("segment id, PostgreSQL", SEGMENT, "{PostgreSQL}", "PostgreSQL"),
        first_id("snowflake, directory", SNOWFLAKE, "local:{folder}/workers"),
        first_id("snowflake, MariaDB", SNOWFLAKE, "{MariaDB}?state_dir={folder}/mariadb", "MariaDB"),
        first_id("snowflake, PostgreSQL", SNOWFLAKE, "{PostgreSQL}?state_dir={folder}/postgresql", "PostgreSQL"),
        program("instead: uuid.uuid4", "import uuid; uuid.uuid4()"),
        program("instead: a sequence by psycopg", SEQUENCE, database="PostgreSQL"),
    ]


def java() -> list[Program]:
    """Builds and returns the programs of Java."""

    def program(name: str, command: list[str], without: list[str] | None = None, database: str = "") -> Program:
        return Program("Java", name, command, without or on_class_path("Empty"), database)

    def first_id(name: str, main: str, url: str, database: str = "") -> Program:
        return program(f"class path: {name}", on_class_path(main, url), database=database)

    start_java.build()
    directory = "local:{folder}/workers"
    archive = start_java.archived("FirstSnowflake", f"local:{start_java.BUILT}/workers")
    library = start_java.unpacked()
    return [
        first_id("snowflake, directory", "FirstSnowflake", directory),
        first_id("segment id, SQLite", "FirstSegment", "sqlite:///{folder}/java.db"),
        first_id("segment id, MariaDB", "FirstSegment", "{MariaDB}", "MariaDB"),
        first_id("segment id, PostgreSQL", "FirstSegment", "{PostgreSQL}", "PostgreSQL"),
        program(
            "module path: snowflake, directory",
            start_java.on_module_path("with", "FirstSnowflake", directory),
            start_java.on_module_path("without", "Empty"),
        ),
        program("unpacked library: snowflake, directory", on_class_path("FirstSnowflake", directory, options=library)),
        program("archived classes: snowflake, directory", on_class_path("FirstSnowflake", directory, options=archive)),
        program(
            "archived and unpacked: snowflake, directory",
            on_class_path("FirstSnowflake", directory, options=(*archive, *library)),
        ),
        program("instead: one line by SLF4J", on_class_path("FirstLine")),
        program("instead: a sequence by JDBC", on_class_path("FirstOfSequence", "{PostgreSQL}"), database="PostgreSQL"),
    ]


PARTS: dict[str, Callable[[], list[Program]]] = {"Python": python, "Java": java}
