"""The commands on a sequence of PostgreSQL."""

import re
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from command import leafmint


@pytest.fixture
def sequence(postgres_url: str) -> Iterator[str]:
    """Return the name of a sequence."""
    name = f"orders_{uuid.uuid4().hex[:8]}_seq"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE SEQUENCE {name}")
        yield name
        connection.execute(f"DROP SEQUENCE {name}")


def test_ids_are_minted_and_the_sequence_is_shown(postgres_url: str, sequence: str) -> None:
    url, tag = f"{postgres_url}?sequence={{tag}}_seq", sequence.removesuffix("_seq")
    assert leafmint("mint", tag, "-n", "2", LEAFMINT_URL=url).lines == ["1", "2"]
    ran = leafmint("check", "--tag", tag, "--json", LEAFMINT_URL=url)
    assert (ran.code, [it["check"] for it in ran.json()["checks"]]) == (0, ["store", "tag"])
    [line] = [line.split() for line in leafmint("tags", "list", LEAFMINT_URL=url).lines if line.startswith(tag)]
    assert line[:3] == [tag, "1001", "1000"]


def test_what_raises_a_sequence_above_the_highest_id_is_named(postgres_url: str, sequence: str) -> None:
    url, tag = f"{postgres_url}?sequence={{tag}}_seq", sequence.removesuffix("_seq")
    ran = leafmint("tags", "recover", tag, "--reported", "700", "--margin", "0", "--yes", LEAFMINT_URL=url)
    assert (ran.code, f"ALTER SEQUENCE {sequence} RESTART WITH 701" in ran.err.replace('"', "")) == (2, True), ran
    assert leafmint("mint", tag, LEAFMINT_URL=url).out == "1\n", "nothing was changed"


def test_sequences_have_no_tables_to_create(postgres_url: str, sequence: str) -> None:
    ran = leafmint("init", LEAFMINT_URL=f"{postgres_url}?sequence={sequence}")
    assert (ran.code, ran.out.startswith("sequences need no tables: ")) == (0, True)


def test_a_check_fails_without_a_grant_on_any_sequence(postgres_url: str, sequence: str) -> None:
    role, tag = f"reader_{uuid.uuid4().hex[:8]}", sequence.removesuffix("_seq")
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'pw'")
        url = f"{re.sub('//.*@', f'//{role}:pw@', postgres_url)}?sequence={{tag}}_seq"
        ran = leafmint("check", LEAFMINT_URL=url)
        assert (ran.code, "may not be used by this account: run GRANT USAGE ON SEQUENCE" in ran.out) == (2, True)
        connection.execute(f"GRANT USAGE ON SEQUENCE {sequence} TO {role}")
        assert leafmint("check", "--tag", tag, LEAFMINT_URL=url).code == 0
        connection.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


def test_what_a_sequence_cannot_do_is_refused_by_name(postgres_url: str, sequence: str) -> None:
    url = f"{postgres_url}?sequence={sequence}"
    for command in (["create", "order"], ["raise", "order", "--above-id", "500"]):
        ran = leafmint("tags", *command, LEAFMINT_URL=url)
        assert ran.code == 2
        assert sequence in ran.err
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"ALTER SEQUENCE {sequence} CACHE 20")
    ran = leafmint("check", LEAFMINT_URL=url)
    assert ran.code == 2
    assert "CACHE 1" in ran.out
