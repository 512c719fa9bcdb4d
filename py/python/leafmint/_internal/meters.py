"""The meters that `leafmint.prometheus` and `leafmint.opentelemetry` export, and their values from `stats()`."""

import logging
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import timedelta
from itertools import count
from math import inf
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeAlias

from .. import late_binding
from .._core import SegmentGenerator, SnowflakeGenerator, __version__
from ..records import SegmentStats, SnowflakeCheck, SnowflakeStats, TagStats

Generator: TypeAlias = SegmentGenerator | SnowflakeGenerator


class OfReason(NamedTuple):
    """Leases that failed for one reason."""

    failures: int


class OfKey(NamedTuple):
    """A key of an audit."""

    used_ratio: float


class OfRead(NamedTuple):
    """A part of what is read in the background."""

    age: timedelta


Figures: TypeAlias = TagStats | SegmentStats | SnowflakeStats | OfReason | SnowflakeCheck | OfKey | OfRead

OTHER_TAGS = "other"
"""The label of all tags that have no series of their own."""

MAX_TAGS = 100
"""How many tags of a generator have series of their own."""

LABELS: Mapping[str, tuple[str, ...]] = {
    "generator": ("generator", "namespace", "scope", "version"),
    "reason": ("generator", "reason"),
    "tag": ("generator", "tag"),
    "key": ("column", "table"),
    "read": ("part",),
    "id_key": ("fingerprint", "key"),
}
"""The labels of the meters that have others than `generator`."""

_logger = logging.getLogger("leafmint")


