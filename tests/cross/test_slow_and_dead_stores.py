"""A server that dies, freezes or comes back: ids go on while they can, and never repeat."""

from __future__ import annotations

import time
from collections.abc import Iterator

import leafmint
import pytest
from mariadb import MariaDb
from segments import SCHEMA, assert_ascending, insert, until_it_fails


@pytest.fixture
def server() -> Iterator[MariaDb]:
    """A server for one test, with leafmint's tables."""
    with MariaDb() as database:
        database.sql(f"USE leafmint; {SCHEMA}")
        yield database


class Paced:
    """A caller that takes ids at a fixed rate, and notes how long it went on after the store had died."""

    def __init__(self, tag: leafmint.Tag, rate: int) -> None:
        self.tag, self.rate = tag, rate
        self.ids: list[int] = []
        self.began = time.monotonic()
        self.error: leafmint.LeafmintError | None = None
        self.dry_after = 0.0

    def keep_up(self, timeout: float = 0) -> None:
        """Takes the ids that are due; stops at the first error."""
        due = int((time.monotonic() - self.began) * self.rate)
        while not self.error and len(self.ids) < due:
            try:
                self.ids.append(self.tag.next_id(timeout=timeout))
            except leafmint.SegmentUnavailableError as error:
                self.error, self.dry_after = error, time.monotonic() - self.began


@pytest.mark.parametrize("ran", [8.0, pytest.param(15.0, marks=pytest.mark.long)])
def test_supply_survives_an_outage_as_long_as_the_tag_has_run_up_to_the_budget(server: MariaDb, ran: float) -> None:
    rate = 1000
    insert(server, 100, "order", "capped")
    # A short budget, and segments that last a second.
    budget = 3.0
    with (
        leafmint.SegmentGenerator(server.url, timeout=1.0, connect_timeout=1.0) as ids,
        leafmint.SegmentGenerator(
            server.url, timeout=1.0, connect_timeout=1.0, outage_budget=budget, segment_duration=1.0
        ) as less,
    ):
        order, capped = ids.tag("order"), less.tag("capped")
        order.next_id(), capped.next_id()
        callers = [Paced(order, rate), Paced(capped, rate)]
        while time.monotonic() - callers[0].began < ran:
            for caller in callers:
                caller.keep_up(timeout=30)
            time.sleep(0.005)
        assert not any(caller.error for caller in callers), callers[0].error
        stats = {tag: figures for each in (ids, less) for tag, figures in each.stats().tags.items()}
        server.kill()
        while not all(caller.error for caller in callers) and time.monotonic() - callers[0].began < 3 * ran:
            for caller in callers:
                caller.keep_up()
            time.sleep(0.005)
        for caller in callers:
            figures = stats[caller.tag.name]
            print(
                f"\n{caller.tag.name}: ran {ran} s at {rate} ids/s, survived {caller.dry_after - ran:.1f} s; "
                f"leased/used {figures.leased / figures.issued:.2f}; {figures}"
            )
        survived = [caller.dry_after - ran for caller in callers]
        assert survived[0] >= 0.9 * ran
        assert 0.9 * budget <= survived[1] <= 2.5 * budget, "the budget bounds what is held"
        # Now calls wait with their deadline, and say why.
        asked = time.monotonic()
        with pytest.raises(leafmint.SegmentUnavailableError, match=r"cannot connect to 127\.0\.0\.1") as failed:
            order.next_id()
        assert 0.9 <= time.monotonic() - asked < 10, failed.value
        server.start()
        asked = time.monotonic()
        callers[0].ids.append(order.next_id(timeout=30))
        recovered = time.monotonic() - asked
        callers[1].ids.append(capped.next_id(timeout=30))
        print(f"recovered {recovered:.2f} s after the server was back")
        assert recovered < 20
        for caller in callers:
            assert_ascending(caller.ids)


def test_a_frozen_server_costs_a_call_its_deadline_and_no_id(server: MariaDb) -> None:
    insert(server, 100, "order")
    minted = []
    with leafmint.SegmentGenerator(server.url, timeout=1.5, connect_timeout=1, max_step=100) as ids:
        order = ids.tag("order")
        for _ in range(3):
            minted += order.next_ids(150, timeout=30)
            server.freeze()
            for _ in range(2):
                error, waited = until_it_fails(order, minted)
                assert isinstance(error, leafmint.SegmentUnavailableError)
                assert 1.4 <= waited < 10, error
            assert "no answer to" in str(error)
            server.thaw()
            minted.append(order.next_id(timeout=30))
    assert_ascending(minted)


def test_a_store_that_is_down_at_the_start_is_waited_for_or_fails_an_eager_start(server: MariaDb) -> None:
    insert(server, 100, "order")
    server.kill()
    asked = time.monotonic()
    with pytest.raises(leafmint.LeafmintError, match=f"cannot connect to 127.0.0.1:{server.port}"):
        leafmint.SegmentGenerator(server.url, eager=True, eager_tags=["order"], timeout=2)
    assert time.monotonic() - asked < 10
    with leafmint.SegmentGenerator(server.url, timeout=2) as ids:
        order = ids.tag("order")
        asked = time.monotonic()
        with pytest.raises(leafmint.SegmentUnavailableError, match=f"cannot connect to 127.0.0.1:{server.port}"):
            order.next_id()
        assert 1.9 <= time.monotonic() - asked < 10
        server.start()
        assert order.next_id(timeout=30) == 1
