"""Reads and writes the texts of typed ids where Django takes each ValueError for a wrong text."""

from __future__ import annotations

from ... import InvalidConfigError, LeafmintError
from ..._internal.typed_values import Id


def read_text(kind: type[Id], text: str) -> Id:
    """Return the typed id of a text.

    Raises:
        InvalidIdError: The text is no id of the type.
        LeafmintError: The keys are missing or wrong.
    """
    try:
        return kind.parse(text)
    except InvalidConfigError as error:
        raise LeafmintError(f"an id cannot be read: {error}") from error


def write_text(id: Id) -> str:
    """Return the text of a typed id.

    Raises:
        LeafmintError: The keys are missing or wrong.
    """
    try:
        return str(id)
    except InvalidConfigError as error:
        raise LeafmintError(f"an id cannot be written: {error}") from error


def need_texts(kind: type[Id]) -> None:
    """Find out whether ids of a type have texts, before one is stored.

    Raises:
        LeafmintError: The keys are missing or wrong.
    """
    try:
        kind._text()
    except InvalidConfigError as error:
        raise LeafmintError(f"{kind.__name__} has no texts: {error}") from error
