"""The proofs on PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import leafmint
from postgresql import ACCOUNT, PASSWORD, PostgreSql, Replica
from proof import Engine, Event, prove
from throwaway import START_SECONDS


def url_of(servers: Sequence[PostgreSql]) -> str:
    """Returns a URL with several hosts."""
    return f"postgresql://{ACCOUNT}:{PASSWORD}@{','.join(f'127.0.0.1:{one.port}' for one in servers)}/leafmint"


def max_id_on(server: PostgreSql) -> Callable[[str], int]:
    """Returns what reads the row of a tag."""
    return lambda tag: int(server.sql(f"SELECT max_id FROM leaf_alloc WHERE biz_tag = '{tag}'"))


def make_tables(server: PostgreSql) -> None:
    """Makes the tables before processes do so at once."""
    with leafmint.SegmentGenerator(server.url) as ids:
        ids.init_schema()


def one_server() -> list[str]:
    """One server, whose configuration acknowledges commits that a crash loses."""
    with PostgreSql("synchronous_commit=off") as server:
        make_tables(server)
        engine = Engine("PostgreSQL, synchronous_commit=off", [server.url] * 3, max_id_on(server))

        def crash() -> None:
            for _ in range(3):
                server.kill()
                server.start()
                time.sleep(2)

        events = [Event("no fault", faulty=False), Event("three times kill -9, and back", crash, before=8)]
        return [problem for event in events for problem in prove(engine, event)]


def promoted(quick: bool = False) -> list[str]:
    """A server and its replica, which is promoted when the server is killed; quick, no wait is judged."""
    with PostgreSql() as primary, replica_of(primary) as replica:

        def fail_over() -> None:
            primary.kill()
            time.sleep(2)
            replica.promote()

        event = Event("primary killed, replica promoted", fail_over, before=8, longest=8, newcomers=True)
        if quick:
            event = replace(event, before=2, after=3, longest=60, longest_with_policy=60, calls_fail=True)
        return prove(engine_of(primary, replica), event)


def promoted_without_fence() -> list[str]:
    """A server that was frozen while its replica was promoted, and then goes on as if it were the primary."""
    with PostgreSql() as primary, replica_of(primary) as replica:

        def fail_over() -> None:
            primary.freeze()
            time.sleep(2)
            replica.promote()
            time.sleep(3)
            primary.thaw()

        # Newcomers find a row that the old primary keeps locked, for a replica that follows it no more.
        event = Event(
            "primary frozen, replica promoted, primary goes on", fail_over, before=8, after=8, longest=9,
            longest_with_policy=9, newcomers=True, calls_fail=True,
        )  # fmt: skip
        return prove(engine_of(primary, replica), event)


def replica_of(primary: PostgreSql) -> Replica:
    """Starts a replica. A commit waits for it, so that a promotion loses none that was acknowledged."""
    make_tables(primary)
    replica = Replica(primary)
    primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'replica'")
    primary.sql("SELECT pg_reload_conf()")
    deadline = time.monotonic() + START_SECONDS
    state = "SELECT sync_state FROM pg_stat_replication WHERE application_name = 'replica'"
    while primary.sql(state) != "sync\n":
        assert time.monotonic() < deadline, "the replica does not follow"
        time.sleep(0.05)
    return replica


def engine_of(primary: PostgreSql, replica: Replica) -> Engine:
    """Returns the pair as processes see it: the primary first, everywhere."""
    return Engine("PostgreSQL, synchronous replica", [url_of([primary, replica])] * 3, max_id_on(replica))


def postgresql() -> list[str]:
    """Every proof on PostgreSQL."""
    return one_server() + promoted() + promoted_without_fence()
