from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from os import PathLike
from types import TracebackType
from typing import Final, NoReturn, TypeAlias, TypedDict, final

from typing_extensions import Never, Self

__all__ = ["OPTIONS", "BizTag", "SegmentGenerator", "__version__", "schema_sql"]

_Duration: TypeAlias = float | str | timedelta

class _TagStats(TypedDict):
    issued: int
    leased: int
    unused: int
    given_back: int
    supply_seconds: float | None
    step: int
    refills: int
    refill_failures: int
    refill_millis: float | None
    waits: int
    last_error: str | None

class _SegmentStats(TypedDict):
    scope: str
    tags: dict[str, _TagStats]

__version__: Final[str]
OPTIONS: Final[tuple[tuple[str, str, str, str], ...]]

def schema_sql(dialect: str = "mysql") -> str: ...

@final
class SegmentGenerator:
    def __new__(
        cls,
        url: str,
        *,
        timeout: _Duration | None = None,
        connect_timeout: _Duration | None = None,
        user: str | None = None,
        password: str | None = None,
        ssl_mode: str | None = None,
        ssl_ca: str | PathLike[str] | None = None,
        eager: bool | None = None,
        tags: str | Sequence[str] | AbstractSet[str] | None = None,
        max_step: int | None = None,
        max_unused: int | None = None,
        segment_duration: _Duration | None = None,
        outage_budget: _Duration | None = None,
        auto_create: bool | None = None,
        default_step: int | None = None,
        default_start: int | None = None,
        table: str | None = None,
    ) -> Self: ...
    @property
    def scope(self) -> str: ...
    def biz_tag(self, name: str) -> BizTag: ...
    def create_tag(self, tag: str, step: int = 1000, start: int = 1, description: str = "") -> bool: ...
    def init_schema(self) -> None: ...
    def stats(self) -> _SegmentStats: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None = None,
        exception: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...
    def __reduce__(self) -> NoReturn: ...

@final
class BizTag:
    @property
    def name(self) -> str: ...
    def next_id(self, timeout: float | None = None) -> int: ...
    def try_next_id(self) -> int | None: ...
    def next_ids(self, count: int, timeout: float | None = None) -> list[int]: ...
    def next_range(self, count: int, timeout: float | None = None) -> range: ...
    def __iter__(self) -> Iterator[int]: ...
    def __next__(self) -> int: ...
    def __call__(self, *args: Never, **kwargs: Never) -> int: ...
    def __reduce__(self) -> NoReturn: ...
