"""The exceptions of leafmint, with the same codes in Rust, Python and Java.

Catch `LeafmintError` for all of them, a subclass for one kind, or the builtin exception that the kind also extends.
A bug in leafmint raises RuntimeError.

>>> import leafmint
>>> try:
...     leafmint.Layout("leaf").decode(-1)
... except leafmint.LeafmintError as error:
...     error.code, error.retryable
('invalid_id', False)
"""

from typing import ClassVar

from ._core import _check_errors, _once


@_once
class LeafmintError(Exception):
    """Base class of all leafmint exceptions. The message says what failed, with which value, and what to do.

    Attributes:
        code: The error code, the same in all languages.
        retryable: Whether the same call may succeed later, although nothing is corrected.
        reason: Why it failed, for example `"missing_table"`, if that is one of the reasons that programs ask for.
        server_code: The server's own error: the number of MySQL, MariaDB or ZooKeeper, or SQLite's extended result
            code; the SQLSTATE of PostgreSQL, as text.
        options: The names of the options whose values are wrong.

    `__cause__` is the leafmint error or the OSError behind this one; of a number without gaps, that of the database's
    driver.
    """

    code: ClassVar[str] = ""
    retryable: ClassVar[bool] = False
    reason: str | None = None
    server_code: int | str | None = None
    options: tuple[str, ...] = ()


@_once
class InvalidConfigError(LeafmintError, ValueError):
    """The URL, an option, the account or the table cannot be used."""

    code = "invalid_config"


@_once
class InvalidArgumentError(LeafmintError, ValueError):
    """An argument of a call is out of range."""

    code = "invalid_argument"


@_once
class UnknownTagError(LeafmintError, KeyError):
    """The store has no row for the tag."""

    code = "unknown_tag"

    def __str__(self) -> str:
        """Returns the message; a KeyError would put it in quotes."""
        return Exception.__str__(self)


@_once
class SegmentUnavailableError(LeafmintError, TimeoutError):
    """No id of the tag became available within the timeout. The message has the last error of the store."""

    code = "segment_unavailable"
    retryable = True


@_once
class StoreUnavailableError(LeafmintError, ConnectionError):
    """The store or the holder of worker ids cannot be reached."""

    code = "store_unavailable"
    retryable = True


@_once
class StoreRegressedError(LeafmintError):
    """The store leased a range below an earlier one: it is a restored backup or a stale replica."""

    code = "store_regressed"


@_once
class WorkerIdUnavailableError(LeafmintError):
    """No worker id became free within the timeout."""

    code = "worker_id_unavailable"
    retryable = True


@_once
class LeaseLostError(LeafmintError):
    """The lease of the worker id was taken over, or could not be renewed. The generator takes another one."""

    code = "lease_lost"
    retryable = True


@_once
class ClockMovedBackwardsError(LeafmintError):
    """The clock is behind the ids, or off the database's at the start, by more than the options allow."""

    code = "clock_moved_backwards"
    retryable = True


@_once
class IdSpaceExhaustedError(LeafmintError):
    """The numbers of the tag, the timestamp bits of the layout or the digits of the format are used up."""

    code = "id_space_exhausted"


@_once
class RateExceededError(LeafmintError):
    """The ids of this tick are used up, and the timeout ends before the next tick."""

    code = "rate_exceeded"
    retryable = True


@_once
class InvalidIdError(LeafmintError, ValueError):
    """The value is not an id of this layout, or not a number of this rule or format."""

    code = "invalid_id"


@_once
class ClosedError(LeafmintError):
    """The generator is closed. In a forked child: the parent began this call before the fork; call again."""

    code = "closed"


_check_errors()
