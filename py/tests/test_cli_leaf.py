"""The command `migrate leaf check`, on the table of a Leaf in a database, by an account that may only read."""

import json
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pymysql
import pytest
from command import leafmint
from kazoo.client import KazooClient
from leafmint.cli.leaf import native_url
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
    with operator(mysql_url) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
        cursor.execute(f"USE {name}")
        cursor.execute(LEAFS_TABLE)
        cursor.executemany("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (%s, %s, %s)", TAGS)
        cursor.execute(f"CREATE USER {name} IDENTIFIED BY '{SENTINEL}'")
        cursor.execute(f"GRANT SELECT, TRIGGER ON {name}.leaf_alloc TO {name}")
        yield {"url": f"jdbc:mysql://{url.hostname}:{url.port or 3306}/{name}?useUnicode=true", "user": name}
        cursor.execute(f"DROP USER {name}")
        cursor.execute(f"DROP DATABASE {name}")


def operator(mysql_url: str, database: str | None = None) -> "pymysql.Connection[pymysql.cursors.Cursor]":
    """Return a connection of the operator."""
    url = urlsplit(mysql_url)
    return pymysql.connect(
        host=url.hostname or "127.0.0.1",
        port=url.port or 3306,
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        database=database,
        autocommit=True,
    )


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
    ran = leafmint("migrate", "leaf", "check", "--properties", properties, "--json")
    found = ran.json()
    tags = {tag["name"]: tag for tag in found["tags"]}
    assert tags["order"]["max_id"] == "52001"
    judged = [finding for finding in found["findings"] if finding["subject"] != "leaf_alloc"]
    assert [(finding["level"], finding["subject"]) for finding in judged] == [
        ("warning", "fleet"), ("warning", "fleet"), ("clash", "stopped"),
    ]  # fmt: skip
    assert ["500000" in judged[0]["text"], "2^31" in judged[1]["text"], "step" in judged[2]["text"]] == [True] * 3
    assert (ran.code, found["ready"], SENTINEL in ran.out) == (1, False, False)
    assert found["to_do"][0].startswith("Fix stopped: ")
    assert any("option workers" in step for step in found["to_do"])


def test_people_read_a_table_and_what_to_do(properties: str) -> None:
    lines = leafmint("migrate", "leaf", "check", "--properties", properties).lines
    table = {line.split()[0]: line.split()[-1] for line in lines[3:7]}
    assert table == {"order": "yes", "fleet": "yes", "stopped": "no", "leaf-segment-test": "yes"}
    assert "4 tags, 1 to fix. Nothing was written. What to do:" in lines
    assert any(line.startswith("clash    stopped: ") for line in lines)


@pytest.mark.parametrize(
    ("change", "level", "part"),
    [
        ("ALTER TABLE leaf_alloc ENGINE=MyISAM", "clash", "MyISAM"),
        ("ALTER TABLE leaf_alloc DROP PRIMARY KEY", "clash", "ADD UNIQUE"),
        ("ALTER TABLE leaf_alloc DROP COLUMN step", "clash", "no column step"),
        ("ALTER TABLE leaf_alloc MODIFY max_id decimal(20, 0)", "clash", "decimal(20,0)"),
        (
            "CREATE TRIGGER audit BEFORE UPDATE ON leaf_alloc FOR EACH ROW SET @seen = 1",
            "warning",
            "BEFORE UPDATE audit",
        ),
        ("ALTER TABLE leaf_alloc CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", "warning", "general_ci"),
    ],
)
def test_a_table_that_is_not_as_leaf_made_it_is_named(
    change: str, level: str, part: str, mysql_url: str, leaf: dict[str, str], properties: str
) -> None:
    with operator(mysql_url, leaf["user"]) as connection, connection.cursor() as cursor:
        cursor.execute(change)
    found = leafmint("migrate", "leaf", "check", "--properties", properties, "--json").json()["findings"]
    texts = [it["text"] for it in found if (it["level"], it["subject"]) == (level, "leaf_alloc")]
    assert any(part in text for text in texts), found


