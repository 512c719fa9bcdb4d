"""Tags, series and snowflakes that a module names at import, and that bind to a generator at their first id.

>>> import leafmint
>>> order_ids = leafmint.tag("order")             # in a module of models, before any URL is known
>>> leafmint.configure("memory://late_bound")     # where the application starts
>>> order_ids.next_id(), order_ids.next_ids(3)
(1, [2, 3, 4])
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from . import late_binding
from ._core import Format, _once

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable
    from datetime import date, datetime, timedelta
    from zoneinfo import ZoneInfo

    from numpy import int64
    from numpy.typing import ArrayLike, NDArray

    from ._core import DecodedId, Layout, Series, SeriesNumber, Tag, _Optimizer, _Order, _Period
    from .records import TagStats

__all__ = ["LateSeries", "LateSnowflake", "LateTag", "series", "snowflake", "tag"]


# The methods below are written out, and not made by a loop: type checkers and editors read their signatures here.


@_once
class LateTag:
    """A tag that is bound to a generator at its first id. Made by `leafmint.tag`.

    It has the methods of `Tag`. Immutable; compares by its arguments, and can be pickled and copied.

    Example:
        >>> import leafmint
        >>> leafmint.configure("memory://late_tag")
        >>> leafmint.tag("order").next_range(2)
        range(1, 3)
    """

    __slots__ = ("__weakref__", "_bound", "gene_bits", "name", "order", "sequence", "sequence_optimizer")

    def __init__(
        self,
        name: str,
        *,
        gene_bits: int = 0,
        order: _Order = "strict",
        sequence: str | None = None,
        sequence_optimizer: _Optimizer | None = None,
    ) -> None:
        """Name the tag, as in `leafmint.tag`."""
        self.name: str = name
        self.gene_bits: int = gene_bits
        self.order: _Order = order
        self.sequence: str | None = sequence
        self.sequence_optimizer: _Optimizer | None = sequence_optimizer
        self._bound: tuple[late_binding.Binding, Tag] | None = None

    @property
    def tag(self) -> Tag:
        """The tag of the generator that is configured now. Keep it for hot loops: a direct call is faster."""
        binding, bound = late_binding.current(), self._bound
        if bound is None or bound[0] is not binding:
            source = binding.open_segments(self.sequence, self.sequence_optimizer)
            tag = source.tag(self.name, gene_bits=self.gene_bits, order=self.order)
            self._bound = bound = (binding, tag)
        return bound[1]

    def next_id(self, *, timeout: float | str | timedelta | None = None, gene: int | None = None) -> int:
        """Return the next id, as `Tag.next_id` does."""
        if timeout is None and gene is None:
            return self.tag.next_id()
        return self.tag.next_id(timeout=timeout, gene=gene)

    def try_next_id(self) -> int | None:
        """Return the next id, or None if none is in hand."""
        return self.tag.try_next_id()

    def next_ids(self, count: int, *, timeout: float | str | timedelta | None = None) -> list[int]:
        """Return ids in ascending order, as `Tag.next_ids` does."""
        return self.tag.next_ids(count, timeout=timeout)

    def next_array(self, count: int, *, timeout: float | str | timedelta | None = None) -> NDArray[int64]:
        """Return ids in ascending order, as `Tag.next_array` does."""
        return self.tag.next_array(count, timeout=timeout)

    def next_range(self, count: int, *, timeout: float | str | timedelta | None = None) -> range:
        """Return consecutive ids, as `Tag.next_range` does."""
        return self.tag.next_range(count, timeout=timeout)

    def next_id_async(
        self, *, timeout: float | str | timedelta | None = None, gene: int | None = None
    ) -> Coroutine[Any, Any, int]:
        """Return a coroutine of the next id, as `Tag.next_id_async` does."""
        return self.tag.next_id_async(timeout=timeout, gene=gene)

    def next_ids_async(
        self, count: int, *, timeout: float | str | timedelta | None = None
    ) -> Coroutine[Any, Any, list[int]]:
        """Return a coroutine of ids in ascending order, as `Tag.next_ids_async` does."""
        return self.tag.next_ids_async(count, timeout=timeout)

    def next_array_async(
        self, count: int, *, timeout: float | str | timedelta | None = None
    ) -> Coroutine[Any, Any, NDArray[int64]]:
        """Return a coroutine of ids in ascending order, as `Tag.next_array_async` does."""
        return self.tag.next_array_async(count, timeout=timeout)

    def next_range_async(
        self, count: int, *, timeout: float | str | timedelta | None = None
    ) -> Coroutine[Any, Any, range]:
        """Return a coroutine of consecutive ids, as `Tag.next_range_async` does."""
        return self.tag.next_range_async(count, timeout=timeout)

    def stats(self) -> TagStats:
        """Return the statistics of the tag, as `Tag.stats` does."""
        return self.tag.stats()

    def __call__(self) -> int:
        """Return the next id, so that the tag itself can be a default."""
        return self.tag.next_id()

    def _given(self) -> dict[str, Any]:
        """Return the arguments that are no defaults."""
        given: dict[str, Any] = {
            "gene_bits": self.gene_bits or None,
            "order": None if self.order == "strict" else self.order,
        }
        given |= {"sequence": self.sequence, "sequence_optimizer": self.sequence_optimizer}
        return {name: value for name, value in given.items() if value is not None}

    def _key(self) -> tuple[object, ...]:
        return self.name, self.gene_bits, self.order, self.sequence, self.sequence_optimizer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LateTag) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[partial[LateTag], tuple[str]]:
        return partial(LateTag, **self._given()), (self.name,)

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._given().items())
        return f"leafmint.tag({self.name!r}{given})"

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return what a migration of Django writes: `leafmint.tag("order")`."""
        return "leafmint.tag", [self.name], self._given()


