"""Finds the prime and the random number of an Optimus, from numbers and their texts.

The lowest bits of a text depend on no higher bits of these two, so that they are found bit by bit, from the lowest.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

BITS = 63


def secrets_of(pairs: Mapping[int, int]) -> list[tuple[int, int]]:
    """Returns each prime and random number with which these numbers have these texts."""
    found = [(0, 0)]
    for bit in range(BITS):
        longer = [
            (prime | upper << bit, mask | lower << bit)
            for prime, mask in found
            for upper, lower in product((0, 1), repeat=2)
        ]
        found = [(prime, mask) for prime, mask in longer if prime & 1 and _fits(pairs, prime, mask, 2 << bit)]
    return found


def _fits(pairs: Mapping[int, int], prime: int, mask: int, modulus: int) -> bool:
    return all((number * prime ^ mask ^ text) % modulus == 0 for number, text in pairs.items())