def test_worker_ids_that_a_fork_keeps_in_a_table_are_compared(
    mysql_url: str, leaf: dict[str, str], properties: str
) -> None:
    with operator(mysql_url, leaf["user"]) as connection, connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE leaf_workerid_alloc (id int PRIMARY KEY, ip_port varchar(40), max_timestamp bigint)"
        )
        cursor.execute("INSERT INTO leaf_workerid_alloc VALUES (5, 'pod-1:8080', 1700000000000)")
        cursor.execute(f"GRANT SELECT ON leaf_workerid_alloc TO {leaf['user']}")
    check = ("migrate", "leaf", "check", "--properties", properties, "--json", "--snowflake-url")
    found = leafmint(*check, "local:w").json()
    assert [(node["worker_id"], node["name"]) for node in found["nodes"]] == [(5, "pod-1:8080")]
    assert ("clash", "worker ids") in [(it["level"], it["subject"]) for it in found["findings"]]
    own = leaf["url"].removeprefix("jdbc:").partition("?")[0]
    goes_on = leafmint(*check, f"{own}?worker_mode=endpoint&endpoint=pod-1:8080").json()
    assert "worker ids" not in [finding["subject"] for finding in goes_on["findings"]]
    elsewhere = leafmint(*check, "mysql://host/leaf?worker_mode=endpoint&endpoint=pod-1:8080").json()
    assert ("clash", "worker ids") in [(it["level"], it["subject"]) for it in elsewhere["findings"]]


def test_the_snowflakes_of_leafmint_are_judged_without_a_connection() -> None:
    same = leafmint("migrate", "leaf", "check", "--snowflake-url", "local:w?workers=512-1023", "--json")
    assert (same.code, [finding["level"] for finding in same.json()["findings"]]) == (0, ["warning"])
    other = leafmint("migrate", "leaf", "check", "--snowflake-url", "local:w?layout=wide")
    assert other.code == 1
    assert other.lines[0].startswith("clash    layout: ")
    later = leafmint("migrate", "leaf", "check", "--json", LEAFMINT_SNOWFLAKE_URL="local:w?epoch=1577836800000")
    assert (later.code, later.json()["findings"][0]["subject"]) == (1, "epoch")
    own = "1577836800000"
    fits = leafmint("migrate", "leaf", "check", "--snowflake-url", f"local:w?epoch={own}", "--leaf-epoch", own)
    assert fits.code == 0


def test_a_leaf_that_cannot_be_reached_or_has_no_table_is_an_error(leaf: dict[str, str], tmp_path: Path) -> None:
    wrong = leafmint("migrate", "leaf", "check", "--url", leaf["url"], "-o", "username=stranger", "-o", "timeout=5s")
    assert (wrong.code, wrong.out) == (2, "")
    down = leafmint("migrate", "leaf", "check", "--url", "jdbc:mysql://127.0.0.1:1/leaf", "-o", "connect_timeout=1s")
    assert (down.code, down.out) == (1, "")
    empty = tmp_path / "leaf.properties"
    empty.write_text("leaf.snowflake.enable=true\n")
    assert leafmint("migrate", "leaf", "check", "--properties", str(empty)).code == 2


@pytest.fixture
def tree(zookeeper_url: str) -> Iterator[tuple[str, str]]:
    """Yield the servers and the name of a Leaf with three nodes in ZooKeeper: live, off, and with a clock ahead."""
    hosts, name = urlsplit(zookeeper_url).netloc, f"leaf{uuid.uuid4().hex}"
    client = KazooClient(hosts=hosts)
    client.start(timeout=60)
    for endpoint, seconds in (("10.0.0.1:8080", 0), ("10.0.0.2:8080", -3600), ("10.0.0.3:8080", 3600)):
        ip, port = endpoint.split(":")
        data = {"ip": ip, "port": port, "timestamp": int((time.time() + seconds) * 1000)}
        path = f"/snowflake/{name}/forever/{endpoint}-"
        client.create(path, json.dumps(data).encode(), sequence=True, makepath=True)
    yield hosts, name
    client.delete(f"/snowflake/{name}", recursive=True)
    client.stop()
    client.close()