class Meter(NamedTuple):
    """A meter: its name in OpenTelemetry and Micrometer, and the figure of `stats()` that it shows."""

    name: str
    type: Literal["counter", "gauge"]
    unit: str
    of: Literal["generator", "segments", "reason", "tag", "snowflake", "holder", "key", "read", "id_key"]
    figure: str
    meaning: str
    join: Callable[[list[float]], float] = sum
    default: Callable[[Any], float | None] = lambda figures: None

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels."""
        return LABELS.get(self.of, ("generator",))

    @property
    def family(self) -> str:
        """The name in Prometheus, to which a counter adds an ending."""
        return self.name.replace(".", "_") + {"s": "_seconds", "1": "_ratio"}.get(self.unit, "")

    def value(self, figures: Collection[Figures]) -> float | None:
        """Returns the value for these tags, or for one generator of snowflakes; None if there is none."""
        values = [self._value(each) for each in figures]
        known = [value for value in values if value is not None]
        return self.join(known) if known else None

    def _value(self, figures: Figures) -> float | None:
        figure: timedelta | float | None = getattr(figures, self.figure)
        if figure is None:
            return self.default(figures)
        return figure.total_seconds() if isinstance(figure, timedelta) else figure


def supply_without_use(tag: TagStats) -> float:
    """Returns how long the unused ids of a tag last that is not in use."""
    return inf if tag.unused > 0 else 0


METERS = (
    Meter("leafmint.ids.issued", "counter", "{id}", "tag", "issued", "ids handed out"),
    Meter("leafmint.ids.leased", "counter", "{id}", "tag", "leased", "ids taken from the store"),
    Meter("leafmint.ids.given_back", "counter", "{id}", "tag", "given_back", "ids given back on close"),
    Meter(
        "leafmint.ids.unused",
        "gauge",
        "{id}",
        "tag",
        "unused",
        "ids taken from the store, neither handed out nor given back",
    ),
    Meter(
        "leafmint.ids.highest_leased",
        "gauge",
        "{id}",
        "tag",
        "highest_leased",
        "highest id that this process has leased; 0 before the first lease",
        max,
    ),
    Meter(
        "leafmint.supply",
        "gauge",
        "s",
        "tag",
        "supply",
        "how long the unused ids last at the current rate; +Inf if the tag is not in use, 0 without unused ids",
        min,
        supply_without_use,
    ),
    Meter("leafmint.refills", "counter", "{lease}", "tag", "refills", "successful leases"),
    Meter("leafmint.refill.failures", "counter", "{lease}", "tag", "refill_failures", "failed attempts to lease"),
    Meter(
        "leafmint.refill.average",
        "gauge",
        "s",
        "tag",
        "refill_duration",
        "average round trip of a lease; 0 before the first",
        max,
        lambda figures: 0,
    ),
    Meter("leafmint.segment.waits", "counter", "{call}", "tag", "waits", "calls that had to wait"),
    Meter(
        "leafmint.segment.calls.failed", "counter", "{call}", "tag", "failed_calls", "calls that ended with an error"
    ),
    Meter(
        "leafmint.series.numbers_left",
        "gauge",
        "{id}",
        "tag",
        "numbers_left",
        "numbers that fit the format of a series and are not leased in its current period; absent without a format that"
        " ends",
        min,
    ),
    Meter(
        "leafmint.series.numbers_last",
        "gauge",
        "s",
        "tag",
        "numbers_last",
        "how long these numbers last at the pace of the period so far; absent if there is no pace",
        min,
    ),
    Meter(
        "leafmint.store.up",
        "gauge",
        "",
        "segments",
        "store_up",
        "1 if the store answered the last request, else 0",
    ),
    Meter(
        "leafmint.store.failures",
        "counter",
        "{lease}",
        "reason",
        "failures",
        "leases of all tags that failed, by the code of their error",
    ),
    Meter(
        "leafmint.worker_id",
        "gauge",
        "",
        "snowflake",
        "worker_id",
        "the current worker id; absent before the first id and while a lost lease is replaced",
    ),
    Meter(
        "leafmint.horizon",
        "gauge",
        "s",
        "snowflake",
        "horizon",
        "how far ahead time is reserved; 0 without a worker id",
        default=lambda figures: 0,
    ),
    Meter(
        "leafmint.holder.up",
        "gauge",
        "",
        "snowflake",
        "holder_up",
        "1 if the last attempt to take or extend a lease succeeded, else 0",
    ),
    Meter("leafmint.clock_lead", "gauge", "s", "snowflake", "clock_lead", "how far ids are ahead of the wall clock"),
    Meter(
        "leafmint.heartbeat.average",
        "gauge",
        "s",
        "snowflake",
        "heartbeat_duration",
        "average round trip of a heartbeat of the lease; 0 before the first",
        default=lambda figures: 0,
    ),
    Meter("leafmint.snowflake.waits", "counter", "{call}", "snowflake", "waits", "calls that had to wait"),
    Meter(
        "leafmint.snowflake.calls.failed",
        "counter",
        "{call}",
        "snowflake",
        "failed_calls",
        "calls that ended with an error",
    ),
    Meter(
        "leafmint.lease.failures",
        "counter",
        "{lease}",
        "snowflake",
        "lease_failures",
        "failed attempts to take or extend a lease",
    ),
    Meter("leafmint.leases.lost", "counter", "{lease}", "snowflake", "leases_lost", "leases that another process took"),
    Meter(
        "leafmint.worker_ids",
        "gauge",
        "",
        "holder",
        "workers",
        "worker ids that the generator may take",
    ),
    Meter(
        "leafmint.worker_ids.free",
        "gauge",
        "",
        "holder",
        "free_workers",
        "worker ids that it may take and no process holds",
    ),
    Meter(
        "leafmint.clock_skew",
        "gauge",
        "s",
        "holder",
        "clock_skew",
        "how far the clock of the database is ahead of this host's; absent if the worker ids are in no database",
    ),
    Meter(
        "leafmint.key.used",
        "gauge",
        "1",
        "key",
        "used_ratio",
        "share of the numbers of a key that is used, from 0 to 1",
    ),
    Meter(
        "leafmint.store.read.age",
        "gauge",
        "s",
        "read",
        "age",
        "time since the gauges of this part were last read; before that, since they were switched on",
        max,
    ),
    Meter(
        "leafmint.info",
        "gauge",
        "",
        "generator",
        "",
        "1; the labels say which version mints, from which store or holder",
    ),
    Meter(
        "leafmint.id_keys.info",
        "gauge",
        "",
        "id_key",
        "",
        "1; the labels are the number and the fingerprint of a key of typed ids",
    ),
)


class OwnSeries:
    """Which tags of one generator have series of their own: few, since clients may choose the names.

    The first tags that lease keep theirs. The others share those of `other` and never leave them, or the sums of
    counters would fall. Of tags without ids as many have series as of those with ids.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._own: set[str] = set()
        self._is_said = False

    def label(self, generator: str, tags: Mapping[str, TagStats]) -> dict[str, str]:
        """Returns the label of each tag that has one."""
        leased = [tag for tag, figures in tags.items() if figures.leased > 0 and tag != OTHER_TAGS]
        with self._lock:
            new = [tag for tag in leased if tag not in self._own]
            room = max(self._most - len(self._own), 0)
            self._own.update(new[:room])
            says, self._is_said = not self._is_said and len(new) > room, self._is_said or len(new) > room
            labels = {tag: tag if tag in self._own else OTHER_TAGS for tag in leased}
        if says:
            _logger.warning(
                'more than %s tags of %s have ids: from tag "%s" on they share the meters of the tag "%s",'
                " see max_tags",
                self._most,
                generator,
                new[room],
                OTHER_TAGS,
            )
        unused = [tag for tag in tags if tag not in labels and tag != OTHER_TAGS]
        labels.update((tag, tag) for tag in unused[: self._most])
        return labels | ({OTHER_TAGS: OTHER_TAGS} if OTHER_TAGS in tags else {})


