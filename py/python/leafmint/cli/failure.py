"""Exit codes and names of failures."""

from __future__ import annotations

from .. import InvalidArgumentError, InvalidConfigError, InvalidIdError, LeafmintError, UnknownTagError

FINDINGS = UNAVAILABLE = 1
"""There is something to fix, or it could not be read; or the store or the holder cannot serve."""
USAGE = 2
"""Wrong configuration or usage."""


class Refusal(Exception):
    """What the command does not do without another option. Nothing was changed."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


WRONG = (InvalidArgumentError, InvalidConfigError, InvalidIdError, UnknownTagError)
"""Errors that another command line or another configuration would avoid."""


def exit_code(error: Exception) -> int:
    """Returns the exit code for an error."""
    return USAGE if isinstance(error, WRONG) else UNAVAILABLE


def code_of(error: Exception) -> str:
    """Returns the code of an error, which is the same in all languages."""
    return error.code if isinstance(error, (LeafmintError, Refusal)) else "failed"
