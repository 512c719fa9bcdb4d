"""The commands `workers list` and `release`."""

import uuid
from datetime import datetime, timezone

import leafmint as library
from command import Ran, leafmint


def worker(ran: Ran, worker_id: int = 0) -> dict[str, object]:
    """Return the worker id of a list."""
    return next(dict(it) for it in ran.json()["workers"] if it["worker_id"] == worker_id)


def test_the_worker_ids_of_a_directory_are_listed_with_their_owner(local: str) -> None:
    with library.SnowflakeGenerator(local) as flakes:
        flakes.next_id()
        held = worker(leafmint("workers", "list", "--json", LEAFMINT_SNOWFLAKE_URL=local))
        refused = leafmint("workers", "release", "0", "--force", "--url", local)
    assert (held["held"], bool(held["endpoint"])) == (True, True)
    assert (refused.code, "worker_id_unavailable" in refused.err) == (1, True)
    lines = leafmint("workers", "list", "--url", local).lines
    assert lines[2].split() == ["worker_id", "held", "horizon", "updated", "endpoint"]
    assert lines[3].split()[:2] == ["0", "no"]
    assert leafmint("workers", "release", "0", "--url", local).out == "worker id 0: was free already\n"


def test_the_worker_id_of_a_process_that_is_gone_is_freed_in_a_database(server_url: str) -> None:
    url = f"{server_url}?auto_create=true&namespace=cli-{uuid.uuid4()}&state_files=false"
    assert leafmint("workers", "list", "--json", LEAFMINT_URL=url).json()["workers"] == []
    with library.SnowflakeGenerator(url) as flakes:
        flakes.next_id()
        held = worker(leafmint("workers", "list", "--json", LEAFMINT_URL=url))
        assert held["held"] is True
        assert datetime.fromisoformat(str(held["horizon"]).replace("Z", "+00:00")) > datetime.now(timezone.utc)
        refused = leafmint("workers", "release", "0", LEAFMINT_URL=url)
        assert (refused.code, "worker_id_unavailable" in refused.err) == (1, True)
        freed = leafmint("workers", "release", "0", "--force", "--json", LEAFMINT_URL=url)
        assert freed.json() == {"worker_id": 0, "host": None, "released": True}
    assert leafmint("workers", "release", "99999", LEAFMINT_URL=url).code == 2
