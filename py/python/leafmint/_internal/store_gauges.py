"""What the holders of worker ids and an audit say, as gauges: read in the background, so that no scrape waits."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Generic, TypeVar

from .._core import SnowflakeGenerator
from ..errors import ClosedError, InvalidConfigError, LeafmintError
from ..records import AuditReport, KeyUse, SnowflakeCheck
from .in_background import InBackground
from .meters import Meter, OfKey, OfRead, Sources
from .status_reader import AUDIT_AGE

T = TypeVar("T")

HOLDER, KEYS = "holder", "keys"
"""The parts of the status document that the gauges show."""

_logger = logging.getLogger("leafmint")


class StoreGauges:
    """Reads the holder of each generator of snowflakes, and an audit, while scrapes ask for them."""

    def __init__(
        self,
        sources: Sources,
        store_every: timedelta | None,
        audit: Callable[[], AuditReport] | None,
        most_keys: int,
    ) -> None:
        """Takes how often a holder is read, what audits a database, and how many of its keys are shown."""
        if store_every is not None and not (isinstance(store_every, timedelta) and store_every > timedelta(0)):
            raise InvalidConfigError(f"store_every={store_every!r} is not a positive timedelta")
        self._sources = sources
        self._every = None if store_every is None else store_every.total_seconds()
        self._most_keys = most_keys
        self._holders: weakref.WeakKeyDictionary[SnowflakeGenerator, InBackground[SnowflakeCheck | None]] = (
            weakref.WeakKeyDictionary()
        )
        self._audit = (
            None if audit is None else InBackground("leafmint-audit", _Attempts(KEYS, audit).read, AUDIT_AGE, AUDIT_AGE)
        )

    def read(self, *meters: Meter) -> Iterator[tuple[Meter, tuple[str, ...], float]]:
        """Yields the present values of these meters, each with the values of its labels."""
        wanted = {meter.of for meter in meters}
        if wanted.isdisjoint(("holder", "key", "read")):
            return
        holders, report = self._read_holders(), (None, 0.0) if self._audit is None else self._audit.last_good()
        groups: list[tuple[str, tuple[str, ...], list[Any]]] = [
            ("holder", (name,), [found]) for name, found, _ in holders if found is not None
        ]
        groups += [("key", key, [OfKey(ratio)]) for key, ratio in self._fullest(report[0])]
        ages = {HOLDER: [age for _, _, age in holders], KEYS: [] if self._audit is None else [report[1]]}
        groups += [("read", (part,), [OfRead(timedelta(seconds=age)) for age in of]) for part, of in ages.items()]
        yield from (
            (meter, labels, value)
            for of, labels, figures in groups
            for meter in meters
            if meter.of == of and (value := meter.value(figures)) is not None
        )

    def _read_holders(self) -> list[tuple[str, SnowflakeCheck | None, float]]:
        """Returns what is known of each holder, and for how many seconds; nothing of a closed generator."""
        if self._every is None:
            return []
        flakes = [(name, each) for name, each in self._sources.present() if isinstance(each, SnowflakeGenerator)]
        return [(name, *self._holder_of(each, self._every).last_good()) for name, each in flakes]

    def _holder_of(self, flakes: SnowflakeGenerator, every: float) -> InBackground[SnowflakeCheck | None]:
        found = self._holders.get(flakes)
        if found is None:
            check = _Attempts(HOLDER, _check_of(weakref.ref(flakes)))
            found = self._holders.setdefault(flakes, InBackground("leafmint-holder", check.read, every, every))
        return found

    def _fullest(self, report: AuditReport | None) -> list[tuple[tuple[str, str], float]]:
        ratios = {(key.column, key.table): _used_ratio(key) for key in (report.keys if report else ())}
        return sorted(ratios.items(), key=lambda each: -each[1])[: self._most_keys]


class _Attempts(Generic[T]):
    """Reads, and logs the first failure of several in a row."""

    def __init__(self, part: str, read: Callable[[], T]) -> None:
        self._part, self._read, self._fails = part, read, False

    def read(self) -> T:
        try:
            found = self._read()
        except Exception as error:
            if not self._fails:
                # Only the type of what is not leafmint's: its text may have a password.
                text = error if isinstance(error, LeafmintError) else type(error).__name__
                _logger.warning("the gauges of the part %s could not be read: %s", self._part, text)
            self._fails = True
            raise
        self._fails = False
        return found


def _check_of(reference: weakref.ref[SnowflakeGenerator]) -> Callable[[], SnowflakeCheck | None]:
    def check() -> SnowflakeCheck | None:
        flakes = reference()
        try:
            return None if flakes is None else flakes.check()
        except ClosedError:
            return None
        finally:
            # A failure is kept with this frame, and must not keep the generator.
            del flakes

    return check


def _used_ratio(key: KeyUse) -> float:
    return min(max(key.used / max(key.largest, 1), 0.0), 1.0)
