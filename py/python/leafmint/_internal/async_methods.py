"""The coroutines of tags and generators. asyncio is imported when the first of them has to wait."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from types import FunctionType, TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

from .._core import (
    SegmentGenerator,
    Series,
    SeriesNumber,
    SnowflakeGenerator,
    Tag,
    _Call,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy import int64
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Self

    from ..records import GaplessInfo, SegmentCheck, SeriesInfo, SnowflakeCheck, TagInfo, WorkerInfo

_T = TypeVar("_T")

_COROUTINE = 0x80
"""The flag of a coroutine's code: `inspect.CO_COROUTINE`, without the import."""


async def answer(begun: _T | _Call[_T]) -> _T:
    """Return the answer of what was begun, which may have it already."""
    if isinstance(begun, _Call):
        from .asyncio_waits import wait

        return await wait(begun)
    return begun


class _Ids(Protocol):
    """The coroutines of what mints ids."""

    def _begin_id(self, timeout: float | str | timedelta | None, gene: int | None) -> int | _Call[int]: ...
    def _begin_ids(self, count: int, timeout: float | str | timedelta | None) -> list[int] | _Call[list[int]]: ...
    def _begin_array(
        self, count: int, timeout: float | str | timedelta | None
    ) -> NDArray[int64] | _Call[NDArray[int64]]: ...

    async def next_id_async(self, *, timeout: float | str | timedelta | None = None, gene: int | None = None) -> int:
        """Returns the next id, as `next_id` does. The event loop runs on while it waits.

        Args:
            timeout: As in `next_id`.
            gene: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
        begun = self._begin_id(timeout, gene)
        return begun if isinstance(begun, int) else await answer(begun)

    async def next_ids_async(self, count: int, *, timeout: float | str | timedelta | None = None) -> list[int]:
        """Returns ids in ascending order, as `next_ids` does. The event loop runs on while it waits.

        Args:
            count: As in `next_ids`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
        return await answer(self._begin_ids(count, timeout))

    async def next_array_async(self, count: int, *, timeout: float | str | timedelta | None = None) -> NDArray[int64]:
        """Returns ids in ascending order as an array, as `next_array` does. The event loop runs on while it waits.

        Args:
            count: As in `next_array`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
        return await answer(self._begin_array(count, timeout))


class _PastIds(Protocol):
    """The coroutines of what fills past moments in."""

    def _begin_backfill(
        self, at: datetime | int, timeout: float | str | timedelta | None, gene: int | None
    ) -> int | _Call[int]: ...
    def _begin_backfill_array(
        self,
        at: ArrayLike | Iterable[datetime | int],
        timeout: float | str | timedelta | None,
        gene: int | None,
    ) -> NDArray[int64] | _Call[NDArray[int64]]: ...

    async def backfill_async(
        self, at: datetime | int, *, timeout: float | str | timedelta | None = None, gene: int | None = None
    ) -> int:
        """Returns an id for a past moment, as `backfill` does. The event loop runs on while it waits.

        Args:
            at: As in `backfill`.
            timeout: As in `backfill`.
            gene: As in `backfill`.

        Raises:
            LeafmintError: As in `backfill`.
        """
        return await answer(self._begin_backfill(at, timeout, gene))

    async def backfill_array_async(
        self,
        at: ArrayLike | Iterable[datetime | int],
        *,
        timeout: float | str | timedelta | None = None,
        gene: int | None = None,
    ) -> NDArray[int64]:
        """Returns ids for many past moments, as `backfill_array` does. The event loop runs on while it waits.

        Args:
            at: As in `backfill_array`.
            timeout: As in `backfill_array`.
            gene: As in `backfill_array`.

        Raises:
            LeafmintError: As in `backfill`.
        """
        return await answer(self._begin_backfill_array(at, timeout, gene))


class _Ranges(Protocol):
    """The coroutine of what mints consecutive ids."""

    def _begin_range(self, count: int, timeout: float | str | timedelta | None) -> range | _Call[range]: ...

    async def next_range_async(self, count: int, *, timeout: float | str | timedelta | None = None) -> range:
        """Returns consecutive ids as a range, as `next_range` does. The event loop runs on while it waits.

        Args:
            count: As in `next_range`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
        return await answer(self._begin_range(count, timeout))


class _Numbers(Protocol):
    """The coroutines of series."""

    def _begin_next(
        self, on: date | None, timeout: float | str | timedelta | None
    ) -> SeriesNumber | _Call[SeriesNumber]: ...
    def _begin_many(
        self, count: int, on: date | None, timeout: float | str | timedelta | None
    ) -> list[SeriesNumber] | _Call[list[SeriesNumber]]: ...

    async def next_async(
        self, *, on: date | None = None, timeout: float | str | timedelta | None = None
    ) -> SeriesNumber:
        """Returns the next number, as `next` does. The event loop runs on while it waits.

        Args:
            on: As in `next`.
            timeout: As in `next`.

        Raises:
            LeafmintError: As in `next`.
        """
        return await answer(self._begin_next(on, timeout))

    async def next_many_async(
        self, count: int, *, on: date | None = None, timeout: float | str | timedelta | None = None
    ) -> list[SeriesNumber]:
        """Returns numbers of one period, as `next_many` does. The event loop runs on while it waits.

        Args:
            count: As in `next_many`.
            on: As in `next`.
            timeout: As in `next`.

        Raises:
            LeafmintError: As in `next`.
        """
        return await answer(self._begin_many(count, on, timeout))


