"""The table of entrances: each public call that gives out ids or numbers, or makes as much as its caller chooses."""

import asyncio
import re
import resource
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from inspect import isclass
from pathlib import Path
from typing import Any

import leafmint
from leafmint import late_binding

KEY = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"

LAYOUT = "timestamp:41,worker:5,sequence:13,gene:4"

PAST = 1_700_000_000_000

DAY = date(2020, 2, 29)

GIVES_OUT = re.compile(r"(try_)?next(_|$)|backfill|mint$|__call__$|(encode|decode)_(all|array)$|period_tables$")
"""The names of entrances. A new call whose name is another one needs a pattern here, and a row below."""


@dataclass
class Opened:
    """What the rows call."""

    segments: leafmint.SegmentGenerator
    flakes: leafmint.SnowflakeGenerator

    @property
    def tag(self) -> leafmint.Tag:
        """Return a tag."""
        return self.segments.tag("order")

    @property
    def genes(self) -> leafmint.Tag:
        """Return a tag with gene bits."""
        return self.segments.tag("user", gene_bits=4)

    @property
    def series(self) -> leafmint.Series:
        """Return a series."""
        return self.segments.series("invoice", period="year", zone="UTC")

    late_tag = leafmint.tag("order")
    late_genes = leafmint.tag("user", gene_bits=4)
    late_series = leafmint.series("invoice", period="year", zone="UTC")
    late_flakes = leafmint.snowflake()
    public_ids = leafmint.PublicIds("order", [KEY])

    def texts(self, count: int) -> list[str]:
        """Return public ids."""
        return self.public_ids.encode_all([7]) * count


@contextmanager
def opened(url: str = "memory:", holder: str | None = None, **options: Any) -> Iterator[Opened]:
    """Open what the rows call; also what is late-bound."""
    with tempfile.TemporaryDirectory() as directory:
        of_flakes = {"layout": LAYOUT, **options}
        # Late-bound objects have a directory, and so a worker id, of their own.
        leafmint.configure(
            url, snowflake_url=holder or f"local:{directory}/late", options=options, snowflake_options=of_flakes
        )
        with (
            leafmint.SegmentGenerator(url, **options) as segments,
            leafmint.SnowflakeGenerator(holder or f"local:{directory}/own", **of_flakes) as flakes,
        ):
            try:
                yield Opened(segments, flakes)
            finally:
                late_binding.close()


@dataclass(frozen=True)
class Entrance:
    """A row: the name of a call, and how to call it for a number of ids."""

    name: str
    call: Callable[[Opened, int], Any]
    of: str
    """What gives the ids out: "tag", "series", "flakes", "past" or "data"."""

    @property
    def is_long(self) -> bool:
        """Return whether the caller chooses how long the answer is."""
        return bool(re.search(r"_ids|_array|_many|_all|_tables", self.name))

    @property
    def waits(self) -> bool:
        """Return whether the call waits for a store."""
        return self.of != "data" and "try_" not in self.name

    def answer(self, of: Opened, count: int) -> Any:
        """Return the answer, also of a coroutine."""
        begun = self.call(of, count)
        return asyncio.run(awaited(begun)) if hasattr(begun, "__await__") else begun

    def __str__(self) -> str:
        """Return the name, for the tests' names."""
        return self.name


async def awaited(begun: Coroutine[Any, Any, Any]) -> Any:
    """Return the answer of a coroutine."""
    return await begun


def row(name: str, of: str, call: Callable[..., Any], *handles: str) -> Entrance:
    """Return the row of a call on these attributes of what is open."""
    return Entrance(name, lambda opened, n: call(*(getattr(opened, handle) for handle in handles), n), of)


def tags(kind: str, tag: str, genes: str) -> list[Entrance]:
    """Return the rows of a tag."""
    return [
        row(f"{kind}.{name}", "tag", call, tag, genes)
        for name, call in {
            "next_id": lambda tag, _, __: tag.next_id(),
            "next_id gene": lambda _, genes, __: genes.next_id(gene=3),
            "try_next_id": lambda tag, _, __: tag.try_next_id(),
            "next_ids": lambda tag, _, n: tag.next_ids(n),
            "next_array": lambda tag, _, n: tag.next_array(n),
            "next_range": lambda tag, _, n: tag.next_range(n),
            "next_id_async": lambda tag, _, __: tag.next_id_async(),
            "next_id_async gene": lambda _, genes, __: genes.next_id_async(gene=3),
            "next_ids_async": lambda tag, _, n: tag.next_ids_async(n),
            "next_array_async": lambda tag, _, n: tag.next_array_async(n),
            "next_range_async": lambda tag, _, n: tag.next_range_async(n),
            "__call__": lambda tag, _, __: tag(),
        }.items()
    ]


