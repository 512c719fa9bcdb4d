"""The command `check`, whose exit code a probe reads."""

import socket
import time
import uuid

from command import leafmint
from leafmint import SnowflakeGenerator
from testing import SENTINEL, UNREACHABLE


def test_a_store_and_a_holder_that_can_serve_are_0(url: str, local: str) -> None:
    leafmint("tags", "create", "order", LEAFMINT_URL=url)
    ran = leafmint("check", "--tag", "order", "--json", LEAFMINT_URL=url, LEAFMINT_SNOWFLAKE_URL=local)
    found = {it["check"]: it for it in ran.json()["checks"]}
    assert (ran.code, ran.json()["ok"], list(found)) == (0, True, ["store", "tag", "worker ids", "time bits", "clock"])
    assert (found["store"]["tags"], found["worker ids"]["free_workers"]) == (1, 1024)
    assert found["clock"]["text"] == "not checked, there is no database to compare with"
    assert found["time bits"]["runs_out"].startswith("2080-07-10T")
    lines = leafmint("check", "--url", url).lines
    assert [line.split()[:2] for line in lines] == [["ok", "store"]]


def test_a_namespace_without_a_free_worker_id_is_1_unless_this_host_has_one(local: str) -> None:
    def check(workers: str) -> tuple[int, str, bool]:
        ran = leafmint("check", "-o", f"workers={workers}", LEAFMINT_SNOWFLAKE_URL=local)
        return ran.code, ran.lines[0].split()[0], "0 of" in ran.out and "can start" in ran.out

    with SnowflakeGenerator(local, workers="3-4") as one, SnowflakeGenerator(local, workers="3-4") as other:
        one.next_id()
        # The process is probed itself.
        assert check("3") == (0, "warn", True)
        assert check("3-4") == (0, "ok", False)
        other.next_id()
        # A pod with two processes, which has all worker ids.
        assert check("3-4") == (0, "warn", True)
        assert check("3-5") == (0, "ok", False)
    with SnowflakeGenerator(local, workers="3", endpoint="10.0.0.7:8080") as elsewhere:
        elsewhere.next_id()
        assert check("3") == (1, "fail", True)


def test_a_table_without_a_tag_is_a_warning(url: str) -> None:
    assert leafmint("check", LEAFMINT_URL=url).lines[0].split()[:2] == ["ok", "store"]
    leafmint("init", LEAFMINT_URL=url)
    ran = leafmint("check", LEAFMINT_URL=url)
    assert (ran.code, ran.lines[0].split()[:2]) == (0, ["warn", "store"])
    assert "0 tags" in ran.out
    assert "If there were tags, make them again: leafmint tags recover TAG" in ran.out
    assert "add --prometheus URL" in leafmint("check", "--tag", "order", LEAFMINT_URL=url).out
    named = leafmint("check", "--url", url, "-o", "table=leaf_alloc")
    assert named.lines[0].endswith(f"leafmint tags recover TAG --url {url} -o 'table=leaf_alloc'")


def test_a_database_is_checked_with_its_clock_and_its_worker_ids(server_url: str) -> None:
    leafmint("init", LEAFMINT_URL=server_url)
    options = [
        "-o",
        "auto_create=true",
        "-o",
        f"namespace=cli-{uuid.uuid4()}",
        "-o",
        "workers=0-31",
        "-o",
        "state_files=false",
    ]
    ran = leafmint("check", "--snowflake", *options, "--json", LEAFMINT_URL=server_url)
    found = {it["check"]: it for it in ran.json()["checks"]}
    assert (ran.code, list(found)) == (0, ["store", "worker ids", "time bits", "clock"])
    assert (found["worker ids"]["workers"], found["worker ids"]["free_workers"]) == (32, 32)
    assert abs(found["clock"]["clock_skew_millis"]) < 1000


def test_a_server_that_is_down_is_1_and_what_has_to_be_corrected_2(url: str, server_url: str) -> None:
    ran = leafmint("check", "--json", LEAFMINT_URL=UNREACHABLE)
    assert (ran.code, ran.json()["ok"], ran.json()["checks"][0]["code"]) == (1, False, "store_unavailable")
    assert SENTINEL not in ran.out + ran.err
    ran = leafmint("check", "--tag", "order", LEAFMINT_URL=url)
    assert (ran.code, ran.lines[-1].split()[:2]) == (2, ["fail", "tag"])
    assert leafmint("check", "-o", f"table=none_{uuid.uuid4().hex}", LEAFMINT_URL=server_url).code == 2
    assert leafmint("check", "-o", "no_such=1", LEAFMINT_URL=url).code == 2
    assert leafmint("check").code == 2
    assert leafmint("check", "--url", "oracle://host/db").code == 2


def test_a_server_that_is_silent_is_1_within_the_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        began = time.monotonic()
        url = f"mysql://root@127.0.0.1:{server.getsockname()[1]}/x?connect_timeout=60s"
        ran = leafmint("check", "--url", url, "--timeout", "500ms")
        assert (ran.code, ran.lines[0].split()[:2]) == (1, ["fail", "store"])
        # Without the timeout it would take a minute.
        assert time.monotonic() - began < 30