class _Tags(Protocol):
    """The coroutines that list and change the tags and the tables of a store."""

    def _begin_create_tag(
        self, tag: str, step: int, start: int, description: str, gene_bits: int
    ) -> bool | _Call[bool]: ...
    def _begin_list_tags(self) -> list[TagInfo] | _Call[list[TagInfo]]: ...
    def _begin_list_series(self) -> list[SeriesInfo] | _Call[list[SeriesInfo]]: ...
    def _begin_list_gapless(self) -> list[GaplessInfo] | _Call[list[GaplessInfo]]: ...
    def _begin_set_tag(self, tag: str, step: int | None, description: str | None) -> _Call[None] | None: ...
    def _begin_raise_tag_above(self, tag: str, id: int) -> int | _Call[int]: ...
    def _begin_check(self) -> SegmentCheck | _Call[SegmentCheck]: ...
    def _begin_init_schema(self) -> _Call[None] | None: ...

    async def create_tag_async(
        self, tag: str, *, step: int = 1000, start: int = 1, description: str = "", gene_bits: int = 0
    ) -> bool:
        """Inserts a tag into the store, as `create_tag` does. The event loop runs on meanwhile.

        Args:
            tag: As in `create_tag`.
            step: As in `create_tag`.
            start: As in `create_tag`.
            description: As in `create_tag`.
            gene_bits: As in `create_tag`.

        Raises:
            LeafmintError: As in `create_tag`.
        """
        return await answer(self._begin_create_tag(tag, step, start, description, gene_bits))

    async def list_tags_async(self) -> list[TagInfo]:
        """Lists the tags of the store, as `list_tags` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `list_tags`.
        """
        return await answer(self._begin_list_tags())

    async def list_series_async(self) -> list[SeriesInfo]:
        """Lists the series of the store, as `list_series` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `list_series`.
        """
        return await answer(self._begin_list_series())

    async def list_gapless_async(self) -> list[GaplessInfo]:
        """Lists the sequences without gaps, as `list_gapless` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `list_gapless`.
        """
        return await answer(self._begin_list_gapless())

    async def set_tag_async(self, tag: str, *, step: int | None = None, description: str | None = None) -> None:
        """Changes the step or the description of a tag, as `set_tag` does. The event loop runs on meanwhile.

        Args:
            tag: As in `set_tag`.
            step: As in `set_tag`.
            description: As in `set_tag`.

        Raises:
            LeafmintError: As in `set_tag`.
        """
        await answer(self._begin_set_tag(tag, step, description))

    async def raise_tag_above_async(self, tag: str, id: int) -> int:
        """Raises a tag above an id, as `raise_tag_above` does. The event loop runs on meanwhile.

        Args:
            tag: As in `raise_tag_above`.
            id: As in `raise_tag_above`.

        Raises:
            LeafmintError: As in `raise_tag_above`.
        """
        return await answer(self._begin_raise_tag_above(tag, id))

    async def check_async(self) -> SegmentCheck:
        """Checks the store, as `check` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `check`.
        """
        return await answer(self._begin_check())

    async def init_schema_async(self) -> None:
        """Creates the tables that are missing in the store, as `init_schema` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `init_schema`.
        """
        await answer(self._begin_init_schema())


class _Workers(Protocol):
    """The coroutines that list, check and free the worker ids of a holder."""

    def _begin_list_workers(self) -> list[WorkerInfo] | _Call[list[WorkerInfo]]: ...
    def _begin_release_worker(self, worker_id: int, force: bool) -> bool | _Call[bool]: ...
    def _begin_check(self) -> SnowflakeCheck | _Call[SnowflakeCheck]: ...

    async def list_workers_async(self) -> list[WorkerInfo]:
        """Lists the worker ids that were taken, as `list_workers` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `list_workers`.
        """
        return await answer(self._begin_list_workers())

    async def release_worker_async(self, worker_id: int, *, force: bool = False) -> bool:
        """Frees a worker id whose owner is gone, as `release_worker` does. The event loop runs on meanwhile.

        Args:
            worker_id: As in `release_worker`.
            force: As in `release_worker`.

        Raises:
            LeafmintError: As in `release_worker`.
        """
        return await answer(self._begin_release_worker(worker_id, force))

    async def check_async(self) -> SnowflakeCheck:
        """Checks the holder, as `check` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `check`.
        """
        return await answer(self._begin_check())


class _Closes(Protocol):
    """The coroutines of what is closed."""

    def _begin_close(self) -> _Call[None] | None: ...

    async def aclose(self) -> None:
        """Closes the generator, as `close` does. The event loop runs on meanwhile.

        The close goes on if the call is cancelled.
        """
        await answer(self._begin_close())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exception_type: type[BaseException] | None = None,
        exception: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None:
        await self.aclose()


def _add_coroutines(kind: type, *sources: type) -> None:
    """Make the coroutines of classes methods of a compiled class, unless an earlier import did."""
    for name, function in (item for source in sources for item in vars(source).items()):
        if isinstance(function, FunctionType) and function.__code__.co_flags & _COROUTINE and name not in vars(kind):
            # A copy for each class: tracebacks and warnings name the class, not an internal base.
            method = FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
            method.__kwdefaults__ = function.__kwdefaults__
            method.__doc__, method.__module__ = function.__doc__, kind.__module__
            method.__qualname__ = f"{kind.__name__}.{name}"
            setattr(kind, name, method)


_add_coroutines(Tag, _Ids, _Ranges)
_add_coroutines(SegmentGenerator, _Tags, _Closes)
_add_coroutines(Series, _Numbers)
_add_coroutines(SnowflakeGenerator, _Ids, _PastIds, _Workers, _Closes)
