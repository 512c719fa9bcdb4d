"""The compiled part of leafmint. Import `leafmint` instead."""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, timedelta
from datetime import date as _Date
from os import PathLike
from types import TracebackType
from typing import Any, Final, Generic, NoReturn, Protocol, TypeAlias, TypedDict, TypeVar, final
from zoneinfo import ZoneInfo

from numpy import bytes_, int64
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Never, Self

from .errors import LeafmintError
from .records import AuditReport, NumberParts, SegmentCheck, SeriesInfo, SnowflakeCheck, TagInfo, WorkerInfo

__all__ = [
    "OPTIONS",
    "SNOWFLAKE_OPTIONS",
    "_EVENTS",
    "BizTag",
    "DecodedId",
    "Format",
    "Layout",
    "PublicIds",
    "Scrambled",
    "SegmentGenerator",
    "Series",
    "SeriesNumber",
    "ShardRule",
    "ShardedId",
    "SnowflakeGenerator",
    "_BoundIdText",
    "_Call",
    "_IdText",
    "_PublicKeys",
    "_VirtualClock",
    "_WakeQueue",
    "__version__",
    "_ask_with",
    "_audit",
    "_check_counters",
    "_check_leaf",
    "_deliver_to",
    "_forget_memory_store",
    "_gapless_failure",
    "_gapless_number",
    "_gapless_statements",
    "_gapless_table",
    "_import_numpy_with",
    "_new_public_key",
    "_take_events",
    "gene_of",
    "period_table",
    "period_tables",
    "schema_sql",
    "shard_of",
]

_Duration: TypeAlias = float | str | timedelta
"""Seconds, text such as "500ms", or a timedelta."""
_Time: TypeAlias = datetime | int
"""An aware datetime, or Unix milliseconds."""
_KeyValues: TypeAlias = str | bytes | Sequence[str | bytes] | Sequence[tuple[int, bytes]]
_Keys: TypeAlias = _KeyValues | Callable[[], _KeyValues]
"""The keys of public ids, where they are, or what returns either."""
_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

class _Mints(Protocol):
    """An object that `ShardRule.mint` takes ids from."""

    def next_id(self) -> int: ...

class _EngineUrl(Protocol):
    """A URL of SQLAlchemy, such as `engine.url`."""

    def render_as_string(self, hide_password: bool = True) -> str: ...

class _TagStats(TypedDict):
    """The statistics of one tag.

    Attributes:
        issued: Ids handed out.
        leased: Ids leased from the store.
        unused: Ids leased, and neither handed out nor given back.
        given_back: Ids given back to the store by the close.
        highest_leased: Highest id that this process has leased, with the highest gene; 0 before the first lease.
        supply_seconds: How long the ids in hand last at the current rate; None if the tag is idle.
        step: The column `step` as last read; 0 before the first lease.
        refills: Successful leases.
        refill_failures: Failed attempts to lease.
        failures_in_a_row: Failed attempts since the last lease, which are repeated; at least 1 while the store is away.
        refill_millis: Average round trip of a lease; None before the first one.
        waits: Calls that had to wait.
        last_error: Message of the last failure, or None.
    """

    issued: int
    leased: int
    unused: int
    given_back: int
    highest_leased: int
    supply_seconds: float | None
    step: int
    refills: int
    refill_failures: int
    failures_in_a_row: int
    refill_millis: float | None
    waits: int
    last_error: str | None

class _SegmentStats(TypedDict):
    """The statistics of a segment generator.

    Attributes:
        scope: The store, and the processes among which its ids are unique.
        tags: The statistics of each tag used so far, by name.
    """

    scope: str
    tags: dict[str, _TagStats]

class _SnowflakeStats(TypedDict):
    """The statistics of a snowflake generator.

    Attributes:
        worker_id: The current worker id; None before the first id, and while a lost lease is being replaced.
        holder: The kind of holder, such as "local".
        scope: The holder, and the processes among which the ids are unique.
        horizon_seconds: How far ahead time is reserved; None without a lease.
        clock_lead_millis: How far the ids are ahead of the wall clock.
        waits: Calls that had to wait.
        leases_lost: Leases that another process took over.
        last_error: Message of the last failure, or None.
    """

    worker_id: int | None
    holder: str
    scope: str
    horizon_seconds: float | None
    clock_lead_millis: int
    waits: int
    leases_lost: int
    last_error: str | None

__version__: Final[str]
OPTIONS: Final[tuple[tuple[str, str, str, str, str, str], ...]]
"""The options of SegmentGenerator: of each, the fields of OptionSpec."""
SNOWFLAKE_OPTIONS: Final[tuple[tuple[str, str, str, str, str, str], ...]]
"""The options of SnowflakeGenerator: of each, the fields of OptionSpec."""

def gene_of(key: str | int, bits: int) -> int:
    """Returns the gene of a key: an int mod 2**bits, or the hash of a str (Java's String.hashCode) mod 2**bits.

    The result is 0 to 2**bits - 1, also for a negative int.

    Args:
        key: A str, or an int of 64 bits.
        bits: 1 to 12.

    Raises:
        InvalidArgumentError: `bits` is out of range, the int does not fit 64 bits, or the str has a lone surrogate.
    """

@final
class _Call(Generic[_T_co]):
    def poll(self) -> _T_co | Self: ...
    def due(self) -> float | None: ...
    def wake(self, queue: _WakeQueue, number: int) -> None: ...
    def end(self) -> None: ...

@final
class _WakeQueue:
    def __new__(cls) -> Self: ...
    def fileno(self) -> int: ...
    def take(self) -> list[int]: ...

@final
class _VirtualClock:
    def __new__(cls, time: _Time) -> Self: ...
    def millis(self) -> int: ...
    def pass_millis(self, millis: int) -> None: ...
    def move_to(self, time: _Time) -> None: ...
    def open(self, worker_id: int, **options: Any) -> SnowflakeGenerator: ...
    def open_segments(self, url: str, **options: Any) -> SegmentGenerator: ...

def _check_errors() -> None: ...
def _check_leaf(
    ids: SegmentGenerator | None,
    snowflake_url: str | None,
    snowflake_options: dict[str, str] | None,
    epoch: int | None,
    zookeeper_url: str | None,
    snowflakes: bool,
) -> tuple[list[TagInfo], list[tuple[int | None, str, int | None, bool]], list[tuple[str, str, str]], list[str]]: ...
def _check_counters(
    url: str,
    options: dict[str, Any] | None,
    chosen: tuple[list[str], list[tuple[str, str]]],
    writers: str,
    room: int,
    earlier: list[tuple[str, int]],
) -> tuple[
    str,
    list[dict[str, Any]],
    tuple[list[tuple[str, str, str]], list[tuple[str, str, str]], list[str]],
]: ...
def _audit(
    url: str,
    options: dict[str, Any] | None,
    selection: tuple[list[str], list[tuple[str, str]], list[str]],
    layout: Layout | None,
    since: tuple[int, list[tuple[str, str, int]]] | None,
) -> AuditReport: ...
def _new_public_key(number: int) -> str: ...
def _import_numpy_with(import_numpy: Callable[[], Any]) -> None: ...
def _ask_with(ask: Callable[[Callable[[], object]], tuple[str, str] | str]) -> None: ...
def _deliver_to(drain: Callable[[], None], give_up: Callable[[], None]) -> None: ...
def _forget_memory_store(name: str) -> None: ...
def _gapless_failure(dialect: str, series: str, number: int | None, state: str | None, text: str) -> LeafmintError: ...
def _gapless_number(dialect: str, series: str, start: int, row: list[str | None] | None) -> int: ...
def _gapless_statements(dialect: str, series: str, start: int) -> tuple[str | None, str, str | None]: ...
def _gapless_table(dialect: str, row: list[str | None] | None) -> None: ...

