"""Libraries that hide ids, as docs/comparison.md compares them, each with a secret that a seed gives."""

from __future__ import annotations

import random
import string
import uuid

import leafmint
import uuid_utils
from hashids import Hashids
from optimus_ids import Optimus
from sqids import Sqids

CHARACTERS = string.ascii_letters + string.digits


def sqids(seed: int = 0) -> Sqids:
    """Makes sqids with an alphabet of its own."""
    return Sqids("".join(random.Random(seed).sample(CHARACTERS, len(CHARACTERS))))


def hashids(seed: int = 0, length: int = 32) -> Hashids:
    """Makes hashids with a salt of this length."""
    return Hashids("".join(random.Random(seed).choices(CHARACTERS, k=length)))


def optimus(seed: int = 0) -> Optimus:
    """Makes an Optimus of 63 bits. That its odd number be a prime is not needed."""
    draw = random.Random(seed)
    return Optimus(draw.getrandbits(63) | 1, random=draw.getrandbits(63))


def public_ids(name: str, *numbers: int) -> leafmint.PublicIds:
    """Makes public ids with the keys of these numbers."""
    return leafmint.PublicIds(name, [_key(number) for number in numbers])


def scrambled(name: str, form: str = "{number:8}{check:damm}") -> leafmint.ScrambledNumbers:
    """Makes scrambled numbers, of 8 digits and a check digit by default."""
    return leafmint.ScrambledNumbers(name, [_key(0)], format=form)


def _key(number: int) -> str:
    return f"lmk{number}_{random.Random(number).randbytes(32).hex()}"


def uuid7(second: int) -> uuid.UUID:
    """Makes a UUIDv7 of this second since 1970."""
    return uuid.UUID(str(uuid_utils.uuid7(nanoseconds=second * 10**9)))
