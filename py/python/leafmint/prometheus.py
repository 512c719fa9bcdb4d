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

from collections.abc import Collection, Iterator
from typing import TypeAlias

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from ._internal.meters import MAX_TAGS, METERS, Generator, Meter, Sources

__all__ = ["LeafmintCollector"]

_Family: TypeAlias = CounterMetricFamily | GaugeMetricFamily


class LeafmintCollector(Collector):
    """Reads the metrics of generators when it is scraped. Register one per registry.

    It keeps no generator alive, and never waits for a store. A closed generator shows its last values until it is
    dropped.

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
        **named: Generator,
    ) -> None:
        """Makes a collector.

        Args:
            *generators: Generators with the label "segments" or "snowflakes"; the next ones get "segments-2" and so on.
                Without any, those of `leafmint.tag` and `leafmint.snowflake`, whenever they are open.
            tags: The tags with series of their own; the others are summed as "other". None for the first that lease.
            max_tags: Without `tags`, how many tags of a generator have series of their own.
            **named: Generators by the value of the label `generator`.
        """
        self._sources = Sources(generators, named, tags, max_tags)

    def describe(self) -> Iterator[_Family]:
        """Yields the metrics without values, so that a registry can register them without a scrape."""
        return map(_family, METERS)

    def collect(self) -> Iterator[_Family]:
        """Yields the metrics with their present values."""
        families = {meter: _family(meter) for meter in METERS}
        for meter, labels, value in self._sources.read(*METERS):
            families[meter].add_metric(labels, value)
        yield from families.values()


def _family(meter: Meter) -> _Family:
    name = meter.name.replace(".", "_") + ("_seconds" if meter.unit == "s" else "")
    kind = CounterMetricFamily if meter.type == "counter" else GaugeMetricFamily
    return kind(name, meter.meaning, labels=meter.labels)