def test_the_worker_ids_of_leaf_servers_are_read_and_compared(tree: tuple[str, str], tmp_path: Path) -> None:
    hosts, name = tree
    file = tmp_path / "leaf.properties"
    file.write_text(f"leaf.name {name}\nleaf.snowflake.enable: true\nleaf.snowflake.zk.address = \\\n    {hosts}\n")
    check = ("migrate", "leaf", "check", "--properties", str(file))
    found = leafmint(*check, "--json", "--snowflake-url", "local:w").json()
    assert [(node["worker_id"], node["is_live"]) for node in found["nodes"]] == [(0, True), (1, False), (2, True)]
    assert [(it["level"], it["subject"].rpartition("-")[2]) for it in found["findings"]] == [
        ("clash", "worker ids"), ("warning", "0000000002"),
    ]  # fmt: skip
    assert "0, 1, 2" in found["findings"][0]["text"]
    forever = f"{name}?worker_mode=leaf&endpoint=10.0.0.9:80"
    joined = leafmint(*check, "--snowflake-url", f"zookeeper://{hosts}/{forever}", "--json").json()
    assert "worker ids" not in [finding["subject"] for finding in joined["findings"]]
    elsewhere = leafmint(*check, "--snowflake-url", f"zookeeper://{hosts}/apps/{forever}")
    assert (elsewhere.code, f"{hosts}/apps/{name} is not Leaf's zookeeper://{hosts}/{name}" in elsewhere.out) == (
        1,
        True,
    )
    replicas = leafmint(*check, "--snowflake-url", "fixed:ordinal?state_dir=/nowhere&ordinal_offset=2")
    assert (replicas.code, "may take 2," in replicas.out) == (1, True)
    apart = leafmint(*check, "--snowflake-url", "local:w?workers=512-1023")
    assert apart.code == 0
    assert apart.lines[1].split()[:2] == ["0", "yes"]


def test_recycled_worker_ids_of_a_fork_are_read(tree: tuple[str, str]) -> None:
    hosts, name = tree
    client = KazooClient(hosts=hosts)
    client.start(timeout=60)
    data = json.dumps(
        {"workerId": 9, "lastUsedIp": "10.0.0.4", "lastUsedPort": "8080", "lastUsedTimestamp": 1}
    ).encode()
    client.create(f"/snowflake/{name}/recycle/inuse/workId:9", data, makepath=True)
    client.create(f"/snowflake/{name}/recycle/notuse/workId:10", data, makepath=True)
    client.stop()
    client.close()
    url = f"zookeeper://{hosts}/{name}"
    check = ("migrate", "leaf", "check", "--zookeeper", url, "--json", "--snowflake-url")
    clash = leafmint(*check, "local:w?workers=9-10").json()["findings"][0]
    assert clash["level"] == "clash"
    assert "may take 9," in clash["text"]
    assert leafmint(*check, "local:w?workers=10-11").code == 0


def test_a_tree_that_cannot_be_read_is_an_error() -> None:
    down = leafmint(
        "migrate", "leaf", "check", "--zookeeper", "zookeeper://127.0.0.1:1/leaf?timeout=2s&connect_timeout=1s"
    )
    assert (down.code, down.out) == (1, "")
    wrong = leafmint("migrate", "leaf", "check", "--zookeeper", "local:leaf")
    assert wrong.code == 2
    assert "zookeeper://host1" in wrong.err


@pytest.mark.parametrize(
    ("leaf", "native"),
    [
        ("jdbc:mysql://db:3307/leaf?useUnicode=true&characterEncoding=utf8&useSSL=false", "mysql://db:3307/leaf"),
        ("jdbc:mysql://db/leaf?useSSL=true", "mysql://db/leaf?ssl-mode=required"),
        ("jdbc:mysql://db/leaf?requireSSL=true&verifyServerCertificate=true", "mysql://db/leaf?ssl-mode=verify_ca"),
        ("jdbc:mysql://db/leaf?sslMode=VERIFY_IDENTITY", "mysql://db/leaf?ssl-mode=VERIFY_IDENTITY"),
        ("jdbc:mysql://db/leaf?user=app&password=a%26b", "mysql://db/leaf?username=app&password=a%26b"),
        ("mysql://db/leaf?timeout=2s", "mysql://db/leaf?timeout=2s"),
    ],
)
def test_the_url_of_leafs_own_driver_is_read_with_its_demands(leaf: str, native: str) -> None:
    assert native_url(leaf) == native
