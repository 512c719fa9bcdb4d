"""The command `migrate-from-leaf check`, on the table of a Leaf in a database, by an account that may only read."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pymysql
import pytest
from command import leafmint
from testing import SENTINEL

LEAFS_TABLE = """
CREATE TABLE leaf_alloc (
  biz_tag varchar(128) NOT NULL DEFAULT '',
  max_id bigint(20) NOT NULL DEFAULT '1',
  step int(11) NOT NULL,
  description varchar(256) DEFAULT NULL,
  update_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (biz_tag)
) ENGINE=InnoDB
"""
TAGS = [("order", 52_001, 2000), ("fleet", 1_900_000_000, 500_000), ("stopped", 1, 0), ("leaf-segment-test", 1, 2000)]


@pytest.fixture
def leaf(mysql_url: str) -> Iterator[dict[str, str]]:
    """Yield the settings of a Leaf with a database of its own, whose account may only read."""
    url = urlsplit(mysql_url)
    name = f"leaf_{uuid.uuid4().hex[:20]}"
    connection = pymysql.connect(
        host=url.hostname or "127.0.0.1",
        port=url.port or 3306,
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        autocommit=True,
    )
    with connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
        cursor.execute(f"USE {name}")
        cursor.execute(LEAFS_TABLE)
        cursor.executemany("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (%s, %s, %s)", TAGS)
        cursor.execute(f"CREATE USER {name} IDENTIFIED BY '{SENTINEL}'")
        cursor.execute(f"GRANT SELECT ON {name}.leaf_alloc TO {name}")
        yield {"url": f"jdbc:mysql://{url.hostname}:{url.port or 3306}/{name}?useUnicode=true", "user": name}
        cursor.execute(f"DROP USER {name}")
        cursor.execute(f"DROP DATABASE {name}")


@pytest.fixture
def properties(leaf: dict[str, str], tmp_path: Path) -> str:
    """Return the settings of that Leaf as its file."""
    file = tmp_path / "leaf.properties"
    lines = {"url": leaf["url"], "username": leaf["user"], "password": SENTINEL}
    text = "".join(f"leaf.jdbc.{key}={value}\n" for key, value in lines.items())
    file.write_text(
        f"leaf.name=a leaf\n# leaf.jdbc.url=no\nleaf.segment.enable=true\n{text}leaf.snowflake.enable=true\n"
    )
    return str(file)


def test_each_tag_of_a_leaf_is_judged_and_nothing_is_written(properties: str) -> None:
    ran = leafmint("migrate-from-leaf", "check", "--properties", properties, "--json")
    found = ran.json()
    tags = {tag["biz_tag"]: tag for tag in found["tags"]}
    assert {name: tag["problem"] is None for name, tag in tags.items()} == {
        "order": True, "fleet": True, "stopped": False, "leaf-segment-test": True,
    }  # fmt: skip
    assert tags["order"]["max_id"] == "52001"
    assert "step" in tags["stopped"]["problem"]
    assert ["500,000" in tags["fleet"]["advice"][0], "2^31" in tags["fleet"]["advice"][1]] == [True, True]
    assert (ran.code, found["ready"], SENTINEL in ran.out) == (2, False, False)
    assert found["to_do"][0].startswith("Mend stopped: ")
    assert "ZooKeeper" in found["to_do"][-1]


def test_people_read_a_table_and_what_to_do(properties: str) -> None:
    lines = leafmint("migrate-from-leaf", "check", "--properties", properties).lines
    table = {line.split()[0]: line.split()[-1] for line in lines[3:7]}
    assert table == {"order": "yes", "fleet": "yes", "stopped": "no", "leaf-segment-test": "yes"}
    assert "4 tags, 1 to mend. Nothing was written. What to do:" in lines


def test_a_leaf_that_cannot_be_reached_or_has_no_table_is_an_error(leaf: dict[str, str], tmp_path: Path) -> None:
    wrong = leafmint("migrate-from-leaf", "check", leaf["url"], "-o", "user=stranger", "-o", "timeout=5s")
    assert (wrong.code, wrong.out) == (2, "")
    down = leafmint("migrate-from-leaf", "check", "jdbc:mysql://127.0.0.1:1/leaf", "-o", "connect_timeout=1s")
    assert (down.code, down.out) == (1, "")
    empty = tmp_path / "leaf.properties"
    empty.write_text("leaf.snowflake.enable=true\n")
    assert leafmint("migrate-from-leaf", "check", "--properties", str(empty)).code == 2
