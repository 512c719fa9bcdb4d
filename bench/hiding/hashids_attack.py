"""Reads and writes hashids without their salt, from numbers and their texts.

The first character of a text depends only on the last two digits of its number, so that texts show the shuffled
alphabet. hashids then shuffles it again for each text, by swaps from its end, which depend on the first character and
the salt. Between two first characters, a swap differs by the distance of these characters, whatever the salt is. So
it is enough to see each swap once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

SIZE = 44
"""Characters of the default alphabet, without separators and guards."""


@dataclass(frozen=True)
class Learned:
    """What replaces the salt: the alphabet, and the swaps from its end, less the first character of a text."""

    alphabet: str
    swaps: tuple[int, ...]

    def text(self, number: int) -> str:
        """Writes a number as hashids does."""
        first = self.alphabet[number % 100 % SIZE]
        digits = self.digits(first)
        return first + "".join(digits[digit] for digit in _digits(number))

    def number(self, text: str) -> int:
        """Reads a text."""
        digits = self.digits(text[0])
        number = 0
        for character in text[1:]:
            number = number * SIZE + digits.index(character)
        return number

    def digits(self, first: str) -> str:
        """Returns the digits of texts with this first character; the upper ones, while not all swaps are known."""
        digits = list(self.alphabet)
        for last, swap in zip(range(SIZE - 1, 0, -1), self.swaps, strict=False):
            other = (swap + _share(first, last)) % last
            digits[last], digits[other] = digits[other], digits[last]
        return "".join(digits)


def learn(pairs: Mapping[int, str]) -> Learned | None:
    """Learns from numbers and their texts, if they are enough."""
    firsts = {number % 100 % SIZE: text[0] for number, text in pairs.items()}
    if len(firsts) < SIZE:
        return None
    seen = {digit: (text[0], character) for number, text in pairs.items() for digit, character in _seen(number, text)}
    known = Learned("".join(firsts[place] for place in range(SIZE)), ())
    for last in range(SIZE - 1, 0, -1):
        if last not in seen:
            return None
        first, character = seen[last]
        swap = (known.digits(first).index(character) - _share(first, last)) % last
        known = Learned(known.alphabet, (*known.swaps, swap))
    return known


def _share(first: str, last: int) -> int:
    """Returns what the first character adds to a swap; it comes before the salt, so it alone makes the first swap."""
    return ord(first) * (2 if last == SIZE - 1 else 1)


def _seen(number: int, text: str) -> Iterator[tuple[int, str]]:
    return zip(_digits(number), text[1:], strict=True)


def _digits(number: int) -> list[int]:
    digits = [number % SIZE]
    while number := number // SIZE:
        digits.insert(0, number % SIZE)
    return digits