_EVENTS: Final[tuple[tuple[str, str, str], ...]]

def _take_events() -> list[tuple[str, str, str]]: ...
def _once(kind: type[_T]) -> type[_T]: ...
def period_table(pattern: str, at: _Time, zone: str | ZoneInfo = "UTC") -> str:
    """Returns the name of the table that holds a moment, such as that of an id: `layout.decode(id).timestamp`.

    Args:
        pattern: As in `period_tables`.
        at: An aware datetime, or an int of Unix milliseconds.
        zone: As in `period_tables`.

    Raises:
        InvalidConfigError: The pattern is invalid; the message names every problem.
        InvalidArgumentError: The time has no time zone or is not within 1970 to 9999, or the zone is unknown.
    """

def period_tables(pattern: str, start: _Time, end: _Time, zone: str | ZoneInfo = "UTC") -> list[str]:
    """Returns the names of the tables that hold a span of time: a table a day, a month or a year.

    Args:
        pattern: A name with {year} or {yy}, for a table a month also {month}, and for a table a day also {day}.
            {{ and }} are braces.
        start: An aware datetime, or an int of Unix milliseconds.
        end: The end of the span, which is excluded.
        zone: The time zone in which days, months and years begin: a name such as "Europe/Madrid", or a ZoneInfo.

    Returns:
        The names in the order of time; none for an empty span.

    Raises:
        InvalidConfigError: The pattern is invalid; the message names every problem.
        InvalidArgumentError: A time has no time zone or is not within 1970 to 9999, the span ends before it starts, or
            the zone is unknown.

    Example:
        >>> from datetime import datetime, timezone
        >>> import leafmint
        >>> start, end = (datetime(2026, month, 1, tzinfo=timezone.utc) for month in (10, 12))
        >>> leafmint.period_tables("orders_{year}{month}", start, end)
        ['orders_202610', 'orders_202611']
    """

def schema_sql(dialect: str = "mysql") -> str:
    """Returns the SQL statements that create leafmint's tables, for migration tools.

    Args:
        dialect: "mysql" (also for MariaDB), "postgresql", "sqlite" or "tickets".

    Raises:
        InvalidArgumentError: The dialect is unknown.
    """

def shard_of(id: int, bits: int) -> int:
    """Returns the gene that an id carries in its low bits.

    Args:
        id: An id with a gene.
        bits: The number of gene bits, 1 to 12.

    Raises:
        InvalidArgumentError: `bits` is out of range.
        InvalidIdError: The id is negative or does not fit 64 bits.
    """