def series(kind: str, series: str) -> list[Entrance]:
    """Return the rows of a series."""
    return [
        row(f"{kind}.{name}", "series", call, series)
        for name, call in {
            "next": lambda series, _: series.next(),
            "next on": lambda series, _: series.next(on=DAY),
            "next_many": lambda series, n: series.next_many(n),
            "next_many on": lambda series, n: series.next_many(n, on=DAY),
            "next_async": lambda series, _: series.next_async(),
            "next_async on": lambda series, _: series.next_async(on=DAY),
            "next_many_async": lambda series, n: series.next_many_async(n),
            "next_many_async on": lambda series, n: series.next_many_async(n, on=DAY),
            "__call__": lambda series, _: series(),
        }.items()
    ]


def flakes(kind: str, flakes: str) -> list[Entrance]:
    """Return the rows of snowflakes."""
    return [
        row(f"{kind}.{name}", "flakes", call, flakes)
        for name, call in {
            "next_id": lambda flakes, _: flakes.next_id(),
            "next_id gene": lambda flakes, _: flakes.next_id(gene=3),
            "try_next_id": lambda flakes, _: flakes.try_next_id(),
            "next_ids": lambda flakes, n: flakes.next_ids(n),
            "next_array": lambda flakes, n: flakes.next_array(n),
            "next_id_async": lambda flakes, _: flakes.next_id_async(),
            "next_id_async gene": lambda flakes, _: flakes.next_id_async(gene=3),
            "next_ids_async": lambda flakes, n: flakes.next_ids_async(n),
            "next_array_async": lambda flakes, n: flakes.next_array_async(n),
            "__call__": lambda flakes, _: flakes(),
        }.items()
    ]


def moments(count: int) -> range:
    """Return past moments."""
    return range(PAST + count, PAST, -1)


class OrderId(leafmint.TypedId, form="decimal", tag="order"):
    """A type of ids that mints."""


ENTRANCES = [
    Entrance("TypedId.next", lambda of, _: OrderId.next(), "typed"),
    Entrance("TypedId.next_many", lambda of, n: OrderId.next_many(n), "typed"),
    Entrance("TypedId.next_async", lambda of, _: OrderId.next_async(), "typed"),
    Entrance("TypedId.next_many_async", lambda of, n: OrderId.next_many_async(n), "typed"),
    *tags("Tag", "tag", "genes"),
    *tags("LateTag", "late_tag", "late_genes"),
    *series("Series", "series"),
    *series("LateSeries", "late_series"),
    *flakes("SnowflakeGenerator", "flakes"),
    *flakes("LateSnowflake", "late_flakes"),
    Entrance("LateSnowflake.backfill", lambda of, _: of.late_flakes.backfill(PAST), "late past"),
    Entrance("LateSnowflake.backfill_async", lambda of, _: of.late_flakes.backfill_async(PAST), "late past"),
    Entrance(
        "LateSnowflake.backfill_array",
        lambda of, n: of.late_flakes.backfill_array(moments(n)),
        "late past",
    ),
    Entrance(
        "LateSnowflake.backfill_array_async",
        lambda of, n: of.late_flakes.backfill_array_async(moments(n)),
        "late past",
    ),
    Entrance("SnowflakeGenerator.backfill", lambda of, _: of.flakes.backfill(PAST), "past"),
    Entrance("SnowflakeGenerator.backfill gene", lambda of, _: of.flakes.backfill(PAST, gene=3), "past"),
    Entrance("SnowflakeGenerator.backfill_array", lambda of, n: of.flakes.backfill_array(moments(n)), "past"),
    Entrance("SnowflakeGenerator.backfill_async", lambda of, _: of.flakes.backfill_async(PAST), "past"),
    Entrance(
        "SnowflakeGenerator.backfill_array_async",
        lambda of, n: of.flakes.backfill_array_async(moments(n)),
        "past",
    ),
    Entrance("ShardRule.mint", lambda of, _: leafmint.ShardRule("10", tables=64).mint(of.tag, "user-42"), "tag"),
    Entrance("Layout.decode_array", lambda _, n: leafmint.Layout("leaf").decode_array(range(n)), "data"),
    Entrance("PublicIds.encode_all", lambda of, n: of.public_ids.encode_all(range(n)), "data"),
    Entrance("PublicIds.encode_array", lambda of, n: of.public_ids.encode_array(range(n)), "data"),
    Entrance("PublicIds.decode_all", lambda of, n: of.public_ids.decode_all(of.texts(n)), "data"),
    Entrance("PublicIds.decode_array", lambda of, n: of.public_ids.decode_array(of.texts(n)), "data"),
    Entrance(
        "period_tables",
        lambda _, n: leafmint.period_tables("orders_{year}{month}{day}", 0, min(n, 2_900_000) * 86_400_000),
        "data",
    ),
]


def leave_free(megabytes: int) -> None:
    """Limit the address space of this process to what it has and this much more."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (megabytes << 20), resource.RLIM_INFINITY))


def leave_all() -> None:
    """End the limit."""
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def surface() -> set[str]:
    """Return the public names that are entrances. `IdSource` is a type for annotations."""
    names = set()
    for name in leafmint.__all__:
        value = getattr(leafmint, name)
        if isclass(value) and value is not leafmint.IdSource:
            names |= {f"{name}.{method}" for method in vars(value) if GIVES_OUT.match(method)}
        elif GIVES_OUT.match(name):
            names.add(name)
    return names
