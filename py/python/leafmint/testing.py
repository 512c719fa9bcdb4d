"""Ids for tests: no database, no files, no waits, and the same ids in each run.

`segments` mints from a store of its own in memory, so that the ids of each tag start at 1. `snowflakes` mints on a
`Clock` that only the test moves. While one is open, late-bound tags and snowflakes (`leafmint.tag`,
`leafmint.snowflake`) mint from it, in the whole process.

`id_keys` lets typed ids use a fixed key, so that their texts too are the same in each run.

`assert_audit` fails a test if a key of a database runs out, lies behind or is too narrow.

With pytest use the fixtures `leafmint_segments`, `leafmint_snowflakes`, `leafmint_clock` and `leafmint_id_keys`,
which are found without an import. In other frameworks, and inside a test of hypothesis, use the context managers.

>>> import leafmint
>>> from leafmint import testing
>>> order_ids = leafmint.tag("order")
>>> with testing.segments():
...     order_ids.next_ids(3)
[1, 2, 3]
>>> with testing.segments() as ids:
...     order_ids.next_id(), ids.tag("user").next_id()
(1, 1)
"""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from typing import Any

from ._core import SegmentGenerator, SnowflakeGenerator, _forget_memory_store, _IdKeys, _VirtualClock
from .auditing import audit
from .errors import InvalidArgumentError
from .late_binding import override
from .records import AuditReport