@final
class SegmentGenerator:
    """Mints the ids of many tags, from segments that it leases from one store.

    It connects to the store at the first id, unless the option `eager` is set. Thread-safe. Close it, best with a
    `with` block, to give unused ids back.

    Args:
        url: The store: `sqlite:///file.db`, `mysql://user:password@host/database` (or `postgresql://`), `memory:` (one
            store for the process) or `memory://name` (one store for each name).
        **options: The options: `leafmint.OPTIONS` has the default and the meaning of each. A duration is a number of
            seconds, text such as "500ms", or a timedelta. None means the default. `credentials`, instead of `user` and
            `password`, is a callable that returns a tuple of both for each new connection; it may block.

    Raises:
        InvalidConfigError: The URL or an option is invalid; the message names every problem.
        LeafmintError: With `eager`, what the first id would raise.

    Example:
        >>> import leafmint
        >>> with leafmint.SegmentGenerator("memory://segments", default_start=100) as ids:
        ...     ids.biz_tag("order").next_id()
        100
    """

    def __new__(
        cls,
        url: str | _EngineUrl,
        *,
        # Generated by tests/lint/vocabulary.py: segment options
        timeout: _Duration | None = None,
        connect_timeout: _Duration | None = None,
        user: str | None = None,
        password: str | None = None,
        ssl_mode: str | None = None,
        ssl_ca: str | PathLike[str] | None = None,
        eager: bool | None = None,
        tags: str | Sequence[str] | AbstractSet[str] | None = None,
        max_step: int | None = None,
        max_unused: int | None = None,
        segment_duration: _Duration | None = None,
        outage_budget: _Duration | None = None,
        auto_create: bool | None = None,
        default_step: int | None = None,
        default_start: int | None = None,
        table: str | None = None,
        sequence: str | None = None,
        sequence_optimizer: str | None = None,
        close_at_exit: bool | None = None,
        # End of what is generated
        credentials: Callable[[], tuple[str, str]] | None = None,
    ) -> Self: ...
    @property
    def scope(self) -> str:
        """The store, without credentials, and the processes among which its ids are unique."""
    def biz_tag(self, name: str, gene_bits: int = 0, order: str = "strict") -> BizTag:
        """Returns the tag of a name, without I/O. Look a tag up once and keep it.

        Args:
            name: 1 to 128 code points, without NUL, and without spaces at the start and the end.
            gene_bits: The number of low bits of each id that carry a gene, 1 to 12; 0 for none. Pass the gene to
                `next_id(gene=...)`, and read it with `shard_of`. The store keeps the number when the tag is created;
                with another number the first id raises InvalidConfigError.
            order: "strict": ids increase over all threads. "relaxed": ids increase per thread. Each thread then takes
                ids from a block of up to 256, so that threads do not slow each other down without a GIL; a close does
                not give blocks back.

        Raises:
            InvalidArgumentError: An argument is out of range.
            ClosedError: The generator is closed.
        """
    def series(
        self,
        name: str,
        *,
        period: str,
        zone: str | ZoneInfo | None = None,
        key: str | None = None,
        step: int = 1,
        format: str | Format | None = None,
    ) -> Series:
        """Returns the series of a name, whose numbers start again with each period. Without I/O.

        The store keeps period and zone with the first number; another process with others is refused. Keep the series:
        the next period's numbers are leased before it begins, for as long as it is used.

        Args:
            name: 1 to 117 code points, less those of the key, without /, @ and NUL.
            period: "day", "month" or "year", or "forever" for numbers that never start again.
            zone: The time zone whose calendar counts: a name such as "Europe/Madrid", or a ZoneInfo; none if the period
                is "forever".
            key: Counts for this key alone, such as a shop: 1 to 64 visible ASCII characters without @.
            step: The least that a lease takes, 1 to 2**30, and so the least that a crash loses.
            format: The format of the texts, which must show the period, and the key if there is one.

        Raises:
            InvalidArgumentError: An argument is out of range, the zone is unknown, or this generator knows the series
                with another period or zone.
            InvalidConfigError: The format is invalid, or does not show the period and the key.
            ClosedError: The generator is closed.
        """
    def create_tag(self, tag: str, step: int = 1000, start: int = 1, description: str = "", gene_bits: int = 0) -> bool:
        """Inserts a tag into the store. Returns False if the store has it already.

        Args:
            tag: The name, as in `biz_tag`.
            step: The number of ids of a segment, 1 to 2**30.
            start: The first id, 0 to 2**61 - 2**30; with gene bits the first number above the gene.
            description: At most 256 code points.
            gene_bits: As in `biz_tag`.

        Raises:
            InvalidArgumentError: An argument is out of range.
            InvalidConfigError: The table cannot be used, or the tag has other gene bits.
            StoreUnavailableError: The store cannot be reached.
            ClosedError: The generator is closed.
        """
    def list_tags(self) -> list[TagInfo]:
        """Lists the tags of the store, sorted by name. It leases nothing.

        A tag whose row cannot be leased from is listed with its `problem`.

        Raises:
            InvalidConfigError: The table is missing, or the account may not read it.
            StoreUnavailableError: The store cannot be reached, or has not answered within the option `timeout`.
            ClosedError: The generator is closed.
        """
    def list_series(self) -> list[SeriesInfo]:
        """Lists the series of the store, sorted by name. It leases nothing.

        A series is stored with its first number. Its tags are named invoice@2026, with a key invoice/shop-7@2026, and
        without periods invoice or invoice/shop-7.

        Raises:
            InvalidConfigError: The account may not read the table of series.
            StoreUnavailableError: The store cannot be reached, or has not answered within the option `timeout`.
            ClosedError: The generator is closed.
        """
    def set_tag(self, tag: str, step: int | None = None, description: str | None = None) -> None:
        """Changes the step or the description of a tag. Generators read the new step within about a minute.

        Args:
            tag: The name, as in `biz_tag`.
            step: The number of ids of a segment, 1 to 2**30; None leaves it as it is.
            description: At most 256 code points; None leaves it as it is.

        Raises:
            UnknownTagError: The store has no row for the tag.
            InvalidArgumentError: An argument is out of range, or there is nothing to change.
            InvalidConfigError: The account may not change the column, or the table does not have it.
            StoreUnavailableError: The store cannot be reached.
            ClosedError: The generator is closed.
        """
    def raise_tag(self, tag: str, max_id: int) -> int:
        """Raises the `max_id` of a tag to at least a value, and returns the value that is stored now. Never lowers it.

        For restores and migrations: ids that are leased afterwards start there, or higher.

        Args:
            tag: The name, as in `biz_tag`.
            max_id: 0 to 2**61 - 2**30, above every id in use; with gene bits above every `id >> gene_bits`.

        Raises:
            UnknownTagError: The store has no row for the tag.
            InvalidArgumentError: An argument is out of range.
            InvalidConfigError: The row or the table cannot be used.
            StoreUnavailableError: The store cannot be reached.
            ClosedError: The generator is closed.
        """
    def raise_tag_above(self, tag: str, id: int) -> int:
        """Raises a tag above an id, and returns the `max_id` that is stored now. Never lowers it.

        For restores and migrations: ids that are leased afterwards are above it, also those with gene bits.

        Args:
            tag: The name, as in `biz_tag`.
            id: The highest id in use, or 0.

        Raises:
            UnknownTagError: The store has no row for the tag.
            InvalidArgumentError: An argument is out of range.
            InvalidConfigError: The row or the table cannot be used, or the account may not read the gene bits.
            StoreUnavailableError: The store cannot be reached.
            ClosedError: The generator is closed.
        """
    def check(self) -> SegmentCheck:
        """Checks the store: connects, and checks the table, its columns and the account. It leases nothing.

        Raises:
            InvalidConfigError: The account, the table or its columns do not fit.
            StoreUnavailableError: The store cannot be reached, or has not answered within the option `timeout`.
            ClosedError: The generator is closed.
        """
    def init_schema(self) -> None:
        """Creates the tables that are missing in the store.

        Raises:
            InvalidConfigError: The account may not create tables.
            StoreUnavailableError: The store cannot be reached.
            ClosedError: The generator is closed.
        """
    def stats(self) -> _SegmentStats:
        """Returns the statistics as `{"scope": ..., "tags": {name: {figure: value}}}`, with the tags used so far."""
    def close(self) -> None:
        """Closes the generator: gives unused ids back to the store and closes connections, within the option `timeout`.

        Later calls that need the store raise ClosedError. A second close does nothing.
        """
    async def create_tag_async(
        self, tag: str, step: int = 1000, start: int = 1, description: str = "", gene_bits: int = 0
    ) -> bool:
        """Inserts a tag into the store, as `create_tag` does. The event loop runs on meanwhile.

        Args:
            tag: As in `create_tag`.
            step: As in `create_tag`.
            start: As in `create_tag`.
            description: As in `create_tag`.
            gene_bits: As in `create_tag`.

        Raises:
            LeafmintError: As in `create_tag`.
        """
    async def init_schema_async(self) -> None:
        """Creates the tables that are missing in the store, as `init_schema` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `init_schema`.
        """
    def _begin_create_tag(
        self, tag: str, step: int, start: int, description: str, gene_bits: int
    ) -> bool | _Call[bool]: ...
    def _begin_init_schema(self) -> _Call[None] | None: ...
    async def aclose(self) -> None:
        """Closes the generator, as `close` does. The event loop runs on meanwhile.

        The close goes on if the call is cancelled.
        """
    def _begin_close(self) -> _Call[None] | None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None = None,
        exception: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        exception_type: type[BaseException] | None = None,
        exception: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...
    def __reduce__(self) -> NoReturn: ...

