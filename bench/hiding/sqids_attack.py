"""Reads and writes sqids of an unknown alphabet, from numbers and their texts.

The shuffled alphabet is a ring. The first character of a text says where digits are counted from, so that each further
character, with the digit that it has in the number, says how far two characters are apart. Reading needs no more than
these distances, and takes any first character.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

RING = 62
RADIX = RING - 1


@dataclass(frozen=True)
class Learned:
    """What replaces the alphabet: its characters in their order, beginning with any of them."""

    ring: str

    def text(self, number: int) -> str:
        """Writes a number as a text that sqids reads."""
        return self.ring[0] + "".join(self.ring[(-2 - digit) % RING] for digit in _digits(number))

    def number(self, text: str) -> int:
        """Reads a text."""
        start = self.ring.index(text[0])
        number = 0
        for character in text[1:]:
            number = number * RADIX + (start - 2 - self.ring.index(character)) % RING
        return number


def learn(pairs: Mapping[int, str]) -> Learned | None:
    """Learns from numbers and their texts, if they are enough."""
    apart = [
        (text[0], character, digit + 2)
        for number, text in pairs.items()
        for digit, character in zip(_digits(number), text[1:], strict=True)
    ]
    places = _places(apart)
    return Learned("".join(sorted(places, key=places.__getitem__))) if len(places) == RING else None


def _places(apart: Iterable[tuple[str, str, int]]) -> dict[str, int]:
    """Returns the places of characters in the ring, as far as distances connect them with one another."""
    neighbours: dict[str, list[tuple[str, int]]] = {}
    for ahead, behind, distance in apart:
        neighbours.setdefault(ahead, []).append((behind, -distance))
        neighbours.setdefault(behind, []).append((ahead, distance))
    start = next(iter(neighbours))
    places, open_ends = {start: 0}, [start]
    while open_ends:
        here = open_ends.pop()
        for there, distance in neighbours[here]:
            if there not in places:
                places[there] = (places[here] + distance) % RING
                open_ends.append(there)
    return places


def _digits(number: int) -> list[int]:
    digits = [number % RADIX]
    while number := number // RADIX:
        digits.insert(0, number % RADIX)
    return digits