class Sources:
    """The generators that meters are read from, by name: those of late-bound tags and snowflakes if none are given.

    It does not keep generators alive, opens none, and never asks a store.
    """

    def __init__(
        self,
        generators: Collection[Generator],
        named: Mapping[str, Generator],
        tags: Collection[str] | None = None,
        max_tags: int = MAX_TAGS,
    ) -> None:
        """Takes generators with and without a name, and the tags that have series of their own, or their number."""
        self._tags = None if tags is None else frozenset(tags)
        self._max_tags = max_tags
        self._own: weakref.WeakKeyDictionary[Generator, OwnSeries] = weakref.WeakKeyDictionary()
        self._generators: dict[str, weakref.ref[Generator]] = {}
        for name, generator in [*named.items(), *((None, each) for each in generators)]:
            if not isinstance(generator, SegmentGenerator | SnowflakeGenerator):
                # By its type: a URL that was passed instead may contain a password.
                raise TypeError(f"pass a SegmentGenerator or a SnowflakeGenerator, not {type(generator).__name__}")
            self._generators[name or self._free_name(generator)] = weakref.ref(generator)

    def read(self, *meters: Meter) -> Iterator[tuple[Meter, tuple[str, ...], float]]:
        """Yields the present values of these meters, each with the values of its labels."""
        yield from (
            (meter, (fingerprint, str(number)), 1)
            for meter in meters
            if meter.of == "id_key"
            for number, fingerprint in _fingerprints()
        )
        for name, generator in self.present():
            yield from ((meter, _info(name, generator), 1) for meter in meters if meter.of == "generator")
            yield from (
                (meter, (name, *group), value)
                for of, group, figures in self._groups(name, generator, {meter.of for meter in meters})
                for meter in meters
                if meter.of == of and (value := meter.value(figures)) is not None
            )

    def present(self) -> Iterator[tuple[str, Generator]]:
        """Yields the generators that there are now, with their names."""
        found = [(name, reference()) for name, reference in self._generators.items()]
        if not found:
            found = list(late_binding.opened().items())
        yield from ((name, generator) for name, generator in found if generator is not None)

    def _free_name(self, generator: Generator) -> str:
        """Returns a name that no generator has yet: segments, segments-2 and so on."""
        kind = "segments" if isinstance(generator, SegmentGenerator) else "snowflakes"
        names = (f"{kind}-{number}" if number > 1 else kind for number in count(1))
        return next(name for name in names if name not in self._generators)

    def _groups(
        self, name: str, generator: Generator, wanted: set[str]
    ) -> Iterator[tuple[str, tuple[str, ...], Collection[Figures]]]:
        """Yields the figures of a generator: what they are of, and the values of the labels that follow its name."""
        if isinstance(generator, SnowflakeGenerator):
            if "snowflake" in wanted:
                yield "snowflake", (), [generator.stats()]
            return
        if wanted <= {"generator", "snowflake"}:
            return
        stats = generator.stats()
        yield "segments", (), [stats]
        yield from (("reason", (reason,), [OfReason(failures)]) for reason, failures in stats.failures.items())
        tags: dict[str, list[Figures]] = {}
        for tag, label in self._labels(name, generator, stats.tags).items():
            tags.setdefault(label, []).append(stats.tags[tag])
        yield from (("tag", (tag,), figures) for tag, figures in tags.items())

    def _labels(self, name: str, generator: Generator, tags: Mapping[str, TagStats]) -> Mapping[str, str]:
        if self._tags is not None:
            return {tag: tag if tag in self._tags else OTHER_TAGS for tag in tags}
        return self._own.setdefault(generator, OwnSeries(self._max_tags)).label(name, tags)


def _fingerprints() -> list[tuple[int, str]]:
    """Returns the number and the fingerprint of each key of typed ids, if they have been read."""
    keys = late_binding.current().known_keys()
    return [] if keys is None else keys.fingerprints()


def _info(name: str, generator: Generator) -> tuple[str, ...]:
    """Returns the values of the labels of a generator. Only worker ids have a namespace."""
    namespace = generator.stats().namespace if isinstance(generator, SnowflakeGenerator) else ""
    return (name, namespace, generator.scope, __version__)
