"""The meters that `leafmint.prometheus` and `leafmint.opentelemetry` export, and their values from `stats()`."""

import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import count
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from . import late_binding
from ._core import SegmentGenerator, SnowflakeGenerator

Generator: TypeAlias = SegmentGenerator | SnowflakeGenerator
Figures: TypeAlias = Mapping[str, Any]

OTHER_TAGS = "other"
"""The label of all tags that have no series of their own."""


class Meter(NamedTuple):
    """A meter: its name in OpenTelemetry and Micrometer, and the figure of `stats()` that it shows."""

    name: str
    type: Literal["counter", "gauge"]
    unit: str
    of: Literal["tag", "snowflake"]
    figure: str
    meaning: str
    join: Callable[[list[float]], float] = sum

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels."""
        return ("generator", "tag") if self.of == "tag" else ("generator",)

    def value(self, figures: Collection[Figures]) -> float | None:
        """Returns the value for these tags, or for one generator of snowflakes; None if there is none."""
        known = [figure for each in figures if (figure := each[self.figure]) is not None]
        if not known:
            return None
        return self.join(known) / 1000 if self.figure.endswith("_millis") else self.join(known)


METERS = (
    Meter("leafmint.ids.issued", "counter", "{id}", "tag", "issued", "ids handed out"),
    Meter("leafmint.ids.leased", "counter", "{id}", "tag", "leased", "ids taken from the store"),
    Meter("leafmint.ids.given_back", "counter", "{id}", "tag", "given_back", "ids given back at the close"),
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
        "supply_seconds",
        "how long the unused ids last at the current rate; absent if the tag is not in use",
        min,
    ),
    Meter("leafmint.refills", "counter", "{lease}", "tag", "refills", "leases that arrived"),
    Meter("leafmint.refill.failures", "counter", "{lease}", "tag", "refill_failures", "attempts that failed"),
    Meter(
        "leafmint.refill.duration",
        "gauge",
        "s",
        "tag",
        "refill_millis",
        "average round trip of a lease; absent before the first",
        max,
    ),
    Meter("leafmint.waits", "counter", "{call}", "tag", "waits", "calls that had to wait"),
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
        "horizon_seconds",
        "how far ahead time is reserved; absent without a worker id",
    ),
    Meter(
        "leafmint.clock_lead", "gauge", "s", "snowflake", "clock_lead_millis", "how far ids are ahead of the wall clock"
    ),
    Meter("leafmint.snowflake.waits", "counter", "{call}", "snowflake", "waits", "calls that had to wait"),
    Meter("leafmint.leases.lost", "counter", "{lease}", "snowflake", "leases_lost", "leases that another process took"),
)


class Sources:
    """The generators that meters are read from, by name: those of late-bound tags and snowflakes if none are given.

    It does not keep generators alive, opens none, and never asks a store.
    """

    def __init__(
        self, generators: Collection[Generator], named: Mapping[str, Generator], tags: Collection[str] | None
    ) -> None:
        """Takes generators with and without a name, and the tags that have series of their own; None for all."""
        self._tags = None if tags is None else frozenset(tags)
        self._generators: dict[str, weakref.ref[Generator]] = {}
        for name, generator in [*named.items(), *((None, each) for each in generators)]:
            if not isinstance(generator, SegmentGenerator | SnowflakeGenerator):
                # By its type: a URL that was passed instead may contain a password.
                raise TypeError(f"pass a SegmentGenerator or a SnowflakeGenerator, not {type(generator).__name__}")
            self._generators[name or self._free_name(generator)] = weakref.ref(generator)

    def read(self, *meters: Meter) -> Iterator[tuple[Meter, tuple[str, ...], float]]:
        """Yields the present values of these meters, each with the values of its labels."""
        for name, generator in self._present():
            of = "tag" if isinstance(generator, SegmentGenerator) else "snowflake"
            if wanted := [meter for meter in meters if meter.of == of]:
                for labels, figures in self._groups(generator).items():
                    for meter in wanted:
                        if (value := meter.value(figures)) is not None:
                            yield meter, (name, *labels), value

    def _present(self) -> Iterator[tuple[str, Generator]]:
        """Yields the generators that there are now, with their names."""
        found = [(name, reference()) for name, reference in self._generators.items()]
        if not found:
            found = list(zip(("segments", "snowflakes"), late_binding.opened(), strict=True))
        yield from ((name, generator) for name, generator in found if generator is not None)

    def _free_name(self, generator: Generator) -> str:
        """Returns a name that no generator has yet: segments, segments-2 and so on."""
        kind = "segments" if isinstance(generator, SegmentGenerator) else "snowflakes"
        names = (f"{kind}-{number}" if number > 1 else kind for number in count(1))
        return next(name for name in names if name not in self._generators)

    def _groups(self, generator: Generator) -> dict[tuple[str, ...], list[Figures]]:
        """Returns the figures of a generator by the values of the labels that follow its name."""
        if isinstance(generator, SnowflakeGenerator):
            return {(): [cast(Figures, generator.stats())]}
        groups: dict[tuple[str, ...], list[Figures]] = {}
        for tag, figures in generator.stats()["tags"].items():
            label = tag if self._tags is None or tag in self._tags else OTHER_TAGS
            groups.setdefault((label,), []).append(cast(Figures, figures))
        return groups
