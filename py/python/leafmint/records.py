"""What the administrative calls of the generators return, and a format."""

from datetime import date as _date
from datetime import datetime
from typing import NamedTuple

from ._core import _once


@_once
class TagInfo(NamedTuple):
    """A tag as the store has it. Returned by `SegmentGenerator.list_tags`.

    Attributes:
        biz_tag: The name.
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
        ...     [(tag.biz_tag, tag.max_id, tag.step, tag.description) for tag in ids.list_tags()]
        True
        [('order', 1, 100, 'since 2026')]
    """

    biz_tag: str
    max_id: int | None
    step: int | None
    description: str | None
    update_time: datetime | None
    gene_bits: int | None
    problem: str | None


@_once
class SegmentCheck(NamedTuple):
    """What `SegmentGenerator.check` found.

    Attributes:
        scope: The store, without credentials, and the processes among which its ids are unique.
        is_new: There is no table or file yet: the first id makes it.
        tags: The number of tags.
        creates_tags: Whether the account may create tags.
        round_trip_millis: How long the store took to answer, with connecting.

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
    round_trip_millis: float


@_once
class SeriesInfo(NamedTuple):
    """A series as the store has it. Returned by `SegmentGenerator.list_series`.

    Attributes:
        name: The name, without a key.
        period: The period after which its numbers start again: "day", "month", "year" or "forever".
        zone: The name of the time zone; None if the numbers never start again.

    Example:
        >>> import leafmint
        >>> with leafmint.SegmentGenerator("memory://series_info") as ids:
        ...     _ = ids.series("invoice", period="year", zone="Europe/Madrid").next()
        ...     ids.list_series()
        [SeriesInfo(name='invoice', period='year', zone='Europe/Madrid')]
    """

    name: str
    period: str
    zone: str | None


@_once
class WorkerInfo(NamedTuple):
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
        >>> with leafmint.SnowflakeGenerator(f"local://{tempfile.mkdtemp()}", endpoint="10.0.0.7:8080") as ids:
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
class SnowflakeCheck(NamedTuple):
    """What `SnowflakeGenerator.check` found.

    Attributes:
        scope: The holder, without credentials, and the processes among which the ids are unique.
        holder: The kind of holder, as in the statistics.
        is_new: No process has used the namespace yet: the first id makes its tables or its directory.
        layout: The layout, as the holder keeps it.
        runs_out: The time at which the timestamp bits run out, as an aware datetime in UTC.
        workers: The number of worker ids that this generator may take.
        free_workers: The number of those that no process holds now.
        clock_skew_millis: How far the database's clock is ahead of this host's; None without a database.

    Example:
        >>> import tempfile
        >>> import leafmint
        >>> with leafmint.SnowflakeGenerator(f"local://{tempfile.mkdtemp()}") as ids:
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
    clock_skew_millis: int | None


@_once
class KeyUse(NamedTuple):
    """How far a key is used. Part of an `AuditReport`.

    Attributes:
        table: The table, or the sequence that fills no column. In PostgreSQL with its schema, unless that is public.
        column: The column; empty for a sequence that fills none.
        data_type: The type, as the engine names it.
        used: The highest number used.
        largest: The highest number that can be used.
        days_left: The days until it runs out at the present rate; None if the rate is not known.
    """

    table: str
    column: str
    data_type: str
    used: int
    largest: int
    days_left: float | None


@_once
class AuditFinding(NamedTuple):
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
class AuditReport(NamedTuple):
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
class NumberParts(NamedTuple):
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
