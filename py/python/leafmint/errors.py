"""One error vocabulary, with the same codes in Rust, Python and Java.

Catch `LeafmintError` for everything, a subclass for one kind, or the builtin that a kind also is. A bug in leafmint itself is a
RuntimeError.
"""

from typing import ClassVar

from ._core import _check_errors, _once


@_once
class LeafmintError(Exception):
    """The base of every error of leafmint: its message says what failed, with which value, and what to do.

    `code` is the same in all languages; `retryable` tells whether the same call may succeed later without anybody
    changing anything.
    """

    code: ClassVar[str] = ""
    retryable: ClassVar[bool] = False


@_once
class InvalidConfigError(LeafmintError, ValueError):
    """A URL, an option or the database it points at cannot be used as it is."""

    code = "invalid_config"


@_once
class InvalidArgumentError(LeafmintError, ValueError):
    """An argument of one call is out of range."""

    code = "invalid_argument"


@_once
class UnknownTagError(LeafmintError, KeyError):
    """The store has no row for the tag."""

    code = "unknown_tag"

    def __str__(self) -> str:
        """Return the message as it is; a KeyError would put it in quotes."""
        return Exception.__str__(self)


@_once
class SegmentUnavailableError(LeafmintError, TimeoutError):
    """No id within the timeout: supply ran out and the store has not answered."""

    code = "segment_unavailable"
    retryable = True


@_once
class StoreUnavailableError(LeafmintError, ConnectionError):
    """The store could not be reached, or refused for now."""

    code = "store_unavailable"
    retryable = True


@_once
class StoreRegressedError(LeafmintError):
    """The store leased a range that lies below one it leased before: a restored backup, or a stale replica."""

    code = "store_regressed"


@_once
class WorkerIdUnavailableError(LeafmintError):
    """No worker id is free."""

    code = "worker_id_unavailable"
    retryable = True


@_once
class LeaseLostError(LeafmintError):
    """The lease of the worker id has ended."""

    code = "lease_lost"
    retryable = True


@_once
class ClockMovedBackwardsError(LeafmintError):
    """The clock stands before a time that was already used."""

    code = "clock_moved_backwards"
    retryable = True


@_once
class IdSpaceExhaustedError(LeafmintError):
    """The numbers or the time bits are used up."""

    code = "id_space_exhausted"


@_once
class RateExceededError(LeafmintError):
    """All ids that the layout has for this tick are used up, and the timeout ends before the next tick."""

    code = "rate_exceeded"
    retryable = True


@_once
class InvalidIdError(LeafmintError, ValueError):
    """The value is not an id of this layout or rule."""

    code = "invalid_id"


@_once
class ClosedError(LeafmintError):
    """The generator was closed, or belongs to the parent of this process."""

    code = "closed"


_check_errors()
