"""Mints unique ids inside the process: Leaf's segment and snowflake modes, without an id service.

>>> import leafmint
>>> with leafmint.SegmentGenerator("memory://example") as ids:
...     order = ids.tag("order")
...     order.next_id(), order.next_ids(3), order.next_range(2)
(1, [2, 3, 4], range(5, 7))

Use "sqlite:///ids.db" for the processes of one host, and "mysql://user:password@host/database" for several hosts.

Snowflakes contain the time and a worker id. A layout decodes them without a generator, and bounds them for range
queries.

>>> from datetime import datetime, timezone
>>> leaf = leafmint.Layout("leaf")
>>> leaf.min_id(datetime(2026, 11, 1, tzinfo=timezone.utc))
2116681624581046272
>>> leaf.decode(2116681624581074986).worker_id
7

A shard rule appends the table of a record to its number.

>>> orders = leafmint.ShardRule(business_code="10", tables=1024)
>>> orders.table_of("user-42"), str(orders.compose(7, orders.table_of("user-42")))
(64, '1070064')

A format writes and parses the numbers that people read.

>>> leafmint.Format("INV-{number:6}-{check:damm}").format(42)
'INV-000042-7'

A typed id has a number for the database, and a text for everyone else.

>>> class OrderId(leafmint.TypedId, prefix="order"): ...
>>> leafmint.configure(id_keys=["lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"])
>>> OrderId(42), int(OrderId.parse("order_55zyq8fyn6wyk243qwa6yvbrz1"))
(OrderId('order_55zyq8fyn6wyk243qwa6yvbrz1'), 42)

The numbers of a series start again each day, month or year.

>>> with leafmint.SegmentGenerator("memory://numbers") as ids:
...     ids.series("order", period="month", zone="Asia/Tokyo").next().number
1

A module may name tags and series before the application says where their numbers come from.

>>> invoices = leafmint.series("invoice", period="forever", format="INV-{number:6}")
>>> leafmint.configure("memory://numbers")
>>> invoices.next().text
'INV-000001'

PYTEST_DONT_REWRITE: pytest looks for assertions in a package with a plugin, and warns if it was imported before.
"""

from . import _internal as _internal
from ._core import (
    DecodedId,
    Format,
    Layout,
    PublicIds,
    ScrambledNumbers,
    SegmentGenerator,
    Series,
    SeriesNumber,
    ShardedId,
    ShardRule,
    SnowflakeGenerator,
    Tag,
    __version__,
    gene_of_id,
    gene_of_key,
    period_table,
    period_tables,
    schema_sql,
)
from .auditing import audit, audit_async
from .errors import (
    ClockMovedBackwardsError,
    ClosedError,
    IdSpaceExhaustedError,
    InvalidArgumentError,
    InvalidConfigError,
    InvalidIdError,
    LeafmintError,
    LeaseLostError,
    RateExceededError,
    SegmentUnavailableError,
    StoreRegressedError,
    StoreUnavailableError,
    UnknownTagError,
    WorkerIdUnavailableError,
)
from .id_source import IdSource
from .late_binding import aclose, close, configure, segment_generator, snowflake_generator
from .late_bound import LateSeries, LateSnowflake, LateTag, series, snowflake, tag
from .options import SEGMENT_OPTIONS, SNOWFLAKE_OPTIONS, OptionSpec
from .records import (
    AuditFinding,
    AuditReport,
    GaplessInfo,
    KeyUse,
    NumberParts,
    SegmentCheck,
    SegmentStats,
    SeriesInfo,
    SnowflakeCheck,
    SnowflakeStats,
    TagInfo,
    TagStats,
    WorkerInfo,
)
from .typed_ids import TypedId

__all__ = [
    "SEGMENT_OPTIONS",
    "SNOWFLAKE_OPTIONS",
    "AuditFinding",
    "AuditReport",
    "ClockMovedBackwardsError",
    "ClosedError",
    "DecodedId",
    "Format",
    "GaplessInfo",
    "IdSource",
    "IdSpaceExhaustedError",
    "InvalidArgumentError",
    "InvalidConfigError",
    "InvalidIdError",
    "KeyUse",
    "LateSeries",
    "LateSnowflake",
    "LateTag",
    "Layout",
    "LeafmintError",
    "LeaseLostError",
    "NumberParts",
    "OptionSpec",
    "PublicIds",
    "RateExceededError",
    "ScrambledNumbers",
    "SegmentCheck",
    "SegmentGenerator",
    "SegmentStats",
    "SegmentUnavailableError",
    "Series",
    "SeriesInfo",
    "SeriesNumber",
    "ShardRule",
    "ShardedId",
    "SnowflakeCheck",
    "SnowflakeGenerator",
    "SnowflakeStats",
    "StoreRegressedError",
    "StoreUnavailableError",
    "Tag",
    "TagInfo",
    "TagStats",
    "TypedId",
    "UnknownTagError",
    "WorkerIdUnavailableError",
    "WorkerInfo",
    "__version__",
    "aclose",
    "audit",
    "audit_async",
    "close",
    "configure",
    "gene_of_id",
    "gene_of_key",
    "period_table",
    "period_tables",
    "schema_sql",
    "segment_generator",
    "series",
    "snowflake",
    "snowflake_generator",
    "tag",
]
