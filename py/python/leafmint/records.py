"""What the generators, a format and an audit return.

All are immutable, compare by their fields, and can be pickled and copied. A later version may add fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as _date
from datetime import datetime, timedelta
from typing import Literal

from ._core import _once


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class TagInfo:
    """A tag as the store has it. Returned by `SegmentGenerator.list_tags`.

    Attributes:
        name: The name.
        max_id: The next number to lease; None if the row holds no whole number.
        step: The column `step`; None if the row holds no whole number.
        description: The description; None if there is none, or no such column.
        update_time: When the row was changed last, as an aware datetime in UTC; None if there is no such column.
        gene_bits: The number of gene bits, 0 for none; None if the account may not read them.
        problem: Why no id of this tag can be leased, and what to do; None if ids can be leased.

    Example:
        >>> import leafmint
        >>> with leafmint.SegmentGenerator("memory://tag_info") as ids:
        ...     ids.create_tag("order", step=100, description="since 2026")
        ...     [(tag.name, tag.max_id, tag.step, tag.description) for tag in ids.list_tags()]
        True
        [('order', 1, 100, 'since 2026')]
    """

    name: str
    max_id: int | None
    step: int | None
    description: str | None
    update_time: datetime | None
    gene_bits: int | None
    problem: str | None


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class SegmentCheck:
    """What `SegmentGenerator.check` found.

    Attributes:
        scope: The store, without credentials, and the processes among which its ids are unique.
        is_new: There is no table or file yet: the first id makes it.
        tags: The number of tags.
        creates_tags: Whether the account may create tags.
        round_trip: How long the store took to answer, with connecting.

    Example:
        >>> import leafmint
        >>> with leafmint.SegmentGenerator("memory://check") as ids:
        ...     ids.check().tags
        0
    """

    scope: str
    is_new: bool
    tags: int
    creates_tags: bool
    round_trip: timedelta


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class SeriesInfo:
    """A series as the store has it. Returned by `SegmentGenerator.list_series`.

    Attributes:
        name: The name, without a key.
        period: The period after which its numbers start again: "day", "month", "year" or "forever".
        zone: The name of the time zone; None if the numbers never start again.
        format: The format of its numbers, as declared last; None if none was.

    Example:
        >>> import leafmint
        >>> with leafmint.SegmentGenerator("memory://series_info") as ids:
        ...     _ = ids.series("invoice", period="year", zone="Europe/Madrid", format="{year}/{number:5}").next()
        ...     ids.list_series()
        [SeriesInfo(name='invoice', period='year', zone='Europe/Madrid', format='{year}/{number:5}')]
    """

    name: str
    period: Literal["day", "month", "year", "forever"]
    zone: str | None
    format: str | None


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class GaplessInfo:
    """A period of a sequence without gaps as its row has it. Returned by `SegmentGenerator.list_gapless`.

    Attributes:
        name: The name, without the key; the whole name of a row that no sequence has.
        key: The key; None for none.
        period: The period after which its numbers start again: "day", "month", "year" or "forever".
        group: The period as text: "2026-11-25", "2026-11" or "2026"; empty if the numbers never start again.
        number: The last number that was taken; None if none was, or the row holds no number.
        problem: Why no number can be taken of the row, and what to do; None if one can.

    Example:
        >>> import tempfile
        >>> import leafmint
        >>> from leafmint.sqlalchemy import GaplessSequence
        >>> from sqlalchemy import create_engine
        >>> engine = create_engine(f"sqlite:///{tempfile.mkdtemp()}/shop.db")
        >>> with leafmint.SegmentGenerator(engine) as ids:
        ...     ids.init_schema()
        ...     with engine.begin() as connection:
        ...         _ = GaplessSequence("invoice", period="forever", key="shop-7").next(connection)
        ...     [(each.name, each.key, each.number) for each in ids.list_gapless()]
        [('invoice', 'shop-7', 1)]
        >>> engine.dispose()
    """

    name: str
    key: str | None
    period: Literal["day", "month", "year", "forever"]
    group: str
    number: int | None
    problem: str | None


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerInfo:
    """A worker id that was taken at least once. Returned by `SnowflakeGenerator.list_workers`.

    Attributes:
        worker_id: The worker id.
        endpoint: The process that has it, or had it last; empty if that cannot be read.
        held: Whether a process holds it now.
        horizon: Up to when it is reserved, where its next lease begins, as an aware datetime in UTC; None if that
            cannot be read.
        updated: When its owner wrote last, as an aware datetime in UTC, by the database's clock if there is one; None
            if that is not known.

    Example:
        >>> import tempfile
        >>> import leafmint
        >>> with leafmint.SnowflakeGenerator(f"local:{tempfile.mkdtemp()}", endpoint="10.0.0.7:8080") as ids:
        ...     _ = ids.next_id()
        ...     [(worker.worker_id, worker.endpoint, worker.held) for worker in ids.list_workers()]
        [(0, '10.0.0.7:8080', True)]
    """

    worker_id: int
    endpoint: str
    held: bool
    horizon: datetime | None
    updated: datetime | None


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class SnowflakeCheck:
    """What `SnowflakeGenerator.check` found.

    Attributes:
        scope: The holder, without credentials, and the processes among which the ids are unique.
        holder: The kind of holder, as in the statistics.
        is_new: No process has used the namespace yet: the first id makes its tables or its directory.
        layout: The layout, as the holder keeps it.
        runs_out: The time at which the timestamp bits run out, as an aware datetime in UTC.
        workers: The number of worker ids that this generator may take.
        free_workers: The number of those that no process holds now.
        clock_skew: How far the database's clock is ahead of this host's; None without a database.

    Example:
        >>> import tempfile
        >>> import leafmint
        >>> with leafmint.SnowflakeGenerator(f"local:{tempfile.mkdtemp()}") as ids:
        ...     found = ids.check()
        >>> found.is_new, found.workers, found.free_workers, found.runs_out.year
        (True, 1024, 1024, 2080)
    """

    scope: str
    holder: str
    is_new: bool
    layout: str
    runs_out: datetime
    workers: int
    free_workers: int
    clock_skew: timedelta | None


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class KeyUse:
    """How far a key is used. Part of an `AuditReport`.

    Attributes:
        table: The table, or the sequence that fills no column. In PostgreSQL with its schema, unless that is public.
        column: The column; empty for a sequence that fills none.
        data_type: The type, as the engine names it.
        used: The highest number used.
        largest: The highest number that can be used.
        time_left: The time until it runs out at the present rate; None if the rate is not known.
    """

    table: str
    column: str
    data_type: str
    used: int
    largest: int
    time_left: timedelta | None


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class AuditFinding:
    """What is wrong with a key. Part of an `AuditReport`.

    Attributes:
        kind: "runs_out", "narrow_reference", "counter_behind", "tag_behind", "rounded_in_json", "clock_ahead" or
            "mixed_layouts".
        severity: "problem" if inserts fail or soon will, else "note".
        table: The table, or the sequence that fills no column.
        column: The column; empty for a sequence that fills none.
        value: The number that is judged, such as the highest one used, or the next one of a sequence.
        limit: The number that it is measured by, such as the highest one that fits, or that of the last row.
        text: What is wrong, and what to do.
    """

    kind: str
    severity: str
    table: str
    column: str
    value: int
    limit: int
    text: str


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class AuditReport:
    """What `audit` read and found.

    Attributes:
        scope: The database, without credentials.
        read_at: When it was read, as an aware datetime in UTC.
        keys: Each key, the one used most first.
        findings: What is wrong, worst first.
        unread: Tables and sequences that the account may not read, or that are locked or damaged; "*" if it sees none.
    """

    scope: str
    read_at: datetime
    keys: tuple[KeyUse, ...]
    findings: tuple[AuditFinding, ...]
    unread: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether everything was read, and no finding is a problem."""
        return not self.unread and all(finding.severity != "problem" for finding in self.findings)


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class NumberParts:
    """The parts of a number. Returned by `Format.parse`.

    Attributes:
        number: The number.
        date: The date; None if the format has no field of it. A day or month that the format does not have is 1.
        key: The key; None if the format has none.
        shard: The shard; None if the format has none.

    Example:
        >>> import leafmint
        >>> leafmint.Format("{key}/{year}-{number}").parse("shop-7/2026-42")
        NumberParts(number=42, date=datetime.date(2026, 1, 1), key='shop-7', shard=None)
    """

    number: int
    date: _date | None
    key: str | None
    shard: int | None


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class TagStats:
    """The statistics of one tag. Returned by `Tag.stats`, and part of `SegmentStats`.

    Attributes:
        issued: Ids handed out.
        leased: Ids leased from the store.
        unused: Ids leased, and neither handed out nor given back.
        given_back: Ids given back to the store by the close.
        highest_leased: Highest id that this process has leased, with the highest gene; 0 before the first lease.
        supply: How long the unused ids last at the current rate; None if the tag is idle.
        step: The column `step` as last read; 0 before the first lease.
        refills: Successful leases.
        refill_failures: Failed attempts to lease.
        failures_in_a_row: Failed attempts since the last lease, which are repeated; at least 1 while the store is away.
        refill_duration: Average round trip of a lease; None before the first one.
        waits: Calls that had to wait.
        failed_calls: Calls that raised an error.
        numbers_left: Numbers that fit the format of a series and are not leased in its present period, of the fullest
            key; None for a tag, and without a format that ends.
        numbers_last: How long these last at the pace of the period so far; None if there is no pace.
        last_error: Message of the last failure, or None.
        last_error_code: Code of its error, or None.
        last_error_at: When it occurred, or None.
    """

    issued: int
    leased: int
    unused: int
    given_back: int
    highest_leased: int
    supply: timedelta | None
    step: int
    refills: int
    refill_failures: int
    failures_in_a_row: int
    refill_duration: timedelta | None
    waits: int
    failed_calls: int
    numbers_left: int | None
    numbers_last: timedelta | None
    last_error: str | None
    last_error_code: str | None
    last_error_at: datetime | None


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class SegmentStats:
    """The statistics of a segment generator. Returned by `SegmentGenerator.stats`.

    Attributes:
        scope: The store, and the processes among which its ids are unique.
        store_up: Whether the store answered the last request; True before the first lease.
        host: The host in use, if the URL names several; otherwise None.
        failures: Leases that failed, by the code of their error, from 0 on; "other" for rare kinds.
        tags: The statistics of each tag used so far, by name.

    Example:
        >>> import leafmint
        >>> with leafmint.SegmentGenerator("memory://segment_stats") as ids:
        ...     _ = ids.tag("order").next_ids(3)
        ...     ids.stats().tags["order"].issued
        3
    """

    scope: str
    store_up: bool
    host: str | None
    failures: Mapping[str, int]
    tags: Mapping[str, TagStats]


