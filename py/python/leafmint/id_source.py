"""The type of a source of ids, for annotations."""

from collections.abc import Coroutine
from typing import Any, Protocol

from ._core import _once


@_once
class IdSource(Protocol):
    """A source of ids: the type of a `Tag`, of a `SnowflakeGenerator`, and of a fake of your own.

    Annotate the parameters and attributes of your code with it. Your tests may then pass anything that has these
    methods, and a type checker accepts it.

    Example:
        >>> import leafmint
        >>> def open_order(ids: leafmint.IdSource) -> dict[str, int]:
        ...     return {"id": ids.next_id()}
        >>> with leafmint.SegmentGenerator("memory://id-source") as generator:
        ...     open_order(generator.tag("order"))
        {'id': 1}
    """

    def next_id(self) -> int:
        """Return the next id, and wait for one if there is none."""
        ...

    def try_next_id(self) -> int | None:
        """Return the next id, or None if `next_id` would have to wait."""
        ...

    def next_ids(self, count: int) -> list[int]:
        """Return ids in ascending order."""
        ...

    def next_id_async(self) -> Coroutine[Any, Any, int]:
        """Return a coroutine of the next id. A fake may be an `async def` that returns an int."""
        ...