__all__ = ["ID_KEY", "START", "Clock", "assert_audit", "id_keys", "segments", "snowflakes"]

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""What a `Clock` shows at first."""

ID_KEY = f"lmk0_{bytes(range(32)).hex()}"
"""The key of `id_keys`, which is no secret."""

_MILLISECOND = timedelta(milliseconds=1)
_numbers = itertools.count(1)


class Clock:
    """A clock for snowflakes and series that only the test moves.

    A call that has to wait for a tick moves the clock there, and returns at once. Several generators may share a clock.

    Args:
        start: What the clock shows at first: an aware datetime, or an int of Unix milliseconds.

    Example:
        >>> from datetime import datetime, timezone
        >>> from leafmint import testing
        >>> clock = testing.Clock(datetime(2026, 11, 1, tzinfo=timezone.utc))
        >>> with testing.snowflakes(clock) as flakes:
        ...     first = flakes.next_id()
        ...     clock.tick()
        ...     first, flakes.next_id() - first == 1 << 22
        (2116681624581046272, True)
    """

    __slots__ = ("__weakref__", "_clock")

    def __init__(self, start: datetime | int = START) -> None:
        """Make a clock."""
        self._clock = _VirtualClock(start)

    @property
    def millis(self) -> int:
        """The time that the clock shows, in Unix milliseconds."""
        return self._clock.millis()

    @property
    def now(self) -> datetime:
        """The time that the clock shows, as an aware datetime in UTC."""
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + self.millis * _MILLISECOND

    def tick(self, delta: timedelta | float = _MILLISECOND) -> None:
        """Let time pass: by default a millisecond, which is a tick of most layouts.

        Args:
            delta: A timedelta, or a number of seconds, not negative. A part of a millisecond passes as a whole one.

        Raises:
            InvalidArgumentError: The time is negative, or longer than a timedelta can be.
        """
        time = delta if isinstance(delta, timedelta) else _time_of(delta)
        if time < timedelta(0):
            raise InvalidArgumentError(f"tick({delta}) is negative: set the clock back with move_to")
        self._clock.pass_millis(-(-time // _MILLISECOND))

    def move_to(self, time: datetime | int) -> None:
        """Set the clock, forward or back.

        If it is set back, ids continue at the last time, or raise ClockMovedBackwardsError, as the options
        `clock_rollback` and `max_clock_lead` say.

        Args:
            time: An aware datetime, or an int of Unix milliseconds.
        """
        self._clock.move_to(time)

    def __repr__(self) -> str:
        """Return the class and the time."""
        return f"<leafmint.testing.Clock at {self.now.isoformat()}>"


def _time_of(seconds: float) -> timedelta:
    try:
        time = timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        raise InvalidArgumentError(f"tick({seconds}) is out of range: it is a number of seconds") from None
    # A timedelta rounds to microseconds. However little passes, something does.
    return time or (seconds > 0) * timedelta.resolution - (seconds < 0) * timedelta.resolution


@contextmanager
def segments(clock: Clock | None = None, **options: Any) -> Iterator[SegmentGenerator]:
    """Open a segment generator on a store of its own in memory: the ids of each tag start at 1.

    Late-bound tags mint from it until the block ends.

    Args:
        clock: The clock that its series go by; by default the machine's.
        **options: The options of `leafmint.SegmentGenerator`.

    Example:
        >>> from datetime import datetime, timedelta, timezone
        >>> from leafmint import testing
        >>> clock = testing.Clock(datetime(2026, 12, 31, 23, tzinfo=timezone.utc))
        >>> with testing.segments(clock) as ids:
        ...     invoices = ids.series("invoice", period="year", zone="UTC", format="{year}/{number}")
        ...     before = invoices.next().text
        ...     clock.tick(timedelta(hours=1))
        ...     before, invoices.next().text
        ('2026/1', '2027/1')
    """
    # A number, because tests like to replace uuid4 and to seed random.
    name = f"leafmint.testing-{next(_numbers)}"
    try:
        open_ = SegmentGenerator if clock is None else clock._clock.open_segments
        with open_(f"memory://{name}", **options) as generator, override(segments=generator):
            yield generator
    finally:
        _forget_memory_store(name)


@contextmanager
def snowflakes(clock: Clock | None = None, *, worker_id: int = 0, **options: Any) -> Iterator[SnowflakeGenerator]:
    """Open a snowflake generator on a clock that only the test moves, with a worker id of its own in memory.

    The sequence numbers of each tick begin at 0. Late-bound snowflakes come from it until the block ends.

    Args:
        clock: The clock; by default a new one, which shows `START` and is moved by calls that have to wait.
        worker_id: The worker id of all ids. Those of past moments have the one that is as far from the highest.
        **options: The options of `leafmint.SnowflakeGenerator`. Those of holders have no effect.

    Example:
        >>> from leafmint import testing
        >>> with testing.snowflakes(worker_id=7, layout="wide") as flakes:
        ...     decoded = flakes.decode(flakes.next_id())
        ...     decoded.timestamp.isoformat(), decoded.worker_id, decoded.sequence
        ('2026-01-01T00:00:00+00:00', 7, 0)
    """
    clock = Clock() if clock is None else clock
    with clock._clock.open(worker_id, **options) as generator, override(snowflakes=generator):
        yield generator


@contextmanager
def id_keys() -> Iterator[None]:
    """Let typed ids use `ID_KEY` until the block ends, whatever the application configures.

    Example:
        >>> import leafmint
        >>> from leafmint import testing
        >>> class OrderId(leafmint.TypedId, prefix="order"): ...
        >>> with testing.id_keys():
        ...     OrderId(42)
        OrderId('order_6v2tz8tkr4stkd8a9jzv30kss6')
    """
    with override(keys=_IdKeys([ID_KEY])):
        yield


def assert_audit(url: str, **request: Any) -> AuditReport:
    """Fail if an audit of the database finds anything, also a note, that `ignore` does not name.

    It also fails if a table cannot be read, and if there is no key at all.

    Args:
        url: The database.
        **request: The other arguments of `leafmint.audit`, such as `tables` and `ignore`.

    Returns:
        The report.

    Raises:
        AssertionError: The message has each finding, and what to ignore if it is meant.

    Example:
        >>> import sqlite3, tempfile
        >>> from leafmint import testing
        >>> file = f"{tempfile.mkdtemp()}/shop.db"
        >>> with sqlite3.connect(file) as shop:
        ...     _ = shop.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
        ...     _ = shop.execute("INSERT INTO orders VALUES (?)", (2**53 + 1,))
        >>> testing.assert_audit(f"sqlite:///{file}", ignore=["*:rounded_in_json"]).ok
        True
        >>> testing.assert_audit(f"sqlite:///{file}")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        AssertionError: sqlite:///...shop.db...
        note     orders.id: holds numbers above 2^53, which JavaScript rounds: send them as strings in JSON
        If that is meant, ignore: orders:rounded_in_json
    """
    __tracebackhide__ = True
    report = audit(url, **request)
    if report.findings or report.unread:
        from .cli.audit import found_lines

        rules = [f"{it.table}:{it.kind}" for it in report.findings] + list(report.unread)
        ignored = f"If that is meant, ignore: {', '.join(dict.fromkeys(rules))}"
        raise AssertionError("\n".join([report.scope, *found_lines(report), ignored]))
    if not report.keys:
        raise AssertionError(f"{report.scope}: the audit found no key: make the tables first, or look at others")
    return report
