"""The commands `schema`, `init`, `options` and `tags create`."""

import re
import signal
import uuid
from dataclasses import asdict
from functools import partial

import leafmint as library
import pytest
from command import leafmint
from leafmint.cli import main
from testing import SENTINEL, UNREACHABLE, rows


def test_the_schema_is_that_of_the_library() -> None:
    assert leafmint("schema") == (0, library.schema_sql("mysql"), "")
    assert leafmint("schema", "sqlite", "--json").json() == {"dialect": "sqlite", "sql": library.schema_sql("sqlite")}
    assert leafmint("schema", "postgresql").out == library.schema_sql("postgresql")
    assert leafmint("schema", "oracle").code == 2


def test_tables_and_tags_are_created_once(url: str) -> None:
    for _ in range(2):
        assert leafmint("init", LEAFMINT_URL=url).code == 0
    created = [
        "tags",
        "create",
        "order",
        "--step",
        "2000",
        "--start",
        "7",
        "--description",
        "Bestellungen für é",
        "--json",
    ]
    assert leafmint(*created, LEAFMINT_URL=url).json() == {"name": "order", "host": None, "created": True}
    assert leafmint(*created, LEAFMINT_URL=url).json() == {"name": "order", "host": None, "created": False}
    assert rows(url) == [("order", 7, 2000, "Bestellungen für é")]
    assert leafmint("tags", "create", "other", "--step", "0", LEAFMINT_URL=url).code == 2


def test_the_tables_and_a_tag_are_created_in_a_database(server_url: str) -> None:
    [made] = leafmint("init", "--json", LEAFMINT_URL=server_url).json()["places"]
    assert (made["text"], made["host"], made["needs_tables"]) == ("the tables exist", None, True)
    name = f"cli-{uuid.uuid4()}-订单"
    assert leafmint("mint", name, LEAFMINT_URL=server_url).code == 2
    assert leafmint("tags", "create", name, LEAFMINT_URL=server_url, LC_ALL="C").code == 0
    assert leafmint("mint", name, LEAFMINT_URL=server_url, LC_ALL="C").out == "1\n"


def test_worker_ids_in_another_database_get_their_tables_too(url: str, application_url: str, local: str) -> None:
    holder = re.sub(r"\+\w+:", ":", application_url)
    if holder.startswith("sqlite"):
        # It holds no worker ids. Nor has a directory tables, which is no news.
        [line] = leafmint("init", LEAFMINT_URL=url, LEAFMINT_SNOWFLAKE_URL=local).lines
        assert line.startswith("the tables exist: sqlite:")
        [line] = leafmint("init", "--snowflake", LEAFMINT_URL=url, LEAFMINT_SNOWFLAKE_URL=local).lines
        assert line.startswith("these worker ids need no tables: local:")
        return
    run = partial(leafmint, LEAFMINT_URL=url, LEAFMINT_SNOWFLAKE_URL=f"{holder}?state_files=false")
    assert run("mint", "--snowflake").code == 2
    for arguments in ((), ("--snowflake",)):
        last = run("init", *arguments).lines[-1]
        assert last.startswith("the tables of worker ids exist: "), last
    assert run("mint", "--snowflake").code == 0
    assert leafmint("tags", "list", LEAFMINT_URL=holder).code == 2, "of tags there is none"


def test_a_server_that_is_down_is_1_and_a_url_that_is_wrong_2() -> None:
    ran = leafmint("init", "-o", "connect_timeout=500ms", LEAFMINT_URL=UNREACHABLE)
    assert (ran.code, SENTINEL in ran.err, "store_unavailable" in ran.err) == (1, False, True)
    ran = leafmint("init", LEAFMINT_URL="sqlite://ids.db")
    assert (ran.code, "invalid_config" in ran.err) == (2, True)


def test_the_options_are_those_of_the_library() -> None:
    tables = leafmint("options", "--json").json()
    assert tables["segment"] == [asdict(option) for option in library.SEGMENT_OPTIONS]
    assert tables["snowflake"] == [asdict(option) for option in library.SNOWFLAKE_OPTIONS]
    lines = leafmint("options").lines
    assert len(lines) == len(library.SEGMENT_OPTIONS) + len(library.SNOWFLAKE_OPTIONS) + 5


def test_the_command_without_a_command_shows_its_usage() -> None:
    ran = leafmint()
    assert (ran.code, ran.err.startswith("usage: leafmint")) == (2, True)
    assert leafmint("--version").out == f"leafmint {library.__version__}\n"


def test_a_program_that_runs_a_command_keeps_its_handler_of_sigterm(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert main(["schema", "sqlite"]) == 0
    assert signal.getsignal(signal.SIGTERM) is before
    assert capfd.readouterr().out == library.schema_sql("sqlite")
