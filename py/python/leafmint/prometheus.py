"""A collector for `prometheus_client`: the statistics of generators as Prometheus metrics.

Needs `prometheus_client`, which the extra `leafmint[prometheus]` installs.

>>> import leafmint
>>> from leafmint.prometheus import LeafmintCollector
>>> from prometheus_client import CollectorRegistry, generate_latest
>>> registry = CollectorRegistry()
>>> ids = leafmint.SegmentGenerator("memory://prometheus")
>>> registry.register(LeafmintCollector(ids))
>>> ids.tag("order").next_ids(3)
[1, 2, 3]
>>> print(next(line for line in generate_latest(registry).decode().splitlines() if line.startswith("leafmint")))
leafmint_ids_issued_total{generator="segments",tag="order"} 3.0
"""

from collections.abc import Callable, Collection, Iterator
from datetime import timedelta
from itertools import chain
from typing import TypeAlias

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from ._internal.meters import MAX_TAGS, METERS, Generator, Meter, Sources
from ._internal.store_gauges import StoreGauges
from .records import AuditReport

__all__ = ["LeafmintCollector"]

_Family: TypeAlias = CounterMetricFamily | GaugeMetricFamily


class LeafmintCollector(Collector):
    """Reads the metrics of generators when it is scraped. Register one per registry.

    It keeps no generator alive, and never waits for a store. A closed generator shows its last values until it is
    dropped. What stores say is read on another thread if scrapes come, so the first scrape does not have it yet.

    Example:
        >>> import leafmint
        >>> from prometheus_client import CollectorRegistry
        >>> ids = leafmint.SegmentGenerator("memory://collector")
        >>> CollectorRegistry().register(LeafmintCollector(billing=ids, tags=["invoice"]))
    """

    def __init__(
        self,
        *generators: Generator,
        tags: Collection[str] | None = None,
        max_tags: int = MAX_TAGS,
        store_every: timedelta | None = None,
        audit: Callable[[], AuditReport] | None = None,
        **named: Generator,
    ) -> None:
        """Makes a collector.

        Args:
            *generators: Generators with the label "segments" or "snowflakes"; the next ones get "segments-2" and so on.
                Without any, those of `leafmint.tag` and `leafmint.snowflake`, whenever they are open.
            tags: The tags with series of their own; the others are summed as "other". None for the first that lease.
            max_tags: Without `tags`, how many tags of a generator have series of their own; also the number of keys.
            store_every: How often the holders of worker ids are read for gauges of their own; None for never.
            audit: Reads how far keys are used, as `lambda: leafmint.audit(engine)`, for a gauge of the fullest ones;
                None for no such gauge. It is called every ten minutes at most.
            **named: Generators by the value of the label `generator`.

        Raises:
            InvalidConfigError: `store_every` is not a positive timedelta.
        """
        self._sources = Sources(generators, named, tags, max_tags)
        self._store = StoreGauges(self._sources, store_every, audit, max_tags)

    def describe(self) -> Iterator[_Family]:
        """Yields the metrics without values, so that a registry can register them without a scrape."""
        return map(_family, METERS)

    def collect(self) -> Iterator[_Family]:
        """Yields the metrics with their present values."""
        families = {meter: _family(meter) for meter in METERS}
        for meter, labels, value in chain(self._sources.read(*METERS), self._store.read(*METERS)):
            families[meter].add_metric(labels, value)
        yield from families.values()


def _family(meter: Meter) -> _Family:
    kind = CounterMetricFamily if meter.type == "counter" else GaugeMetricFamily
    return kind(meter.family, meter.meaning, labels=meter.labels)
