"""The coroutines of tags and generators. asyncio is imported when the first of them has to wait."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from types import FunctionType, TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

from ._core import BizTag, SegmentGenerator, Series, SeriesNumber, SnowflakeGenerator, _Call

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy import int64
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Self

_T = TypeVar("_T")

_COROUTINE = 0x80
"""The flag of a coroutine's code: `inspect.CO_COROUTINE`, without the import."""


async def _answer(begun: _T | _Call[_T]) -> _T:
    if isinstance(begun, _Call):
        from ._loops import wait

        return await wait(begun)
    return begun


class _Ids(Protocol):
    """The coroutines of what mints ids."""

    def _begin_id(self, timeout: float | str | timedelta | None, gene: int | None) -> int | _Call[int]: ...
    def _begin_ids(self, count: int, timeout: float | str | timedelta | None) -> list[int] | _Call[list[int]]: ...
    def _begin_array(
        self, count: int, timeout: float | str | timedelta | None
    ) -> NDArray[int64] | _Call[NDArray[int64]]: ...

    async def next_id_async(self, timeout: float | str | timedelta | None = None, gene: int | None = None) -> int:
        """Returns the next id, as `next_id` does. The event loop runs on while it waits.

        Args:
            timeout: As in `next_id`.
            gene: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
        begun = self._begin_id(timeout, gene)
        return begun if isinstance(begun, int) else await _answer(begun)

    async def next_ids_async(self, count: int, timeout: float | str | timedelta | None = None) -> list[int]:
        """Returns ids in ascending order, as `next_ids` does. The event loop runs on while it waits.

        Args:
            count: As in `next_ids`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
        return await _answer(self._begin_ids(count, timeout))

    async def next_array_async(self, count: int, timeout: float | str | timedelta | None = None) -> NDArray[int64]:
        """Returns ids in ascending order as an array, as `next_array` does. The event loop runs on while it waits.

        Args:
            count: As in `next_array`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
        return await _answer(self._begin_array(count, timeout))


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
        self, at: datetime | int, timeout: float | str | timedelta | None = None, gene: int | None = None
    ) -> int:
        """Returns an id for a past moment, as `backfill` does. The event loop runs on while it waits.

        Args:
            at: As in `backfill`.
            timeout: As in `backfill`.
            gene: As in `backfill`.

        Raises:
            LeafmintError: As in `backfill`.
        """
        return await _answer(self._begin_backfill(at, timeout, gene))

    async def backfill_array_async(
        self,
        at: ArrayLike | Iterable[datetime | int],
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
        return await _answer(self._begin_backfill_array(at, timeout, gene))


class _Ranges(Protocol):
    """The coroutine of what mints consecutive ids."""

    def _begin_range(self, count: int, timeout: float | str | timedelta | None) -> range | _Call[range]: ...

    async def next_range_async(self, count: int, timeout: float | str | timedelta | None = None) -> range:
        """Returns consecutive ids as a range, as `next_range` does. The event loop runs on while it waits.

        Args:
            count: As in `next_range`.
            timeout: As in `next_id`.

        Raises:
            LeafmintError: As in `next_id`.
        """
        return await _answer(self._begin_range(count, timeout))


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
        return await _answer(self._begin_next(on, timeout))

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
        return await _answer(self._begin_many(count, on, timeout))


class _Creates(Protocol):
    """The coroutines of what creates tags and tables."""

    def _begin_create_tag(
        self, tag: str, step: int, start: int, description: str, gene_bits: int
    ) -> bool | _Call[bool]: ...
    def _begin_init_schema(self) -> _Call[None] | None: ...

    async def create_tag_async(
        self, tag: str, step: int = 1000, start: int = 1, description: str = "", gene_bits: int = 0
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
        return await _answer(self._begin_create_tag(tag, step, start, description, gene_bits))

    async def init_schema_async(self) -> None:
        """Creates the tables that are missing in the store, as `init_schema` does. The event loop runs on meanwhile.

        Raises:
            LeafmintError: As in `init_schema`.
        """
        await _answer(self._begin_init_schema())


class _Closes(Protocol):
    """The coroutines of what is closed."""

    def _begin_close(self) -> _Call[None] | None: ...

    async def aclose(self) -> None:
        """Closes the generator, as `close` does. The event loop runs on meanwhile.

        The close goes on if the call is cancelled.
        """
        await _answer(self._begin_close())

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
            # A copy for each class, so that tracebacks and warnings name the class.
            method = FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
            method.__kwdefaults__ = function.__kwdefaults__
            method.__doc__, method.__module__ = function.__doc__, kind.__module__
            method.__qualname__ = f"{kind.__name__}.{name}"
            setattr(kind, name, method)


_add_coroutines(BizTag, _Ids, _Ranges)
_add_coroutines(SegmentGenerator, _Creates, _Closes)
_add_coroutines(Series, _Numbers)
_add_coroutines(SnowflakeGenerator, _Ids, _PastIds, _Closes)
