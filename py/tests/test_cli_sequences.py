"""The commands on a sequence of PostgreSQL."""

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


def test_what_a_sequence_cannot_do_is_refused_by_name(postgres_url: str, sequence: str) -> None:
    url = f"{postgres_url}?sequence={sequence}"
    for command in (["create", "order"], ["raise", "order", "500"]):
        ran = leafmint("tags", *command, LEAFMINT_URL=url)
        assert ran.code == 2
        assert sequence in ran.err
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"ALTER SEQUENCE {sequence} CACHE 20")
    ran = leafmint("check", LEAFMINT_URL=url)
    assert ran.code == 2
    assert "CACHE 1" in ran.out