@final
class BizTag:
    """Mints the ids of one tag. Made by `SegmentGenerator.biz_tag`.

    Ids are unique among all processes that share the store, and strictly increase; with relaxed order they increase per
    thread. Thread-safe. A tag is also a callable that returns the next id; it is not iterable. A tag with gene bits has
    only `next_id(gene=...)`: every other call raises InvalidArgumentError. Tags are equal if generator, name, gene bits
    and order are the same.

    Example:
        >>> import leafmint
        >>> order = leafmint.SegmentGenerator("memory://biz_tag").biz_tag("order")
        >>> order.next_id(), order(), order.next_ids(3), order.next_range(2)
        (1, 2, [3, 4, 5], range(6, 8))
    """

    @property
    def order(self) -> str:
        """The order of the ids: "strict", or "relaxed" if they increase per thread only."""
    @property
    def name(self) -> str:
        """The name of the tag."""
    @property
    def gene_bits(self) -> int:
        """The number of low bits of an id that carry a gene; 0 for none."""
    def stats(self) -> _TagStats:
        """Returns the statistics of the tag as `{figure: value}`, as `SegmentGenerator.stats` lists them."""
    def next_id(self, timeout: _Duration | None = None, gene: int | None = None) -> int:
        """Returns the next id, and waits for one if the supply has run out.

        Args:
            timeout: Longest wait: seconds, text such as "500ms", or a timedelta; by default the option `timeout`.
            gene: 0 to 2**gene_bits - 1; required if the tag has gene bits, else not allowed.

        Raises:
            SegmentUnavailableError: The store has not answered within the timeout.
            UnknownTagError: The store has no row for the tag, and `auto_create` is off.
            StoreRegressedError: The store leased a range below an earlier one.
            IdSpaceExhaustedError: The numbers of the tag are used up.
            InvalidConfigError: The account, the table, its row or the gene bits do not fit.
            InvalidArgumentError: An argument is out of range.
            ClosedError: The generator is closed.
        """
    def try_next_id(self) -> int | None:
        """Returns the next id, or None if none is in hand. Never waits; after None a refill is in progress.

        Raises:
            StoreRegressedError: The store leased a range below an earlier one.
            ClosedError: The generator is closed.
        """
    def next_ids(self, count: int, timeout: _Duration | None = None) -> list[int]:
        """Returns ids in ascending order. There may be a gap between two segments.

        Args:
            count: The number of ids, 0 to 2**26.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    def next_array(self, count: int, timeout: _Duration | None = None) -> NDArray[int64]:
        """Returns ids in ascending order, as a NumPy array of int64, or as an array('q') if NumPy is not installed.

        Faster than `next_ids` for large batches, because no int is made.

        Args:
            count: The number of ids, 0 to 2**26.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    def next_range(self, count: int, timeout: _Duration | None = None) -> range:
        """Returns consecutive ids as a range.

        If the rest of a segment is too short, it is skipped and counts as unused.

        Args:
            count: The number of ids, 0 to 2**30, the most that one lease holds.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    async def next_id_async(self, timeout: _Duration | None = None, gene: int | None = None) -> int:
        """Returns the next id, as `next_id` does. The event loop runs on while it waits.

        Args:
            timeout: As in `next_id`.
            gene: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    async def next_ids_async(self, count: int, timeout: _Duration | None = None) -> list[int]:
        """Returns ids in ascending order, as `next_ids` does. The event loop runs on while it waits.

        Args:
            count: As in `next_ids`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    async def next_array_async(self, count: int, timeout: _Duration | None = None) -> NDArray[int64]:
        """Returns ids in ascending order as an array, as `next_array` does. The event loop runs on while it waits.

        Args:
            count: As in `next_array`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    async def next_range_async(self, count: int, timeout: _Duration | None = None) -> range:
        """Returns consecutive ids as a range, as `next_range` does. The event loop runs on while it waits.

        Args:
            count: As in `next_range`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    def _begin_id(self, timeout: _Duration | None, gene: int | None) -> int | _Call[int]: ...
    def _begin_ids(self, count: int, timeout: _Duration | None) -> list[int] | _Call[list[int]]: ...
    def _begin_array(self, count: int, timeout: _Duration | None) -> NDArray[int64] | _Call[NDArray[int64]]: ...
    def _begin_range(self, count: int, timeout: _Duration | None) -> range | _Call[range]: ...
    def __call__(self, *args: Never, **kwargs: Never) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Layout:
    """The layout of a 63-bit id: timestamp, datacenter, worker id, sequence and gene, from the high bits to the low.

    A layout decodes and composes ids without a generator. Immutable; compares by its meaning, and can be pickled.

    Args:
        text: A preset ("leaf", "datacenter", "wide" or "javascript"), or bits such as
            "timestamp:41,worker:10,sequence:12". "datacenter:", "gene:" and "unit:" (the length of a tick, as in
            "unit:10ms") may be added.
        epoch: The start of tick 0 in Unix milliseconds; by default Leaf's epoch, 1288834974657.

    Raises:
        InvalidConfigError: An argument is invalid; the message names every problem.

    Example:
        >>> from datetime import datetime, timezone
        >>> import leafmint
        >>> leaf = leafmint.Layout("leaf")
        >>> november = datetime(2026, 11, 1, tzinfo=timezone.utc)
        >>> leaf.compose(november, worker_id=7, sequence=42)
        2116681624581074986
        >>> leaf.min_id(november) <= 2116681624581074986 <= leaf.max_id(november)
        True
    """

    def __new__(cls, text: str = "leaf", epoch: int | None = None) -> Self: ...
    @property
    def timestamp_bits(self) -> int:
        """The number of timestamp bits."""
    @property
    def datacenter_bits(self) -> int:
        """The number of datacenter bits; 0 for none."""
    @property
    def worker_bits(self) -> int:
        """The number of worker id bits."""
    @property
    def sequence_bits(self) -> int:
        """The number of sequence bits."""
    @property
    def gene_bits(self) -> int:
        """The number of gene bits; 0 for none."""
    @property
    def unit(self) -> timedelta:
        """The length of a tick, as a timedelta."""
    @property
    def epoch(self) -> int:
        """The start of tick 0, in Unix milliseconds."""
    @property
    def runs_out(self) -> datetime:
        """The time at which the timestamp bits run out, as an aware datetime in UTC."""
    @property
    def last_id(self) -> int:
        """The highest id, with all bits set."""
    @property
    def fingerprint(self) -> str:
        """The bits, the unit and the epoch as text. Two layouts are equal if and only if their fingerprints are."""
    def decode(self, id: int) -> DecodedId:
        """Returns the parts of an id.

        Raises:
            InvalidIdError: The id is negative, or has more bits than the layout.
        """
    def decode_array(self, ids: ArrayLike | Iterable[int]) -> dict[str, NDArray[Any]]:
        """Returns the parts of many ids as columns: `DataFrame(layout.decode_array(ids))` works in pandas and polars.

        The columns are "timestamp", "datacenter_id", "worker_id", "sequence" and "gene": NumPy arrays of int64, the
        timestamp as datetime64[ms] in UTC. If NumPy is not installed, they are of the type array('q'), the timestamp in
        Unix milliseconds.

        Args:
            ids: A NumPy array, a column of pandas or polars, or another iterable of ints.

        Raises:
            InvalidIdError: An id is negative, or has more bits than the layout; the message has its index.
        """
    def compose(self, timestamp: _Time, worker_id: int, sequence: int, *, datacenter_id: int = 0, gene: int = 0) -> int:
        """Returns the id that consists of a time and the other parts.

        Args:
            timestamp: An aware datetime, or an int of Unix milliseconds.
            worker_id: 0 to 2**worker_bits - 1.
            sequence: 0 to 2**sequence_bits - 1.
            datacenter_id: 0 to 2**datacenter_bits - 1.
            gene: 0 to 2**gene_bits - 1.

        Raises:
            InvalidArgumentError: The time is before the epoch or has no time zone, or a part does not fit its bits.
            IdSpaceExhaustedError: The time is past the last tick of the layout.
        """
    def min_id(self, at: _Time) -> int:
        """Returns the lowest id of the tick that contains a time: the lower bound of a range query.

        The ids stamped from `a` until before `b`, both at the start of a tick, are those with
        `min_id(a) <= id < min_id(b)`.

        Args:
            at: An aware datetime, or an int of Unix milliseconds.

        Raises:
            InvalidArgumentError: The time has no time zone, is before the epoch, or is past the last tick of the
                layout.
        """
    def max_id(self, at: _Time) -> int:
        """Returns the highest id of the tick that contains a time: the upper bound of a range query.

        Args:
            at: An aware datetime, or an int of Unix milliseconds.

        Raises:
            InvalidArgumentError: The time has no time zone, is before the epoch, or is past the last tick of the
                layout.
        """

    def id_range(self, start: _Time, end: _Time) -> range:
        """Returns the range of the ids that were stamped in a span of time, for `WHERE id >= r.start AND id < r.stop`.

        A tick that the span only touches counts whole.

        Args:
            start: An aware datetime, or an int of Unix milliseconds.
            end: The end of the span, which is excluded.

        Raises:
            InvalidArgumentError: A time has no time zone, is before the epoch, or is past the last tick of the
                layout, or the span ends before it starts.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class DecodedId:
    """The parts of an id. Made by `decode` of a layout or of a snowflake generator.

    Immutable; compares by layout and id, and can be pickled.

    Example:
        >>> import leafmint
        >>> decoded = leafmint.Layout("leaf").decode(2116681624581074986)
        >>> decoded.timestamp.isoformat(), decoded.worker_id, decoded.sequence
        ('2026-11-01T00:00:00+00:00', 7, 42)
    """

    @property
    def id(self) -> int:
        """The id itself."""
    @property
    def timestamp(self) -> datetime:
        """The start of the id's tick, as an aware datetime in UTC."""
    @property
    def timestamp_millis(self) -> int:
        """The start of the id's tick, in Unix milliseconds."""
    @property
    def datacenter_id(self) -> int:
        """The datacenter id; 0 if the layout has no bits for it."""
    @property
    def worker_id(self) -> int:
        """The worker id."""
    @property
    def sequence(self) -> int:
        """The sequence number within the tick."""
    @property
    def gene(self) -> int:
        """The gene; 0 if the layout has no bits for it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Format:
    """The format of a number that people read: literals, and fields in braces.

    The fields are {number} (also {number:6}, {number:base32:8} and {number:base36:8}), {year}, {yy}, {month}, {day},
    {key}, {shard:4}, and at the end {check:damm}, {check:mod37_36}, {check:luhn} or {check:mod97_10}. {{ and }} are
    braces. A text depends on nothing but its parts, never on a clock.

    Immutable; compares by its text, and can be pickled.

    Args:
        text: The literals and fields.

    Raises:
        InvalidConfigError: The format is invalid, or its texts could be read in two ways; the message names every
            problem.

    Example:
        >>> from datetime import date
        >>> import leafmint
        >>> invoices = leafmint.Format("INV-{yy}{month}{day}-{number:6}-{check:damm}")
        >>> invoices.format(42, on=date(2026, 11, 25))
        'INV-261125-000042-6'
        >>> invoices.parse("inv261125-OOO0426", forgiving=True)
        NumberParts(number=42, date=datetime.date(2026, 11, 25), key=None, shard=None)
    """

    def __new__(cls, text: str) -> Self: ...
    @property
    def text(self) -> str:
        """The format's own text."""
    def format(self, number: int, *, on: date | None = None, key: str | None = None, shard: int | None = None) -> str:
        """Returns a number as text.

        Args:
            number: The number, not negative.
            on: The date, if the format has a field of it. A datetime is refused: its date depends on a time zone.
            key: The key, if the format has one: 1 to 64 visible ASCII characters, a hyphen neither first nor last.
            shard: The shard, if the format has one.

        Raises:
            IdSpaceExhaustedError: The number does not fit its width.
            InvalidArgumentError: The number is negative, or another part does not fit, is missing, or is given although
                the format has no field of it.
        """
    def parse(self, text: str, *, forgiving: bool = False) -> NumberParts:
        """Parses a number. Accepts exactly the texts that `format` writes, unless `forgiving`.

        Args:
            text: The number.
            forgiving: Whether to accept what people write: small letters, hyphens left out or added between fields, O
                for 0, and I and L for 1 in digits and in base 32. A key is taken as it is written.

        Returns:
            The parts. What the format does not have is None, and of a date 1.

        Raises:
            InvalidIdError: The text is not a number of this format; the message names the field, its text and what was
                expected.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class PublicIds:
    """Writes ids as texts for strangers, such as "order_55zyq8fyn6wyk243qwa6yvbrz1", and reads them back.

    A text hides the id, how many there are, and their order and time, from everyone without the key. A text that was
    not written with one of the keys, for this name and prefix, is refused, all but one in 2**65. It is neither a
    password nor a permission: anyone who has a text can pass it on.

    The same id has the same text for as long as the first key is the same. Store ids as numbers, never their texts.
    Immutable and thread-safe; cannot be pickled, because the pickle would contain the keys.

    Args:
        name: What the ids are of: 1 to 63 small letters, digits and underscores, a letter first and no underscore last.
            The keys are derived for it, so texts of two names have nothing in common.
        keys: One to four keys, each a text as `leafmint public keys new` prints it, or a pair of its number and 32 to
            64 random bytes: a list of them, "env:NAME" for those in an environment variable, "file:PATH" for those in a
            file, or a callable that returns one of these, which is called once. The first key encodes; all decode.
        prefix: What each text begins with, of the same form as the name; by default the name.

    Raises:
        InvalidConfigError: An argument is invalid; the message names every problem and contains no part of a key.

    Example:
        >>> import leafmint
        >>> key = "0:00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"
        >>> orders = leafmint.PublicIds("order", [key])
        >>> orders.encode(42)
        'order_55zyq8fyn6wyk243qwa6yvbrz1'
        >>> orders.decode(orders.encode(42))
        42
    """

    def __new__(cls, name: str, keys: _Keys, prefix: str | None = None) -> Self: ...
    @property
    def name(self) -> str:
        """What the ids are of, for which the keys were derived."""
    @property
    def prefix(self) -> str:
        """What each text begins with, without the underscore after it."""
    @property
    def pattern(self) -> str:
        """A regular expression that matches each text, and few others, for JSON Schema."""
    def encode(self, id: int) -> str:
        """Returns the text of an id.

        Raises:
            InvalidIdError: The id is negative or does not fit 64 bits.
        """
    def decode(self, text: str) -> int:
        """Returns the id of a text.

        Raises:
            InvalidIdError: The text was not written with one of the keys, for this name and prefix. The message does
                not say what is wrong with it.
        """
    def encode_all(self, ids: Iterable[int]) -> list[str]:
        """Returns the texts of many ids.

        Args:
            ids: A NumPy array, a column of pandas or polars, or another iterable of ints.

        Raises:
            InvalidIdError: An id is negative or does not fit 64 bits; the message has its index.
        """
    def decode_all(self, texts: Iterable[str | bytes]) -> list[int]:
        """Returns the ids of many texts.

        Args:
            texts: An iterable of str or bytes, such as a list, a NumPy array or a column of pandas or polars.

        Raises:
            InvalidIdError: A text was not written with one of the keys; the message has its index.
        """
    def encode_array(self, ids: Iterable[int]) -> NDArray[bytes_]:
        """Returns the texts of many ids as a NumPy array of bytes, of the dtype S and their length.

        If NumPy is not installed, it is a list of bytes.

        Args:
            ids: A NumPy array, a column of pandas or polars, or another iterable of ints.

        Raises:
            InvalidIdError: An id is negative or does not fit 64 bits; the message has its index.
        """
    def decode_array(self, texts: Iterable[str | bytes]) -> NDArray[int64]:
        """Returns the ids of many texts as a NumPy array of int64.

        If NumPy is not installed, it is of the type array('q').

        Args:
            texts: An iterable of str or bytes, such as a list, a NumPy array or a column of pandas or polars.

        Raises:
            InvalidIdError: A text was not written with one of the keys; the message has its index.
        """
    def __reduce__(self) -> NoReturn: ...

@final
class Scrambled:
    """Writes ids as short numbers for people, such as the member number "M-90839619-3", and reads them back.

    The numbers of a format change places, by a secret order that depends on the key and the name (FF1 with AES-128). A
    number hides how many there are, and their order and time. The check of the format finds what was mistyped.

    A number can be guessed: each number with a right check is some id's. With a million ids in use and eight digits,
    one guess in 100 hits. Ask for something else too, limit the attempts, or take `PublicIds`.

    A text has no room for the number of a key, so one key writes and reads all of them, for ever. Immutable and
    thread-safe; cannot be pickled, because the pickle would contain the key.

    Args:
        name: What the ids are of, as of `PublicIds`.
        keys: The keys, as of `PublicIds`.
        format: A `Format` or its text: literals, a number of fixed width with a million numbers or more, and a check.
        key_number: The number of the key, if there are several.

    Raises:
        InvalidConfigError: An argument is invalid; the message names every problem and contains no part of a key.

    Example:
        >>> import leafmint
        >>> key = "0:00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"
        >>> members = leafmint.Scrambled("member", [key], "M-{number:8}-{check:damm}")
        >>> members.encode(42)
        'M-90839619-3'
        >>> members.decode(members.encode(42).lower().replace("-", ""), forgiving=True)
        42
    """

    def __new__(cls, name: str, keys: _Keys, format: str | Format, key_number: int | None = None) -> Self: ...
    @property
    def name(self) -> str:
        """What the ids are of, for which the key was derived."""
    @property
    def largest(self) -> int:
        """The largest id that has a number."""
    @property
    def pattern(self) -> str:
        """A regular expression that matches each text, and few others, for JSON Schema."""
    def encode(self, id: int) -> str:
        """Returns the text of an id.

        Raises:
            IdSpaceExhaustedError: The id is above `largest`.
            InvalidIdError: The id is negative or does not fit 64 bits.
        """
    def decode(self, text: str, *, forgiving: bool = False) -> int:
        """Returns the id of a text. Whether it is in use is for the caller to find out.

        Args:
            text: The number.
            forgiving: Whether to accept what people write, as `Format.parse` does.

        Raises:
            InvalidIdError: The text is not a number of this format; the message says what is wrong with it.
        """
    def __reduce__(self) -> NoReturn: ...

@final
class _PublicKeys:
    def __new__(cls, keys: _Keys) -> Self: ...
    def __reduce__(self) -> NoReturn: ...

@final
class _IdText:
    def __new__(
        cls,
        form: str,
        name: str | None = None,
        prefix: str | None = None,
        format: str | Format | None = None,
        key_number: int | None = None,
    ) -> Self: ...
    @property
    def needs_keys(self) -> bool: ...
    @property
    def pattern(self) -> str: ...
    @property
    def example(self) -> str: ...
    def bind(self, keys: _PublicKeys | None) -> _BoundIdText: ...

@final
class _BoundIdText:
    def encode(self, id: int) -> str: ...
    def decode(self, text: str) -> int: ...

@final
class Series:
    """Mints numbers that start again each day, month or year. Made by `SegmentGenerator.series`.

    The pair of period and number is unique among all processes that share the store, and numbers of one period strictly
    increase within a generator. There are gaps: a process that ends without a close loses the numbers that it leased
    ahead. Thread-safe. A series is also a callable that returns the next number.

    Example:
        >>> from datetime import date
        >>> import leafmint
        >>> ids = leafmint.SegmentGenerator("memory://series")
        >>> invoices = ids.series("invoice", period="year", zone="Europe/Madrid", format="INV-{year}-{number:5}")
        >>> number = invoices.next(on=date(2026, 11, 25))
        >>> number.number, number.group, number.text
        (1, '2026', 'INV-2026-00001')
    """

    @property
    def name(self) -> str:
        """The name, without the key."""
    @property
    def period(self) -> str:
        """The period after which the numbers start again: "day", "month", "year" or "forever"."""
    @property
    def zone(self) -> str | None:
        """The name of the time zone; None if the numbers never start again."""
    @property
    def key(self) -> str | None:
        """The key; None for none."""
    def next(self, *, on: date | None = None, timeout: _Duration | None = None) -> SeriesNumber:
        """Returns the next number, and waits for one if the supply has run out.

        Args:
            on: The date of the document, whatever today is; by default the present date in the zone. A datetime is
                refused: its date depends on a time zone.
            timeout: Longest wait: seconds, text such as "500ms", or a timedelta; by default the option `timeout`.

        Raises:
            SegmentUnavailableError: The store has not answered within the timeout.
            InvalidConfigError: The store has the series with another period or zone, its tables cannot be used, or this
                machine's clock has reached a period that has not begun by the database's.
            IdSpaceExhaustedError: The number does not fit the format.
            StoreRegressedError: The store leased a range below an earlier one.
            InvalidArgumentError: An argument is out of range, or `on` is given although the numbers never start again.
            ClosedError: The generator is closed.
        """
    def next_many(self, count: int, *, on: date | None = None, timeout: _Duration | None = None) -> list[SeriesNumber]:
        """Returns numbers of one period in ascending order.

        Args:
            count: How many, 0 to 2**26.
            on: As in `next`.
            timeout: As in `next`.

        Raises:
            LeafmintError: As in `next`.
        """
    async def next_async(self, *, on: date | None = None, timeout: _Duration | None = None) -> SeriesNumber:
        """Returns the next number, as `next` does. The event loop runs on while it waits.

        Args:
            on: As in `next`.
            timeout: As in `next`.

        Raises:
            LeafmintError: As in `next`.
        """
    async def next_many_async(
        self, count: int, *, on: date | None = None, timeout: _Duration | None = None
    ) -> list[SeriesNumber]:
        """Returns numbers of one period, as `next_many` does. The event loop runs on while it waits.

        Args:
            count: As in `next_many`.
            on: As in `next`.
            timeout: As in `next`.

        Raises:
            LeafmintError: As in `next`.
        """
    def _begin_next(self, on: date | None, timeout: _Duration | None) -> SeriesNumber | _Call[SeriesNumber]: ...
    def _begin_many(
        self, count: int, on: date | None, timeout: _Duration | None
    ) -> list[SeriesNumber] | _Call[list[SeriesNumber]]: ...
    def __call__(self, *args: Never, **kwargs: Never) -> SeriesNumber: ...
    def __reduce__(self) -> NoReturn: ...

@final
class SeriesNumber:
    """A number of a series. Returned by `Series.next`.

    Immutable; compares by series, period and number. `str(number)` is its text.

    Example:
        >>> import leafmint
        >>> ids = leafmint.SegmentGenerator("memory://series_number")
        >>> str(ids.series("customer", period="forever", format="C{number:6}-{check:damm}").next())
        'C000001-3'
    """

    @property
    def number(self) -> int:
        """The number, 1 or more."""
    @property
    def group(self) -> str:
        """The period as text: "2026-11-25", "2026-11" or "2026"; empty if the numbers never start again."""
    @property
    def date(self) -> _Date | None:
        """The first day of the period; None if the numbers never start again."""
    @property
    def text(self) -> str:
        """The number in the format of the series.

        Raises:
            InvalidConfigError: The series has no format.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ShardRule:
    """The format of numbers with a shard suffix: business code, sequence and table, in decimal digits.

    Immutable; compares by its settings, and can be pickled.

    Args:
        business_code: 1 to 9 digits; leading zeros are kept.
        tables: The number of tables, 1 to 10**table_width.
        table_width: The number of digits of a table, 1 to 9.
        strategy: How the table of a key is computed, by ShardingSphere's names: "hash_mod" (abs(hashCode) mod tables,
            with Java's hash codes), "mod" (ints only) or "crc32".

    Raises:
        InvalidConfigError: An argument is invalid; the message names every problem.

    Example:
        >>> import leafmint
        >>> orders = leafmint.ShardRule("10", tables=1024)
        >>> order = leafmint.SegmentGenerator("memory://sharded").biz_tag("order")
        >>> orders.table_of("user-42"), orders.mint(order, "user-42")
        (64, '1010064')
    """

    def __new__(cls, business_code: str, tables: int, table_width: int = 4, strategy: str = "hash_mod") -> Self: ...
    @property
    def business_code(self) -> str:
        """The business code, with its leading zeros."""
    @property
    def tables(self) -> int:
        """The number of tables."""
    @property
    def table_width(self) -> int:
        """The number of digits of a table."""
    @property
    def strategy(self) -> str:
        """How the table of a key is computed: "hash_mod", "mod" or "crc32"."""
    def table_of(self, key: str | int) -> int:
        """Returns the table of a key, 0 to `tables` - 1.

        Args:
            key: A str, or an int of 64 bits.

        Raises:
            InvalidArgumentError: The int does not fit 64 bits, the str has a lone surrogate, or the strategy is "mod"
                and the key is a str.
        """
    def compose(self, sequence: int, table: int) -> ShardedId:
        """Returns the number that consists of a sequence and a table.

        Args:
            sequence: An id of either mode, not negative.
            table: 0 to `tables` - 1.

        Raises:
            InvalidArgumentError: The sequence is negative or does not fit 64 bits, or the table does not exist.
        """
    def parse(self, text: str) -> ShardedId:
        """Parses a number. Accepts exactly the texts that `compose` writes.

        Raises:
            InvalidIdError: The text is not a number of this rule.
        """
    def mint(self, generator: _Mints, key: str | int) -> str:
        """Returns a new number as text: the next id of a generator, with the table of a key.

        Args:
            generator: A `BizTag`, a `SnowflakeGenerator`, or another object with a method `next_id()`.
            key: As in `table_of`.

        Raises:
            InvalidArgumentError: As in `table_of`; no id is taken then.
            LeafmintError: What `next_id` raises.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ShardedId:
    """The parts of a number with a shard suffix. Made by `ShardRule`; `str()` returns the number itself.

    Immutable; compares by its parts, and can be pickled.

    Example:
        >>> import leafmint
        >>> number = leafmint.ShardRule("10", 1024).parse("1070064")
        >>> number.business_code, number.sequence, number.table, str(number)
        ('10', 7, 64, '1070064')
    """

    @property
    def business_code(self) -> str:
        """The business code, with its leading zeros."""
    @property
    def sequence(self) -> int:
        """The sequence: the id that the number was made from."""
    @property
    def table(self) -> int:
        """The table, counted from 0."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SnowflakeGenerator:
    """Mints snowflakes: 63-bit ids built from a timestamp, a worker id and a sequence number.

    Ids are positive, strictly increase, and are unique among all processes that share the worker ids. The generator
    takes a worker id at the first id, unless the option `eager` is set. Thread-safe. It is also a callable that returns
    the next id; it is not iterable.

    Args:
        url: The holder of the worker ids: `local:///directory` (each process of the host gets its own), `fixed:7` (this
            worker id) or `mysql://user:password@host/database` (leased from a pool).
        **options: The options: `leafmint.SNOWFLAKE_OPTIONS` has the default and the meaning of each. A duration is a
            number of seconds, text such as "500ms", or a timedelta. None means the default. `credentials`, instead of
            `user` and `password`, is a callable that returns a tuple of both for each new connection; it may block.

    Raises:
        InvalidConfigError: The URL or an option is invalid; the message names every problem.
        LeafmintError: With `eager`, what the first id would raise.

    Example:
        >>> import tempfile
        >>> import leafmint
        >>> with leafmint.SnowflakeGenerator(f"local://{tempfile.mkdtemp()}") as ids:
        ...     first, second = ids.next_ids(2)
        ...     first < second, ids.decode(first).worker_id
        (True, 0)
    """

    def __new__(
        cls,
        url: str | _EngineUrl,
        *,
        # Generated by tests/lint/vocabulary.py: snowflake options
        timeout: _Duration | None = None,
        connect_timeout: _Duration | None = None,
        user: str | None = None,
        password: str | None = None,
        ssl_mode: str | None = None,
        ssl_ca: str | PathLike[str] | None = None,
        eager: bool | None = None,
        namespace: str | None = None,
        layout: str | None = None,
        epoch: int | None = None,
        worker_mode: str | None = None,
        workers: int | str | None = None,
        datacenter_id: int | None = None,
        worker_map: str | Sequence[str] | AbstractSet[str] | None = None,
        ordinal_env: str | None = None,
        ordinal_offset: int | None = None,
        endpoint: str | None = None,
        lease_duration: _Duration | None = None,
        heartbeat: _Duration | None = None,
        state_dir: str | PathLike[str] | None = None,
        clock: str | None = None,
        clock_rollback: str | None = None,
        max_clock_lead: _Duration | None = None,
        max_clock_skew: _Duration | None = None,
        sequence_jitter: int | None = None,
        close_at_exit: bool | None = None,
        # End of what is generated
        credentials: Callable[[], tuple[str, str]] | None = None,
    ) -> Self: ...
    @property
    def scope(self) -> str:
        """The holder of the worker ids, without credentials, and the processes among which the ids are unique."""
    @property
    def layout(self) -> Layout:
        """The layout of the ids."""
    @property
    def worker_id(self) -> int | None:
        """The current worker id; None before the first id, and while a lost lease is being replaced."""
    def next_id(self, timeout: _Duration | None = None, gene: int | None = None) -> int:
        """Returns the next id, and waits if there is no worker id, no reserved time, or no id left in this tick.

        Args:
            timeout: Longest wait: seconds, text such as "500ms", or a timedelta; by default the option `timeout`.
            gene: 0 to 2**gene_bits - 1 of the layout, which must have gene bits then.

        Raises:
            WorkerIdUnavailableError: No worker id became free within the timeout.
            LeaseLostError: The lease of the worker id was lost, and not replaced within the timeout.
            ClockMovedBackwardsError: The clock is behind the ids by more than the options allow.
            RateExceededError: The ids of this tick are used up, and the timeout ends before the next tick.
            StoreUnavailableError: The holder cannot be reached.
            IdSpaceExhaustedError: The timestamp bits have run out.
            InvalidConfigError: The holder does not accept the configuration.
            InvalidArgumentError: An argument is out of range.
            ClosedError: The generator is closed.
        """
    def try_next_id(self) -> int | None:
        """Returns the next id, or None if `next_id` would have to wait. Never waits.

        Raises:
            LeafmintError: As in `next_id`, except after a timeout.
        """
    def next_ids(self, count: int, timeout: _Duration | None = None) -> list[int]:
        """Returns ids in ascending order. A batch takes more than one tick if it exceeds the ids of a tick.

        If the timeout ends before, the ids that the call drew are dropped: no call gets them.

        Args:
            count: The number of ids, 0 to 2**26.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    def next_array(self, count: int, timeout: _Duration | None = None) -> NDArray[int64]:
        """Returns ids in ascending order, as a NumPy array of int64, or as an array('q') if NumPy is not installed.

        Args:
            count: The number of ids, 0 to 2**26.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    async def next_id_async(self, timeout: _Duration | None = None, gene: int | None = None) -> int:
        """Returns the next id, as `next_id` does. The event loop runs on while it waits.

        Args:
            timeout: As in `next_id`.
            gene: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    async def next_ids_async(self, count: int, timeout: _Duration | None = None) -> list[int]:
        """Returns ids in ascending order, as `next_ids` does. The event loop runs on while it waits.

        Args:
            count: As in `next_ids`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    async def next_array_async(self, count: int, timeout: _Duration | None = None) -> NDArray[int64]:
        """Returns ids in ascending order as an array, as `next_array` does. The event loop runs on while it waits.

        Args:
            count: As in `next_array`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
    def backfill(self, at: _Time, timeout: _Duration | None = None, gene: int | None = None) -> int:
        """Returns an id for a moment that has passed: its timestamp is that of the moment.

        It is unique as every id of the generator is. It carries a worker id that no process has ever held: the highest
        ones are taken for past moments, for good.

        Args:
            at: The moment: an aware datetime, or an int of Unix milliseconds.
            timeout: Longest wait for the holder: seconds, text such as "500ms", or a timedelta; by default the option
                `timeout`.
            gene: As in `next_id`.

        Raises:
            InvalidArgumentError: The moment is before the layout's epoch, to come, or has no time zone.
            WorkerIdUnavailableError: No worker id is left that no process has ever held.
            InvalidConfigError: The holder keeps no worker ids for past moments, as `fixed:`.
            StoreUnavailableError: The holder cannot be reached.
            ClosedError: The generator is closed.
        """
    def backfill_array(
        self, at: ArrayLike | Iterable[_Time], timeout: _Duration | None = None, gene: int | None = None
    ) -> NDArray[int64]:
        """Returns ids for many past moments, in their order, as a NumPy array of int64.

        If NumPy is not installed, it is of the type array('q'). The moments need not be in the order of time. The
        holder is asked once for each span of 2**27 ticks, 37 hours of milliseconds.

        Args:
            at: Up to 2**26 moments: a NumPy array of datetime64 (in UTC) or of Unix milliseconds, a column of pandas or
                polars, or another iterable of what `backfill` takes.
            timeout: As in `backfill`, for each time that the holder is asked.
            gene: As in `next_id`, the same for all.

        Raises:
            LeafmintError: As in `backfill`; no call gets the ids then.
        """
    async def backfill_async(self, at: _Time, timeout: _Duration | None = None, gene: int | None = None) -> int:
        """Returns an id for a past moment, as `backfill` does. The event loop runs on while it waits.

        Args:
            at: As in `backfill`.
            timeout: As in `backfill`.
            gene: As in `backfill`.

        Raises:
            LeafmintError: As in `backfill`.
        """
    async def backfill_array_async(
        self, at: ArrayLike | Iterable[_Time], timeout: _Duration | None = None, gene: int | None = None
    ) -> NDArray[int64]:
        """Returns ids for many past moments, as `backfill_array` does. The event loop runs on while it waits.

        Args:
            at: As in `backfill_array`.
            timeout: As in `backfill_array`.
            gene: As in `backfill_array`.

        Raises:
            LeafmintError: As in `backfill`.
        """
    def decode(self, id: int) -> DecodedId:
        """Returns the parts of an id of this generator's layout.

        Raises:
            InvalidIdError: The id is negative, or has more bits than the layout.
        """
    def list_workers(self) -> list[WorkerInfo]:
        """Lists the worker ids that were taken at least once, in ascending order. It takes none.

        Raises:
            InvalidConfigError: The worker ids belong to another layout, or the account or the directory does not fit.
            StoreUnavailableError: The database cannot be reached, or has not answered within the option `timeout`.
            ClosedError: The generator is closed.
        """
    def release_worker(self, worker_id: int, *, force: bool = False) -> bool:
        """Frees a worker id whose owner is gone. Returns False if it is free already.

        No id can repeat: the next owner begins behind the time that is reserved. If the owner lives, it loses the lease
        and takes another worker id. In a directory the worker id of a living process cannot be freed.

        Args:
            worker_id: The worker id.
            force: Free it although its horizon has not passed.

        Raises:
            WorkerIdUnavailableError: It is still held; the message names the owner.
            InvalidArgumentError: The generator may not take that worker id.
            InvalidConfigError: As in `list_workers`.
            StoreUnavailableError: The database cannot be reached.
            ClosedError: The generator is closed.
        """
    def check(self) -> SnowflakeCheck:
        """Checks the holder: connects, and checks the layout, the clocks and the account. It takes no worker id.

        Raises:
            InvalidConfigError: As in `list_workers`, or this host's clock is ahead of the database's.
            ClockMovedBackwardsError: This host's clock is behind the database's.
            StoreUnavailableError: The database cannot be reached, or has not answered within the option `timeout`.
            ClosedError: The generator is closed.
        """
    def stats(self) -> _SnowflakeStats:
        """Returns the statistics of the generator as `{figure: value}`."""
    def close(self) -> None:
        """Closes the generator: records the last time it used, so that the next owner of the worker id need not wait.

        Later calls that need the worker id raise ClosedError. A second close does nothing.
        """
    async def aclose(self) -> None:
        """Closes the generator, as `close` does. The event loop runs on meanwhile.

        The close goes on if the call is cancelled.
        """
    def _begin_id(self, timeout: _Duration | None, gene: int | None) -> int | _Call[int]: ...
    def _begin_ids(self, count: int, timeout: _Duration | None) -> list[int] | _Call[list[int]]: ...
    def _begin_array(self, count: int, timeout: _Duration | None) -> NDArray[int64] | _Call[NDArray[int64]]: ...
    def _why_not_past(self, at: _Time) -> str | None: ...
    def _begin_backfill(self, at: _Time, timeout: _Duration | None, gene: int | None) -> int | _Call[int]: ...
    def _begin_backfill_array(
        self, at: ArrayLike | Iterable[_Time], timeout: _Duration | None, gene: int | None
    ) -> NDArray[int64] | _Call[NDArray[int64]]: ...
    def _begin_close(self) -> _Call[None] | None: ...
    def __call__(self, *args: Never, **kwargs: Never) -> int: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None = None,
        exception: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        exception_type: type[BaseException] | None = None,
        exception: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...
    def __reduce__(self) -> NoReturn: ...