@_once
class LateSeries:
    """A series that is bound to a generator at its first number. Made by `leafmint.series`.

    It has the methods of `Series`. Immutable; compares by its arguments, and can be pickled and copied: a ZoneInfo is
    kept as its name, a Format as its text.

    Example:
        >>> import leafmint
        >>> from datetime import date
        >>> leafmint.configure("memory://late_series")
        >>> invoices = leafmint.series("invoice", period="year", zone="Europe/Madrid", format="{year}/{number:4}")
        >>> invoices.next(on=date(2026, 11, 25)).text
        '2026/0001'
    """

    __slots__ = ("__weakref__", "_bound", "format", "key", "name", "period", "step", "zone")

    def __init__(
        self,
        name: str,
        *,
        period: _Period,
        zone: str | ZoneInfo | None = None,
        key: str | None = None,
        step: int = 1,
        format: str | Format | None = None,
    ) -> None:
        """Describe the series, as in `SegmentGenerator.series`."""
        self.name: str = name
        self.period: _Period = period
        self.zone: str | None = zone_name(zone)
        self.key: str | None = key
        self.step: int = step
        self.format: str | None = format.text if isinstance(format, Format) else format
        self._bound: tuple[late_binding.Binding, Series] | None = None

    @property
    def series(self) -> Series:
        """The series of the generator that is configured now. Keep it for hot loops: a direct call is faster."""
        binding, bound = late_binding.current(), self._bound
        if bound is None or bound[0] is not binding:
            name, period, zone, key, step, format = self._key()
            series = binding.open_segments().series(name, period=period, zone=zone, key=key, step=step, format=format)
            self._bound = bound = (binding, series)
        return bound[1]

    def next(self, *, on: date | None = None, timeout: float | str | timedelta | None = None) -> SeriesNumber:
        """Return the next number, as `Series.next` does."""
        return self.series.next(on=on, timeout=timeout)

    def next_many(
        self, count: int, *, on: date | None = None, timeout: float | str | timedelta | None = None
    ) -> list[SeriesNumber]:
        """Return numbers of one period, as `Series.next_many` does."""
        return self.series.next_many(count, on=on, timeout=timeout)

    def next_async(
        self, *, on: date | None = None, timeout: float | str | timedelta | None = None
    ) -> Coroutine[Any, Any, SeriesNumber]:
        """Return a coroutine of the next number, as `Series.next_async` does."""
        return self.series.next_async(on=on, timeout=timeout)

    def next_many_async(
        self, count: int, *, on: date | None = None, timeout: float | str | timedelta | None = None
    ) -> Coroutine[Any, Any, list[SeriesNumber]]:
        """Return a coroutine of numbers of one period, as `Series.next_many_async` does."""
        return self.series.next_many_async(count, on=on, timeout=timeout)

    def __call__(self) -> SeriesNumber:
        """Return the next number, so that the series itself can be a default."""
        return self.series.next()

    def _key(self) -> tuple[str, _Period, str | None, str | None, int, str | None]:
        return self.name, self.period, self.zone, self.key, self.step, self.format

    def _given(self) -> dict[str, Any]:
        """Return the arguments that are no defaults."""
        given = {"period": self.period, "zone": self.zone, "key": self.key, "format": self.format}
        given = {name: value for name, value in given.items() if value is not None}
        return given | ({} if self.step == 1 else {"step": self.step})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LateSeries) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[partial[LateSeries], tuple[str]]:
        return partial(LateSeries, **self._given()), (self.name,)

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._given().items())
        return f"leafmint.series({self.name!r}{given})"

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return what a migration of Django writes: `leafmint.series("invoice", period="year", ...)`."""
        return "leafmint.series", [self.name], self._given()


@_once
class LateSnowflake:
    """Snowflakes of a generator that is bound at the first id. Made by `leafmint.snowflake`.

    It has the methods of `SnowflakeGenerator` that mint, backfill and decode. All instances are equal; they can be
    pickled and copied.

    Example:
        >>> import leafmint, tempfile
        >>> leafmint.configure(snowflake_url=f"local:{tempfile.mkdtemp()}")
        >>> leafmint.snowflake().next_id() > 0
        True
    """

    __slots__ = ("__weakref__",)

    @property
    def layout(self) -> Layout:
        """The layout of the ids."""
        return late_binding.snowflake_generator().layout

    def next_id(self, *, timeout: float | str | timedelta | None = None, gene: int | None = None) -> int:
        """Return the next id, as `SnowflakeGenerator.next_id` does."""
        if timeout is None and gene is None:
            return late_binding.snowflake_generator().next_id()
        return late_binding.snowflake_generator().next_id(timeout=timeout, gene=gene)

    def try_next_id(self) -> int | None:
        """Return the next id, or None if `next_id` would have to wait."""
        return late_binding.snowflake_generator().try_next_id()

    def next_ids(self, count: int, *, timeout: float | str | timedelta | None = None) -> list[int]:
        """Return ids in ascending order, as `SnowflakeGenerator.next_ids` does."""
        return late_binding.snowflake_generator().next_ids(count, timeout=timeout)

    def next_array(self, count: int, *, timeout: float | str | timedelta | None = None) -> NDArray[int64]:
        """Return ids in ascending order, as `SnowflakeGenerator.next_array` does."""
        return late_binding.snowflake_generator().next_array(count, timeout=timeout)

    def next_id_async(
        self, *, timeout: float | str | timedelta | None = None, gene: int | None = None
    ) -> Coroutine[Any, Any, int]:
        """Return a coroutine of the next id, as `SnowflakeGenerator.next_id_async` does."""
        return late_binding.snowflake_generator().next_id_async(timeout=timeout, gene=gene)

    def next_ids_async(
        self, count: int, *, timeout: float | str | timedelta | None = None
    ) -> Coroutine[Any, Any, list[int]]:
        """Return a coroutine of ids in ascending order, as `SnowflakeGenerator.next_ids_async` does."""
        return late_binding.snowflake_generator().next_ids_async(count, timeout=timeout)

    def next_array_async(
        self, count: int, *, timeout: float | str | timedelta | None = None
    ) -> Coroutine[Any, Any, NDArray[int64]]:
        """Return a coroutine of ids in ascending order, as `SnowflakeGenerator.next_array_async` does."""
        return late_binding.snowflake_generator().next_array_async(count, timeout=timeout)

    def backfill(
        self, at: datetime | int, *, timeout: float | str | timedelta | None = None, gene: int | None = None
    ) -> int:
        """Return an id for a moment that has passed, as `SnowflakeGenerator.backfill` does."""
        return late_binding.snowflake_generator().backfill(at, timeout=timeout, gene=gene)

    def backfill_array(
        self,
        at: ArrayLike | Iterable[datetime | int],
        *,
        timeout: float | str | timedelta | None = None,
        gene: int | None = None,
    ) -> NDArray[int64]:
        """Return ids for many past moments, as `SnowflakeGenerator.backfill_array` does."""
        return late_binding.snowflake_generator().backfill_array(at, timeout=timeout, gene=gene)

    def backfill_async(
        self, at: datetime | int, *, timeout: float | str | timedelta | None = None, gene: int | None = None
    ) -> Coroutine[Any, Any, int]:
        """Return a coroutine of an id for a moment, as `SnowflakeGenerator.backfill_async` does."""
        return late_binding.snowflake_generator().backfill_async(at, timeout=timeout, gene=gene)

    def backfill_array_async(
        self,
        at: ArrayLike | Iterable[datetime | int],
        *,
        timeout: float | str | timedelta | None = None,
        gene: int | None = None,
    ) -> Coroutine[Any, Any, NDArray[int64]]:
        """Return a coroutine of ids for many moments, as `SnowflakeGenerator.backfill_array_async` does."""
        return late_binding.snowflake_generator().backfill_array_async(at, timeout=timeout, gene=gene)

    def decode(self, id: int) -> DecodedId:
        """Return the parts of an id, as `SnowflakeGenerator.decode` does."""
        return late_binding.snowflake_generator().decode(id)

    def __call__(self) -> int:
        """Return the next id, so that the object itself can be a default."""
        return late_binding.snowflake_generator().next_id()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LateSnowflake)

    def __hash__(self) -> int:
        return hash(LateSnowflake)

    def __reduce__(self) -> tuple[type[LateSnowflake], tuple[()]]:
        return LateSnowflake, ()

    def __repr__(self) -> str:
        return "leafmint.snowflake()"

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return what a migration of Django writes: `leafmint.snowflake()`."""
        return "leafmint.snowflake", [], {}


