"""Instruments for OpenTelemetry: the statistics of generators as metrics.

Needs `opentelemetry-api`, which the extra `leafmint[opentelemetry]` installs.
"""

from collections.abc import Callable, Collection, Iterator
from datetime import timedelta
from itertools import chain

from opentelemetry.metrics import CallbackOptions, MeterProvider, Observation, get_meter

from ._core import __version__
from ._internal.meters import MAX_TAGS, METERS, Generator, Meter, Sources
from ._internal.store_gauges import StoreGauges
from .records import AuditReport

__all__ = ["create_instruments"]


def create_instruments(
    *generators: Generator,
    meter_provider: MeterProvider | None = None,
    tags: Collection[str] | None = None,
    max_tags: int = MAX_TAGS,
    store_every: timedelta | None = None,
    audit: Callable[[], AuditReport] | None = None,
    **named: Generator,
) -> None:
    """Creates the instruments that observe generators. Call it once for all generators of a process.

    The instruments keep no generator alive, and never wait for a store. A closed generator shows its last values until
    it is dropped. What stores say is read on another thread if instruments are read, so the first time does not have it
    yet.

    Args:
        *generators: Generators with the attribute "segments" or "snowflakes"; the next ones get "segments-2" and so on.
            Without any, those of `leafmint.tag` and `leafmint.snowflake`, whenever they are open.
        meter_provider: The provider of the meter; by default the global one.
        tags: The tags with series of their own; the others are summed as "other". None for the first that lease.
        max_tags: Without `tags`, how many tags of a generator have series of their own; also the number of keys.
        store_every: How often the holders of worker ids are read for gauges of their own; None for never.
        audit: Reads how far keys are used, as `lambda: leafmint.audit(engine)`, for a gauge of the fullest ones; None
            for no such gauge. It is called every ten minutes at most.
        **named: Generators by the value of the attribute `generator`.

    Raises:
        InvalidConfigError: `store_every` is not a positive timedelta.

    Example:
        >>> import leafmint
        >>> import leafmint.opentelemetry
        >>> ids = leafmint.SegmentGenerator("memory://opentelemetry")
        >>> leafmint.opentelemetry.create_instruments(ids)
    """
    sources = Sources(generators, named, tags, max_tags)
    store = StoreGauges(sources, store_every, audit, max_tags)
    meter = get_meter("leafmint", __version__, meter_provider)
    for each in METERS:
        create = meter.create_observable_counter if each.type == "counter" else meter.create_observable_gauge
        create(each.name, [_callback(sources, store, each)], each.unit, each.meaning)


def _callback(sources: Sources, store: StoreGauges, meter: Meter) -> Callable[[CallbackOptions], Iterator[Observation]]:
    def observe(_options: CallbackOptions) -> Iterator[Observation]:
        for _, labels, value in chain(sources.read(meter), store.read(meter)):
            yield Observation(value, dict(zip(meter.labels, labels, strict=True)))

    return observe
