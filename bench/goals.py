"""The goals of the benchmark, as one table."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

AT_MOST, AT_LEAST = "at most", "at least"


@dataclass(frozen=True)
class Goal:
    """What a figure must reach. Language and group are patterns; `against` is empty for a figure that is no ratio."""

    language: str
    group: str
    threads: int | None
    name: str
    against: str
    sense: str
    value: float

    def fits(self, language: str, group: str, threads: int | None, name: str, against: str) -> bool:
        """Reports whether this is the goal of that figure."""
        same = (self.threads, self.name, self.against) == (threads, name, against)
        return same and fnmatchcase(language, self.language) and fnmatchcase(group, self.group)

    def __str__(self) -> str:
        return f"{self.sense} {self.value:g}"


CAP, SHARE = "snowflake at the cap", "snowflake at the cap, least thread's share"
RELAXED = "leafmint, relaxed order"
PUBLIC = "public id"
ENCODE, DECODE = "leafmint, encode", "leafmint, decode"
SERIES, FORMATTED, PLAIN = "number of a series", "formatted number", "leafmint, {number}"
STRANGERS = "text for strangers"

# A ratio against the floor is one of times: smaller is better. Against a peer it is how many times as fast leafmint is:
# larger is better. The cap of a layout with 12 bits of sequence is 4096 ids/ms; half a per cent is left to the machine.
GOALS = [
    Goal("Rust", "segment id", 1, "leafmint", "fetch_add", AT_MOST, 1.2),
    Goal("Rust", "segment id", 2, "leafmint", "fetch_add", AT_MOST, 1.5),
    Goal("Rust", "segment id", 2, RELAXED, "fetch_add", AT_MOST, 0.25),
    # How a counter read compares with the system's clock depends on the processor; an id needs it and one atomic.
    Goal("Rust", "snowflake", 1, "leafmint", "a counter read and fetch_add", AT_MOST, 1.15),
    # A series reads the clock for each number, so the least that it can cost is an id and a clock read.
    Goal("Rust", SERIES, 1, "leafmint", "an id", AT_MOST, 1.5),
    Goal("Rust", FORMATTED, 1, "leafmint", "an id", AT_MOST, 10),
    Goal("Rust", FORMATTED, 1, PLAIN, "an id", AT_MOST, 10),
    Goal("Rust", PUBLIC, 1, ENCODE, "an id", AT_MOST, 10),
    Goal("Rust", PUBLIC, 1, DECODE, "an id", AT_MOST, 10),
    Goal("Rust", CAP, 1, "leafmint", "", AT_LEAST, 4075),
    Goal("Rust", CAP, 2, "leafmint", "", AT_LEAST, 4075),
    Goal("Rust", CAP, 8, "leafmint", "", AT_LEAST, 4075),
    Goal("Rust", SHARE, 2, "leafmint", "", AT_LEAST, 25),
    Goal("Rust", "memory", None, "10,000 tags in use", "", AT_MOST, 64),
    Goal("Rust", "memory", None, "a tag", "", AT_MOST, 2),
    Goal("Rust", "memory", None, "a tag in use", "", AT_MOST, 2),
    # Nearer stores have no goal: next to the time of a context switch, round trips say little. Nor has a start without
    # a connection: a handshake, a greeting and a log-in are three round trips before the first statement.
    Goal("Rust", "slow store, 100 ms, cold start", None, "longest wait", "", AT_MOST, 2.5),
    Goal("Rust", "slow store, 100 ms, a thousand ids in hand", None, "longest wait", "", AT_MOST, 2.5),
    Goal("Rust", "slow store, *", None, "waits after warm-up", "", AT_MOST, 0),
    Goal("Rust", "slow store, *", None, "errors", "", AT_MOST, 0),
    Goal("Python", "segment id", 1, "leafmint", "itertools.count", AT_MOST, 1),
    Goal("Python", "snowflake", 1, "leafmint", "time.time", AT_MOST, 0.8),
    Goal("Python", "snowflake", 1, "leafmint", "snowflake-id", AT_LEAST, 5),
    Goal("Python", SERIES, 1, "leafmint", "an id", AT_MOST, 2),
    Goal("Python", "text of a series", 1, "leafmint", "uuid.uuid4", AT_LEAST, 1),
    Goal("Python", FORMATTED, 1, "leafmint", "uuid.uuid4", AT_LEAST, 1),
    Goal("Python", STRANGERS, 1, "leafmint", "uuid.uuid4", AT_LEAST, 5),
    Goal("Python", STRANGERS, 1, "leafmint", "sqids", AT_LEAST, 20),
    Goal("Python", STRANGERS, 1, "leafmint, decode", "uuid.uuid4", AT_LEAST, 5),
    Goal("Python", STRANGERS, 1, "leafmint, str of a TypedId", "uuid.uuid4", AT_LEAST, 2),
    # Without large ints a fourth of them are those that the interpreter keeps.
    Goal("Python", "list of 1,000 ids, ints as large", 1, "leafmint", "list(range)", AT_MOST, 1.1),
    Goal("Python", "array of 1,000 ids", 1, "leafmint", "numpy.arange", AT_MOST, 1),
    Goal("Python", "array of 100,000 ids", 1, "leafmint", "numpy.arange", AT_MOST, 1),
    Goal("Python", CAP, 1, "leafmint", "", AT_LEAST, 4075),
    Goal("Python", CAP, 2, "leafmint", "", AT_LEAST, 4075),
    Goal("Python", CAP, 8, "leafmint", "", AT_LEAST, 4075),
    Goal("Python", SHARE, 2, "leafmint", "", AT_LEAST, 25),
    Goal("Java *", "segment id", 1, "leafmint", "AtomicLong", AT_MOST, 1.15),
    Goal("Java *", "segment id", 2, "leafmint", "AtomicLong", AT_MOST, 1.5),
    Goal("Java *", "segment id", 2, RELAXED, "AtomicLong", AT_MOST, 0.25),
    Goal("Java *", "segment id", 1, "leafmint", "CosId SegmentChainId", AT_LEAST, 1.5),
    Goal("Java *", "segment id", 2, "leafmint", "CosId SegmentChainId", AT_LEAST, 1.4),
    Goal("Java *", "segment id, heap of 256 MiB", 1, "leafmint", "AtomicLong", AT_MOST, 1.15),
    Goal("Java *", "segment ids in batches of 1000", 1, "leafmint, into an array", "AtomicLong", AT_MOST, 0.15),
    Goal("Java *", SERIES, 1, "leafmint", "an id", AT_MOST, 1.5),
    Goal("Java *", "text of a series", 1, "leafmint", "UUID.randomUUID", AT_LEAST, 1),
    Goal("Java *", "text of a series", 1, "leafmint", "CosId, grouped", AT_LEAST, 1.2),
    Goal("Java *", FORMATTED, 1, "leafmint", "UUID.randomUUID", AT_LEAST, 1),
    Goal("Java *", PUBLIC, 1, "leafmint, encode", "UUID.randomUUID", AT_LEAST, 1),
    Goal("Java *", PUBLIC, 1, "leafmint, decode", "UUID.randomUUID", AT_LEAST, 1),
    Goal("Java *", "snowflake", 1, "leafmint", "currentTimeMillis", AT_MOST, 0.9),
    Goal("Java *", "snowflake", 1, "leafmint", "CosId", AT_LEAST, 1.4),
    Goal("Java *", "snowflake", 2, "leafmint", "CosId", AT_LEAST, 2),
    Goal("Java *", "snowflake", 8, "leafmint", "CosId", AT_LEAST, 2),
    Goal("Java *", "snowflake", 1, "leafmint", "tsid-creator", AT_LEAST, 1.4),
    Goal("Java *", "snowflake", 2, "leafmint", "tsid-creator", AT_LEAST, 1.2),
    Goal("Java *", "snowflake", 8, "leafmint", "tsid-creator", AT_LEAST, 1.2),
    Goal("Java *", CAP, 1, "leafmint", "", AT_LEAST, 4075),
    Goal("Java *", CAP, 2, "leafmint", "", AT_LEAST, 4075),
    Goal("Java *", CAP, 8, "leafmint", "", AT_LEAST, 4075),
    Goal("Java *", SHARE, 2, "leafmint", "", AT_LEAST, 25),
]


def goal_of(language: str, group: str, threads: int | None, name: str, against: str) -> Goal | None:
    """Returns the goal of a figure, if it has one."""
    return next((goal for goal in GOALS if goal.fits(language, group, threads, name, against)), None)