@_once
@dataclass(frozen=True, kw_only=True, slots=True)
class SnowflakeStats:
    """The statistics of a snowflake generator. Returned by `SnowflakeGenerator.stats`.

    Attributes:
        worker_id: The current worker id; None before the first id, and while a lost lease is being replaced.
        holder: The kind of holder, such as "local".
        scope: The holder, and the processes among which the ids are unique.
        namespace: The namespace of its worker ids; empty if the holder has none.
        host: The host in use, if the URL names several; otherwise None.
        holder_up: Whether the last attempt to take or extend a lease succeeded; True before the first.
        horizon: How far ahead time is reserved; None without a lease.
        clock_lead: How far the ids are ahead of the wall clock.
        heartbeat_duration: Average round trip of a heartbeat of the lease; None before the first one.
        waits: Calls that had to wait.
        failed_calls: Calls that raised an error.
        lease_failures: Failed attempts to take or extend a lease.
        leases_lost: Leases that another process took over.
        last_error: Message of the last failure, or None.
        last_error_code: Code of its error, or None.
        last_error_at: When it occurred, or None.
    """

    worker_id: int | None
    holder: str
    scope: str
    namespace: str
    host: str | None
    holder_up: bool
    horizon: timedelta | None
    clock_lead: timedelta
    heartbeat_duration: timedelta | None
    waits: int
    failed_calls: int
    lease_failures: int
    leases_lost: int
    last_error: str | None
    last_error_code: str | None
    last_error_at: datetime | None
