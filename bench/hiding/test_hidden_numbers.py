"""What docs/comparison.md says that texts show, and how the secrets of other libraries are found.

Attacks have what a stranger has: texts, and for some of them the number. All secrets come from seeds.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from itertools import pairwise

import hashids_attack
import optimus_attack
import pytest
import python_uuidv47
import sqids_attack
from hiding_libraries import hashids, optimus, public_ids, scrambled, sqids, uuid7
from sqids import Sqids
from typeid import TypeID

SECOND = 1_764_000_000
SNOWFLAKE = 2_124_282_942_359_339_095
UNSEEN = [*range(1000), *range(99_000_000, 99_001_000), SNOWFLAKE, 2**63 - 1]

SQIDS = sqids()
TEXTS: dict[str, Callable[[int], str]] = {
    "sqids": lambda number: SQIDS.encode([number]),
    "hashids": hashids().encode,
    "leafmint": public_ids("order", 0).encode,
}


def first_number(seed: int) -> int:
    """Returns a number of 8 digits."""
    return random.Random(seed).randrange(10_000_000, 100_000_000)


def test_anyone_reads_sqids_of_the_default_alphabet() -> None:
    assert Sqids().decode(Sqids().encode([SNOWFLAKE])) == [SNOWFLAKE]


@pytest.mark.parametrize(("library", "length"), [("sqids", 12), ("hashids", 13)])
def test_a_text_of_sqids_or_hashids_shows_by_its_length_how_large_the_number_is(library: str, length: int) -> None:
    assert [len(TEXTS[library](number)) for number in (1, 100, 98_765_432, SNOWFLAKE)] == [2, 3, 6, length]


def test_hashids_show_which_numbers_have_the_same_last_two_digits() -> None:
    assert len({hashids().encode(number)[0] for number in range(42, 100_042, 100)}) == 1
    assert len({hashids().encode(number)[0] for number in range(42, 100_042, 99)}) == hashids_attack.SIZE


def test_optimus_shows_which_numbers_are_odd() -> None:
    odd, even = ({optimus().encode(number) % 2 for number in range(start, 1000, 2)} for start in (1, 0))
    assert len(odd) == len(even) == 1
    assert odd != even


def test_a_typeid_shows_the_time_and_the_order_of_a_uuidv7() -> None:
    inside = [uuid7(SECOND + second) for second in range(100)]
    outside = [str(TypeID.from_uuid(number, prefix="order")) for number in inside]
    assert outside == sorted(outside)
    assert [TypeID.from_string(text).uuid.bytes[:6] for text in outside] == [
        (1000 * (SECOND + second)).to_bytes(6, "big") for second in range(100)
    ]


def test_uuidv47_hides_time_and_order_but_not_the_random_part() -> None:
    python_uuidv47.set_keys(1, 2)
    inside = [str(uuid7(SECOND + second)) for second in range(100)]
    outside = [python_uuidv47.encode(text) for text in inside]
    assert outside != sorted(outside)
    assert {uuid.UUID(text).version for text in outside} == {4}
    assert [text[15:] for text in outside] == [text[15:] for text in inside]


def test_a_public_id_shows_neither_size_nor_order_nor_the_last_digits() -> None:
    texts = [TEXTS["leafmint"](number) for number in range(10_000)]
    assert {len(text) for text in (*texts, TEXTS["leafmint"](SNOWFLAKE))} == {len("order_") + 26}
    rising = sum(text < following for text, following in pairwise(texts))
    assert rising == pytest.approx(5000, abs=200)
    firsts, lasts = ({text[place] for text in texts[42::100]} for place in (len("order_"), -1))
    assert len(firsts) == 8, "key 0 leaves three bits of five"
    assert len(lasts) > 25


def test_a_scrambled_number_shows_neither_size_nor_order_nor_the_last_digits() -> None:
    texts = [scrambled("member").encode(number) for number in range(10_000)]
    assert {len(text) for text in texts} == {9}
    rising = sum(text < following for text, following in pairwise(texts))
    assert rising == pytest.approx(5000, abs=200)
    assert {text[place] for text in texts[42::100] for place in (0, -2)} == set("0123456789")


def test_a_public_id_shows_that_two_ids_are_equal_but_not_across_names() -> None:
    assert TEXTS["leafmint"](42) == TEXTS["leafmint"](42)
    assert public_ids("customer", 0).encode(42)[-26:] != TEXTS["leafmint"](42)[-26:]


@pytest.mark.parametrize("seed", range(10))
def test_sqids_are_read_and_written_without_the_alphabet_after_62_numbers_in_a_row(seed: int) -> None:
    library, first = sqids(seed), first_number(seed)
    learned = sqids_attack.learn({number: library.encode([number]) for number in range(first, first + 62)})
    assert learned
    assert [learned.number(library.encode([number])) for number in UNSEEN] == UNSEEN
    assert [library.decode(learned.text(number)) for number in UNSEEN] == [[number] for number in UNSEEN]


@pytest.mark.parametrize("length", [0, 1, 8, 32, 100])
def test_hashids_are_read_and_written_without_the_salt_after_56_numbers_in_a_row(length: int) -> None:
    library, first = hashids(length, length), first_number(length)
    learned = hashids_attack.learn({number: library.encode(number) for number in range(first, first + 56)})
    assert learned
    assert [learned.number(library.encode(number)) for number in UNSEEN] == UNSEEN
    assert [learned.text(number) for number in UNSEEN] == [library.encode(number) for number in UNSEEN]


def test_optimus_gives_both_secrets_away_with_two_numbers_in_a_row() -> None:
    for seed in range(100):
        library, first = optimus(seed), first_number(seed)
        pairs = {number: library.encode(number) for number in (first, first + 1)}
        assert optimus_attack.secrets_of(pairs) == [(library.prime, library.random)]
