"""leafmint mints unique ids inside this process: Leaf's segment mode, without an id service to run.

>>> import leafmint
>>> with leafmint.SegmentGenerator("memory://example") as ids:
...     order = ids.biz_tag("order")
...     order.next_id(), order.next_ids(3), order.next_range(2)
(1, [2, 3, 4], range(5, 7))

Use "sqlite:///ids.db" for the processes of one host, "mysql://user:password@host/database" for more than one.
"""

from leafmint._core import (
    BizTag,
    DecodedId,
    Layout,
    SegmentGenerator,
    ShardedId,
    ShardRule,
    __version__,
    gene_of,
    schema_sql,
    shard_of,
)
from leafmint.errors import (
    ClockMovedBackwardsError,
    ClosedError,
    IdSpaceExhaustedError,
    InvalidArgumentError,
    InvalidConfigError,
    InvalidIdError,
    LeafmintError,
    LeaseLostError,
    SegmentUnavailableError,
    StoreRegressedError,
    StoreUnavailableError,
    UnknownTagError,
    WorkerIdUnavailableError,
)
from leafmint.options import OPTIONS, OptionSpec

__all__ = [
    "OPTIONS",
    "BizTag",
    "ClockMovedBackwardsError",
    "ClosedError",
    "DecodedId",
    "IdSpaceExhaustedError",
    "InvalidArgumentError",
    "InvalidConfigError",
    "InvalidIdError",
    "Layout",
    "LeafmintError",
    "LeaseLostError",
    "OptionSpec",
    "SegmentGenerator",
    "SegmentUnavailableError",
    "ShardRule",
    "ShardedId",
    "StoreRegressedError",
    "StoreUnavailableError",
    "UnknownTagError",
    "WorkerIdUnavailableError",
    "__version__",
    "gene_of",
    "schema_sql",
    "shard_of",
]