def zone_name(zone: Any) -> str | None:
    """Return the name of a ZoneInfo. What is neither that nor text is kept for the first number, which refuses it."""
    name: str | None = getattr(zone, "key", None) or zone
    return name


def _refuse_deconstruct() -> NoReturn:
    raise ValueError(
        "a migration cannot name a method of a tag, a series or snowflakes: write default=leafmint.tag(...),"
        " leafmint.series(...) or leafmint.snowflake(), without .next_id or .next"
    )


# Django's migration writer asks every value for this. It would write a bound method without its object.
_METHODS: tuple[Any, ...] = (LateTag.next_id, LateSeries.next, LateSnowflake.next_id)
for _method in _METHODS:
    _method.deconstruct = _refuse_deconstruct


def tag(
    name: str,
    *,
    gene_bits: int = 0,
    order: _Order = "strict",
    sequence: str | None = None,
    sequence_optimizer: _Optimizer | None = None,
) -> LateTag:
    """Return a tag that is bound at its first id to the generator that `configure` describes.

    Args:
        name: As in `SegmentGenerator.tag`, which checks it at the first id.
        gene_bits: As in `SegmentGenerator.tag`.
        order: As in `SegmentGenerator.tag`.
        sequence: The sequence of PostgreSQL that this tag leases from, as the option of `SegmentGenerator`; by
            default what is configured, for all tags.
        sequence_optimizer: As the option of `SegmentGenerator`.
    """
    return LateTag(name, gene_bits=gene_bits, order=order, sequence=sequence, sequence_optimizer=sequence_optimizer)


def series(
    name: str,
    *,
    period: _Period,
    zone: str | ZoneInfo | None = None,
    key: str | None = None,
    step: int = 1,
    format: str | Format | None = None,
) -> LateSeries:
    """Return a series that is bound at its first number to the generator that `configure` describes.

    Args:
        name: As in `SegmentGenerator.series`, which checks all arguments at the first number.
        period: As in `SegmentGenerator.series`.
        zone: As in `SegmentGenerator.series`.
        key: As in `SegmentGenerator.series`.
        step: As in `SegmentGenerator.series`.
        format: As in `SegmentGenerator.series`.
    """
    return LateSeries(name, period=period, zone=zone, key=key, step=step, format=format)


def snowflake() -> LateSnowflake:
    """Return an object that mints the snowflakes of the generator that `configure` describes, bound at the first id."""
    return LateSnowflake()
