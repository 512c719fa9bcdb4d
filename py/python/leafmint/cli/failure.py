"""Exit codes and names of failures."""

from __future__ import annotations

from .. import InvalidArgumentError, InvalidConfigError, InvalidIdError, LeafmintError, UnknownTagError

UNAVAILABLE = 1
"""The store or the holder cannot serve."""
USAGE = 2
"""Wrong configuration or usage."""

WRONG = (InvalidArgumentError, InvalidConfigError, InvalidIdError, UnknownTagError)
"""Errors that another command line or another configuration would avoid."""


def exit_code(error: Exception) -> int:
    """Returns the exit code for an error."""
    return USAGE if isinstance(error, WRONG) else UNAVAILABLE


def code_of(error: Exception) -> str:
    """Returns the code of an error, which is the same in all languages."""
    return error.code if isinstance(error, LeafmintError) else "failed"
