"""Reads a file of properties as java.util.Properties does, which is how Leaf reads its own."""

import re
from collections.abc import Iterator
from pathlib import Path

from .. import InvalidConfigError

# Only these are white space to Java, and only these ends of lines: str.strip and str.splitlines know more.
WHITE = " \t\f"
END_OF_LINE = re.compile(r"\r\n|\r|\n")
NAME_AND_VALUE = re.compile(r"((?:\\.|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*(.*)", re.DOTALL)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def read_properties(path: Path) -> dict[str, str]:
    """Reads the settings of a Leaf server. Raises `InvalidConfigError` for an escape that Java refuses."""
    # Leaf loads its file as a stream of bytes, which Java takes for ISO 8859-1.
    try:
        return parse(path.read_bytes().decode("iso-8859-1"))
    except ValueError as error:
        raise InvalidConfigError(f"{path}: {error}") from None


def parse(text: str) -> dict[str, str]:
    """Returns the properties of a text; the last of several with one name counts."""
    found = (NAME_AND_VALUE.match(line) for line in logical_lines(text))
    return {unescaped(match[1]): unescaped(match[2]) for match in found if match}


def logical_lines(text: str) -> Iterator[str]:
    """Yields the lines that hold a property, joined where a backslash continues one."""
    begun = None
    for natural in END_OF_LINE.split(text):
        line = natural.lstrip(WHITE)
        if begun is None and (not line or line[0] in "#!"):
            continue
        line = (begun or "") + line
        if (len(line) - len(line.rstrip("\\"))) % 2:
            # A backslash alone begins nothing: a comment may follow.
            begun = line[:-1] or None
        else:
            begun = None
            yield line
    if begun is not None:
        yield begun


def unescaped(text: str) -> str:
    """Replaces the escapes of a name or value; a backslash before any other character is dropped."""
    plain = ESCAPE.sub(character, text)
    # Two escapes may be the halves of one character.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def character(escape: "re.Match[str]") -> str:
    """Returns the character that an escape stands for."""
    if escape[1]:
        return chr(int(escape[1], 16))
    if escape[2] == "u":
        raise ValueError(r"\u without four hexadecimal digits, which Java refuses: write \\u for a backslash")
    return CONTROL.get(escape[2], escape[2])
