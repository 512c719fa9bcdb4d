"""Tags and snowflakes that a module names at import, and that the application connects at start.

>>> import leafmint
>>> order_ids = leafmint.tag("order")             # in a module of models, before any URL is known
>>> leafmint.configure("memory://late_binding")   # where the application starts
>>> order_ids.next_id(), order_ids.next_ids(3)
(1, [2, 3, 4])

Without `configure`, the URLs come from the environment variables LEAFMINT_URL and LEAFMINT_SNOWFLAKE_URL.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from ._core import BizTag, SegmentGenerator, SnowflakeGenerator
from .errors import InvalidConfigError

if TYPE_CHECKING:
    from datetime import timedelta

    from numpy import int64
    from numpy.typing import NDArray

    from ._core import DecodedId, Layout

__all__ = [
    "LateSnowflake",
    "LateTag",
    "close",
    "configure",
    "segment_generator",
    "snowflake",
    "snowflake_generator",
    "tag",
]


class EngineUrl(Protocol):
    """A URL object of SQLAlchemy, such as `engine.url`."""

    def render_as_string(self, hide_password: bool = True) -> str:
        """Return the URL as text."""


class _Binding:
    """One configuration, and the generators that were opened from it."""

    def __init__(
        self,
        url: str | EngineUrl | None = None,
        snowflake_url: str | EngineUrl | None = None,
        options: Mapping[str, Any] | None = None,
        snowflake_options: Mapping[str, Any] | None = None,
    ) -> None:
        self.url, self.snowflake_url = url, snowflake_url
        self.options, self.snowflake_options = dict(options or {}), dict(snowflake_options or {})
        self.segments: SegmentGenerator | None = None
        self.snowflakes: SnowflakeGenerator | None = None

    def settings(self) -> tuple[object, ...]:
        """Return what `configure` was given."""
        return self.url, self.snowflake_url, self.options, self.snowflake_options

    def open_segments(self) -> SegmentGenerator:
        """Return the segment generator, and open it at the first call."""
        if self.segments is not None:
            return self.segments
        with _lock:
            if self.segments is None:
                url = self.url or os.environ.get("LEAFMINT_URL") or _missing("segments", "LEAFMINT_URL", "url")
                self.segments = SegmentGenerator(url, **self.options)
            return self.segments

    def open_snowflakes(self) -> SnowflakeGenerator:
        """Return the snowflake generator, and open it at the first call."""
        if self.snowflakes is not None:
            return self.snowflakes
        with _lock:
            if self.snowflakes is None:
                url = (
                    self.snowflake_url
                    or os.environ.get("LEAFMINT_SNOWFLAKE_URL")
                    or self.url
                    or os.environ.get("LEAFMINT_URL")
                    or _missing("snowflakes", "LEAFMINT_SNOWFLAKE_URL", "snowflake_url")
                )
                self.snowflakes = SnowflakeGenerator(url, **self.snowflake_options)
            return self.snowflakes

    def close(self) -> None:
        """Close the generators that were opened."""
        for generator in (self.segments, self.snowflakes):
            if generator is not None:
                generator.close()


_lock = threading.RLock()
_current = _Binding()


def _renew_lock() -> None:
    # The thread that held it exists in the parent only.
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_renew_lock)


def _missing(what: str, variable: str, parameter: str) -> str:
    raise InvalidConfigError(
        f"no URL for {what}: call leafmint.configure({parameter}=...) when the application starts, set the environment"
        f" variable {variable}, or, in Django, the setting LEAFMINT"
    )


def configure(
    url: str | EngineUrl | None = None,
    snowflake_url: str | EngineUrl | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    snowflake_options: Mapping[str, Any] | None = None,
) -> None:
    """Set the URLs and options of late-bound tags and snowflakes. Call it once, when the application starts.

    Nothing is opened yet: the first id opens a generator. A second call with the same settings does nothing; with
    other settings it closes the generators of the first one, and late-bound tags then mint from the new ones.

    Args:
        url: The store, as of `SegmentGenerator`; by default the environment variable LEAFMINT_URL.
        snowflake_url: The holder, as of `SnowflakeGenerator`; by default the environment variable
            LEAFMINT_SNOWFLAKE_URL, or else the store, if it also holds worker ids (a MySQL database).
        options: Options of the segment generator, as in `leafmint.OPTIONS`.
        snowflake_options: Options of the snowflake generator, as in `leafmint.SNOWFLAKE_OPTIONS`.
    """
    _replace(_Binding(url, snowflake_url, options, snowflake_options))


def close() -> None:
    """Close the generators of late-bound tags and snowflakes, and give unused ids back.

    The next use opens them again.
    """
    with _lock:
        again = _Binding(*_current.settings())  # type: ignore[arg-type]
    _replace(again, even_if_equal=True)


def _replace(new: _Binding, even_if_equal: bool = False) -> None:
    global _current
    with _lock:
        if new.settings() == _current.settings() and not even_if_equal:
            return
        old, _current = _current, new
    old.close()


@contextmanager
def override(segments: SegmentGenerator | None = None, snowflakes: SnowflakeGenerator | None = None) -> Iterator[None]:
    """Bind late-bound tags and snowflakes to other generators within a `with` block, for tests.

    It holds for the whole process. The generators are not closed at the end.
    """
    global _current
    with _lock:
        before = _current
        _current = _Binding(*before.settings())  # type: ignore[arg-type]
        _current.segments, _current.snowflakes = segments, snowflakes
    try:
        yield
    finally:
        with _lock:
            _current = before


def segment_generator() -> SegmentGenerator:
    """Return the generator of the late-bound tags, and open it at the first call.

    Raises:
        InvalidConfigError: No URL was configured, or the URL or an option is invalid.
    """
    return _current.open_segments()


def snowflake_generator() -> SnowflakeGenerator:
    """Return the generator of late-bound snowflakes, and open it at the first call.

    Raises:
        InvalidConfigError: No URL was configured, or the URL or an option is invalid.
    """
    return _current.open_snowflakes()


def opened() -> tuple[SegmentGenerator | None, SnowflakeGenerator | None]:
    """Return the generators of late-bound tags and snowflakes if they are open. Opens none."""
    return _current.segments, _current.snowflakes


class LateTag:
    """A tag that is bound to a generator at its first id. Made by `leafmint.tag`.

    It has the methods of `BizTag`. Immutable; compares by name, gene bits and order, and can be pickled and copied.

    Example:
        >>> import leafmint
        >>> leafmint.configure("memory://late_tag")
        >>> leafmint.tag("order").next_range(2)
        range(1, 3)
    """

    __slots__ = ("__weakref__", "_bound", "gene_bits", "name", "order")

    def __init__(self, name: str, gene_bits: int = 0, order: str = "strict") -> None:
        """Name the tag, as in `SegmentGenerator.biz_tag`."""
        self.name, self.gene_bits, self.order = name, gene_bits, order
        self._bound: tuple[_Binding, BizTag] | None = None

    @property
    def biz_tag(self) -> BizTag:
        """The tag of the generator that is configured now. Keep it for hot loops: a direct call is faster."""
        binding, bound = _current, self._bound
        if bound is None or bound[0] is not binding:
            tag = binding.open_segments().biz_tag(self.name, self.gene_bits, self.order)
            self._bound = bound = (binding, tag)
        return bound[1]

    def next_id(self, timeout: float | str | timedelta | None = None, gene: int | None = None) -> int:
        """Return the next id, as `BizTag.next_id` does."""
        return self.biz_tag.next_id(timeout, gene)

    def try_next_id(self) -> int | None:
        """Return the next id, or None if none is in hand."""
        return self.biz_tag.try_next_id()

    def next_ids(self, count: int, timeout: float | str | timedelta | None = None) -> list[int]:
        """Return ids in ascending order, as `BizTag.next_ids` does."""
        return self.biz_tag.next_ids(count, timeout)

    def next_array(self, count: int, timeout: float | str | timedelta | None = None) -> NDArray[int64]:
        """Return ids in ascending order, as `BizTag.next_array` does."""
        return self.biz_tag.next_array(count, timeout)

    def next_range(self, count: int, timeout: float | str | timedelta | None = None) -> range:
        """Return consecutive ids, as `BizTag.next_range` does."""
        return self.biz_tag.next_range(count, timeout)

    def __call__(self) -> int:
        """Return the next id, so that the tag itself can be a default."""
        return self.biz_tag.next_id()

    def _key(self) -> tuple[str, int, str]:
        return self.name, self.gene_bits, self.order

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LateTag) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[type[LateTag], tuple[str, int, str]]:
        return LateTag, self._key()

    def __repr__(self) -> str:
        return f"leafmint.tag({self.name!r}, gene_bits={self.gene_bits}, order={self.order!r})"


class LateSnowflake:
    """Snowflakes of a generator that is bound at the first id. Made by `leafmint.snowflake`.

    It has the methods of `SnowflakeGenerator` that mint and decode. All instances are equal; they can be pickled and
    copied.

    Example:
        >>> import leafmint, tempfile
        >>> leafmint.configure(snowflake_url=f"local://{tempfile.mkdtemp()}")
        >>> leafmint.snowflake().next_id() > 0
        True
    """

    __slots__ = ("__weakref__",)

    @property
    def layout(self) -> Layout:
        """The layout of the ids."""
        return _current.open_snowflakes().layout

    def next_id(self, timeout: float | str | timedelta | None = None, gene: int | None = None) -> int:
        """Return the next id, as `SnowflakeGenerator.next_id` does."""
        return _current.open_snowflakes().next_id(timeout, gene)

    def try_next_id(self) -> int | None:
        """Return the next id, or None if `next_id` would have to wait."""
        return _current.open_snowflakes().try_next_id()

    def next_ids(self, count: int, timeout: float | str | timedelta | None = None) -> list[int]:
        """Return ids in ascending order, as `SnowflakeGenerator.next_ids` does."""
        return _current.open_snowflakes().next_ids(count, timeout)

    def next_array(self, count: int, timeout: float | str | timedelta | None = None) -> NDArray[int64]:
        """Return ids in ascending order, as `SnowflakeGenerator.next_array` does."""
        return _current.open_snowflakes().next_array(count, timeout)

    def decode(self, id: int) -> DecodedId:
        """Return the parts of an id, as `SnowflakeGenerator.decode` does."""
        return _current.open_snowflakes().decode(id)

    def __call__(self) -> int:
        """Return the next id, so that the object itself can be a default."""
        return _current.open_snowflakes().next_id()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LateSnowflake)

    def __hash__(self) -> int:
        return hash(LateSnowflake)

    def __reduce__(self) -> tuple[type[LateSnowflake], tuple[()]]:
        return LateSnowflake, ()

    def __repr__(self) -> str:
        return "leafmint.snowflake()"


def tag(name: str, gene_bits: int = 0, order: str = "strict") -> LateTag:
    """Return a tag that is bound at its first id to the generator that `configure` describes.

    Args:
        name: As in `SegmentGenerator.biz_tag`, which checks it at the first id.
        gene_bits: As in `SegmentGenerator.biz_tag`.
        order: As in `SegmentGenerator.biz_tag`.
    """
    return LateTag(name, gene_bits, order)


def snowflake() -> LateSnowflake:
    """Return an object that mints the snowflakes of the generator that `configure` describes, bound at the first id."""
    return LateSnowflake()
