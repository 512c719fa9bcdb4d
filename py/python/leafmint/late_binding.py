"""The process's settings for late-bound tags, snowflakes and typed ids, and what is opened from them.

Without `configure`, the URLs come from the environment variables LEAFMINT_URL and LEAFMINT_SNOWFLAKE_URL, and the keys
of typed ids from LEAFMINT_ID_KEYS, or from the file that LEAFMINT_ID_KEYS_FILE names.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ._core import SegmentGenerator, SnowflakeGenerator, _IdKeys, _once
from .errors import InvalidConfigError

if TYPE_CHECKING:
    from ._core import _Keys, _Optimizer, _Place


_OF_TABLES = ("auto_create", "default_start", "sequence_optimizer", "table")
"""Options that tags with a sequence of their own have no use for."""


class Binding:
    """One configuration, and the generators and keys that were opened from it."""

    def __init__(
        self,
        url: _Place | None = None,
        snowflake_url: _Place | None = None,
        options: Mapping[str, Any] | None = None,
        snowflake_options: Mapping[str, Any] | None = None,
        id_keys: _Keys | None = None,
    ) -> None:
        self.url: _Place | None = url
        self.snowflake_url: _Place | None = snowflake_url
        self.id_keys: _Keys | None = id_keys
        # Options that are no mapping fail, with this frame in the traceback.
        del url, snowflake_url, id_keys
        self.options: dict[str, Any] = dict(options or {})
        self.snowflake_options: dict[str, Any] = dict(snowflake_options or {})
        self.segments: SegmentGenerator | None = None
        self.sequences: dict[tuple[str, str | None], SegmentGenerator] = {}
        self.snowflakes: SnowflakeGenerator | None = None
        self.keys: _IdKeys | None = None
        # A supplier may take long. Neither tags nor new settings must wait for it.
        self._keys_lock = threading.RLock()

    def settings(self) -> tuple[object, ...]:
        """Return what `configure` was given."""
        return self.url, self.snowflake_url, self.options, self.snowflake_options, self.id_keys

    def open_segments(self, sequence: str | None = None, optimizer: _Optimizer | None = None) -> SegmentGenerator:
        """Return the segment generator, or that of tags with a sequence of their own. The first call opens it."""
        if sequence is None:
            if optimizer is not None:
                raise InvalidConfigError("sequence_optimizer has no meaning without sequence")
            if self.segments is not None:
                return self.segments
            with _State.lock:
                if self.segments is None:
                    self.segments = SegmentGenerator(self._segment_url(), **self.options)
                return self.segments
        with _State.lock:
            found = self.sequences.get((sequence, optimizer))
            if found is None:
                options = {name: value for name, value in self.options.items() if name not in _OF_TABLES}
                options |= {"sequence": sequence, "sequence_optimizer": optimizer}
                found = self.sequences[sequence, optimizer] = SegmentGenerator(self._segment_url(), **options)
            return found

    def open_snowflakes(self) -> SnowflakeGenerator:
        """Return the snowflake generator, and open it at the first call."""
        if self.snowflakes is not None:
            return self.snowflakes
        with _State.lock:
            if self.snowflakes is None:
                self.snowflakes = SnowflakeGenerator(self._holder_url(), **self.snowflake_options)
            return self.snowflakes

    def open_keys(self) -> _IdKeys:
        """Return the keys of typed ids, and read them at the first call."""
        if self.keys is not None:
            return self.keys
        with self._keys_lock:
            if self.keys is None:
                self.keys = _IdKeys(_place_of_keys() if self.id_keys is None else self.id_keys)
            return self.keys

    def known_keys(self) -> _IdKeys | None:
        """Return the keys of typed ids, if they have been read."""
        return self.keys

    # No variable has a URL or a key, here and in all modules: reporters of errors show the variables of every frame.

    def _segment_url(self) -> _Place:
        return self.url or os.environ.get("LEAFMINT_URL") or _missing("segments", "LEAFMINT_URL", "url")

    def _holder_url(self) -> _Place:
        return (
            self.snowflake_url
            or os.environ.get("LEAFMINT_SNOWFLAKE_URL")
            or self.url
            or os.environ.get("LEAFMINT_URL")
            or _missing("snowflakes", "LEAFMINT_SNOWFLAKE_URL", "snowflake_url")
        )

    def opened(self) -> dict[str, SegmentGenerator | SnowflakeGenerator]:
        """Return the generators that are open, by the names that meters show."""
        of_sequences = {
            " ".join(filter(None, ["sequence", sequence, optimizer])): generator
            for (sequence, optimizer), generator in [*self.sequences.items()]
        }
        found = {"segments": self.segments, **of_sequences, "snowflakes": self.snowflakes}
        return {name: generator for name, generator in found.items() if generator is not None}

    def close(self) -> None:
        """Close the generators that were opened."""
        for generator in self.opened().values():
            generator.close()


class _Layer(NamedTuple):
    """What a test puts in place of what is configured."""

    segments: SegmentGenerator | None = None
    snowflakes: SnowflakeGenerator | None = None
    keys: _IdKeys | None = None


class _Override(Binding):
    """Generators and keys of a test, in place of those that are configured."""

    def __init__(self, configured: Binding, layer: _Layer) -> None:
        super().__init__(*configured.settings())  # type: ignore[arg-type]
        self.configured = configured
        self.segments, self.snowflakes, self.keys = layer

    def open_segments(self, sequence: str | None = None, optimizer: _Optimizer | None = None) -> SegmentGenerator:
        return self.configured.open_segments(sequence, optimizer) if self.segments is None else self.segments

    def open_snowflakes(self) -> SnowflakeGenerator:
        return self.configured.open_snowflakes() if self.snowflakes is None else self.snowflakes

    def open_keys(self) -> _IdKeys:
        return self.configured.open_keys() if self.keys is None else self.keys

    def known_keys(self) -> _IdKeys | None:
        return self.configured.known_keys() if self.keys is None else self.keys

    def opened(self) -> dict[str, SegmentGenerator | SnowflakeGenerator]:
        return self.configured.opened() | super().opened()


@_once
class _State:
    """What is configured and overridden. There is one, also if leafmint is imported again."""

    lock = threading.RLock()
    configured = Binding()
    overrides: ClassVar[list[_Layer]] = []
    current = configured
    """What late-bound objects are opened from: what is configured, or an override of it."""


def _renew_locks() -> None:
    # The threads that held them exist in the parent only.
    _State.lock = threading.RLock()
    _State.configured._keys_lock = threading.RLock()


os.register_at_fork(after_in_child=_renew_locks)


def _missing(what: str, variable: str, parameter: str) -> str:
    raise InvalidConfigError(
        f"no database for {what}: call leafmint.configure(engine) with an engine of SQLAlchemy, or"
        f" leafmint.configure({parameter}=...), when the application starts, set the environment variable {variable},"
        " or, in Django, the setting LEAFMINT, with 'leafmint.django' in INSTALLED_APPS"
    )


def _place_of_keys() -> str:
    if os.environ.get("LEAFMINT_ID_KEYS"):
        return "env:LEAFMINT_ID_KEYS"
    if file := os.environ.get("LEAFMINT_ID_KEYS_FILE"):
        return f"file:{file}"
    raise InvalidConfigError(
        "no keys for public ids: call leafmint.configure(id_keys=...) when the application starts, or set the"
        " environment variable LEAFMINT_ID_KEYS, or LEAFMINT_ID_KEYS_FILE to the path of a file"
    )


def configure(
    url: _Place | None = None,
    *,
    snowflake_url: _Place | None = None,
    options: Mapping[str, Any] | None = None,
    snowflake_options: Mapping[str, Any] | None = None,
    id_keys: _Keys | None = None,
) -> None:
    """Set what late-bound tags, snowflakes and typed ids use. Call it once, when the application starts.

    Nothing is opened yet: the first id opens a generator, and the first text of a typed id reads the keys. A second
    call with the same settings does nothing; with other settings it closes the generators of the first one, and
    late-bound objects then use the new ones.

    Args:
        url: The store, as of `SegmentGenerator`: a URL, or the application's engine of SQLAlchemy; by default the
            environment variable LEAFMINT_URL.
        snowflake_url: The holder, as of `SnowflakeGenerator`; by default the environment variable
            LEAFMINT_SNOWFLAKE_URL, or else the store, if it also holds worker ids (a MySQL database).
        options: Options of the segment generator, as in `leafmint.SEGMENT_OPTIONS`.
        snowflake_options: Options of the snowflake generator, as in `leafmint.SNOWFLAKE_OPTIONS`.
        id_keys: The keys of typed ids, as of `PublicIds`; by default those in the environment variable
            LEAFMINT_ID_KEYS, or in the file that LEAFMINT_ID_KEYS_FILE names. A callable is called at the first
            text, and again at the next one if it failed.
    """
    try:
        new = Binding(url, snowflake_url, options, snowflake_options, id_keys)
    finally:
        # This, or closing what was open, may fail with this frame in the traceback.
        del url, snowflake_url, options, snowflake_options, id_keys
    _replace(new)


def close() -> None:
    """Close the generators of late-bound tags and snowflakes, and give unused ids back.

    The next use opens them again.
    """
    _take().close()


async def aclose() -> None:
    """Close the generators as `close` does, without blocking the event loop."""
    for generator in _take().opened().values():
        await generator.aclose()


def _take() -> Binding:
    """Begin again with the same settings. Returns the old binding, which the caller closes."""
    with _State.lock:
        old = _State.configured
        _State.configured = Binding(*old.settings())  # type: ignore[arg-type]
        _bind()
    return old


def _replace(new: Binding, even_if_equal: bool = False) -> None:
    with _State.lock:
        if new.settings() == _State.configured.settings() and not even_if_equal:
            return
        old, _State.configured = _State.configured, new
        _bind()
    old.close()


def _bind() -> None:
    """Let late-bound objects look up their generators and keys again. The caller has the lock."""
    layer = _Layer()
    for above in _State.overrides:
        keys = above.keys or layer.keys
        layer = _Layer(above.segments or layer.segments, above.snowflakes or layer.snowflakes, keys)
    configured = _State.configured
    _State.current = _Override(configured, layer) if _State.overrides else configured


@contextmanager
def override(
    segments: SegmentGenerator | None = None,
    *,
    snowflakes: SnowflakeGenerator | None = None,
    keys: _IdKeys | None = None,
) -> Iterator[None]:
    """Bind late-bound objects to other generators and keys within a `with` block, for tests.

    It holds for the whole process, also if the application calls `configure` or `close` within the block, which then
    do what they do for later. The generators are not closed at the end.
    """
    layer = _Layer(segments, snowflakes, keys)
    with _State.lock:
        _State.overrides.append(layer)
        _bind()
    try:
        yield
    finally:
        with _State.lock:
            # `remove` would take the first of equal ones, and so change which of the others is uppermost.
            _State.overrides[:] = [other for other in _State.overrides if other is not layer]
            _bind()


def current() -> Binding:
    """Return the binding that holds now. It is another object after each change of the settings."""
    return _State.current


def segment_generator() -> SegmentGenerator:
    """Return the generator of the late-bound tags, and open it at the first call.

    Raises:
        InvalidConfigError: No URL was configured, or the URL or an option is invalid.
    """
    return _State.current.open_segments()


def snowflake_generator() -> SnowflakeGenerator:
    """Return the generator of late-bound snowflakes, and open it at the first call.

    Raises:
        InvalidConfigError: No URL was configured, or the URL or an option is invalid.
    """
    return _State.current.open_snowflakes()


def opened() -> dict[str, SegmentGenerator | SnowflakeGenerator]:
    """Return the generators of late-bound tags and snowflakes that are open, by the names that meters show."""
    return _State.current.opened()
