"""The commands `schema`, `init`, `options` and `tags create`."""

import signal
import uuid

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
    assert leafmint(*created, LEAFMINT_URL=url).json() == {"biz_tag": "order", "created": True}
    assert leafmint(*created, LEAFMINT_URL=url).json() == {"biz_tag": "order", "created": False}
    assert rows(url) == [("order", 7, 2000, "Bestellungen für é")]
    assert leafmint("tags", "create", "other", "--step", "0", LEAFMINT_URL=url).code == 2


def test_the_tables_and_a_tag_are_created_in_a_database(server_url: str) -> None:
    assert leafmint("init", "--json", LEAFMINT_URL=server_url).json().keys() == {"scope"}
    name = f"cli-{uuid.uuid4()}-订单"
    assert leafmint("mint", name, LEAFMINT_URL=server_url).code == 2
    assert leafmint("tags", "create", name, LEAFMINT_URL=server_url, LC_ALL="C").code == 0
    assert leafmint("mint", name, LEAFMINT_URL=server_url, LC_ALL="C").out == "1\n"


def test_a_server_that_is_down_is_1_and_a_url_that_is_wrong_2() -> None:
    ran = leafmint("init", "-o", "connect_timeout=500ms", LEAFMINT_URL=UNREACHABLE)
    assert (ran.code, SENTINEL in ran.err, "store_unavailable" in ran.err) == (1, False, True)
    ran = leafmint("init", LEAFMINT_URL="sqlite://ids.db")
    assert (ran.code, "invalid_config" in ran.err) == (2, True)


def test_the_options_are_those_of_the_library() -> None:
    tables = leafmint("options", "--json").json()
    assert tables["segment"] == [option._asdict() for option in library.OPTIONS]
    assert tables["snowflake"] == [option._asdict() for option in library.SNOWFLAKE_OPTIONS]
    lines = leafmint("options").lines
    assert len(lines) == len(library.OPTIONS) + len(library.SNOWFLAKE_OPTIONS) + 5


def test_the_command_without_a_command_shows_its_usage() -> None:
    ran = leafmint()
    assert (ran.code, ran.err.startswith("usage: leafmint")) == (2, True)
    assert leafmint("--version").out == f"leafmint {library.__version__}\n"


def test_a_program_that_runs_a_command_keeps_its_handler_of_sigterm(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert main(["schema", "sqlite"]) == 0
    assert signal.getsignal(signal.SIGTERM) is before
    assert capfd.readouterr().out == library.schema_sql("sqlite")
