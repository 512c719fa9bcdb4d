"""Scrambled numbers: short texts of ids for people."""

import copy
import itertools
import pickle
import re
from collections.abc import Callable
from typing import Any

import leafmint
import pytest
from testing import KEYS, shows_a_key

FORMAT = "M-{number:8}-{check:damm}"
MEMBERS = leafmint.ScrambledNumbers("member", KEYS[:1], format=FORMAT)


def test_an_id_is_read_from_the_number_that_was_written() -> None:
    texts = [MEMBERS.encode(id) for id in (0, 1, 42, MEMBERS.largest)]
    assert [MEMBERS.decode(text) for text in texts] == [0, 1, 42, MEMBERS.largest]
    assert all(re.fullmatch(MEMBERS.pattern, text) for text in texts)
    assert len({MEMBERS.encode(id) for id in range(1000)}) == 1000
    assert (MEMBERS.name, MEMBERS.largest) == ("member", 99_999_999)


def test_neighbours_are_far_apart() -> None:
    numbers = [int(MEMBERS.encode(id)[2:10]) for id in range(100)]
    assert sorted(numbers) != numbers
    assert min(abs(a - b) for a, b in itertools.pairwise(numbers)) > 100


def test_names_and_keys_have_nothing_in_common() -> None:
    others = [
        leafmint.ScrambledNumbers("guest", KEYS[:1], format=FORMAT),
        leafmint.ScrambledNumbers("member", KEYS[1:], format=FORMAT),
    ]
    assert len({ids.encode(42) for ids in (MEMBERS, *others)}) == 3


def test_what_people_write_is_forgiven_only_on_request() -> None:
    text = MEMBERS.encode(42).lower().replace("-", "")
    assert MEMBERS.decode(text, forgiving=True) == 42
    with pytest.raises(leafmint.InvalidIdError, match="it is written"):
        MEMBERS.decode(text)


def test_a_mistyped_digit_is_found() -> None:
    text = MEMBERS.encode(42)
    for at in range(2, 10):
        wrong = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
        with pytest.raises(leafmint.InvalidIdError, match=r"at \{check:damm\}"):
            MEMBERS.decode(wrong)


def test_an_id_that_has_no_number_is_refused() -> None:
    with pytest.raises(leafmint.IdSpaceExhaustedError, match="100000000"):
        MEMBERS.encode(MEMBERS.largest + 1)
    for id in (-1, 2**63):
        with pytest.raises(leafmint.InvalidIdError):
            MEMBERS.encode(id)


@pytest.mark.parametrize(
    ("format", "problem"),
    [
        ("{number:8}", "has no check"),
        ("{number}-{check:damm}", "a number without a width"),
        ("{number:5}{check:damm}", "the number needs 6 to 18"),
        ("{year}{number:8}{check:damm}", r"has \{year\}, but an id is a number only"),
        ("{nummer}", "is not a field"),
    ],
)
def test_a_format_that_cannot_be_scrambled_is_refused(format: str, problem: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=problem):
        leafmint.ScrambledNumbers("member", KEYS[:1], format=format)


def test_a_format_is_an_object_or_its_text() -> None:
    assert leafmint.ScrambledNumbers("member", KEYS[:1], format=leafmint.Format(FORMAT)).encode(42) == MEMBERS.encode(
        42
    )
    wrong: Any = 7
    with pytest.raises(TypeError, match="text must be a str, not int"):
        leafmint.ScrambledNumbers("member", KEYS[:1], format=wrong)


def test_of_several_keys_the_number_says_which_one() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="key_number"):
        leafmint.ScrambledNumbers("member", KEYS, format=FORMAT)
    with pytest.raises(leafmint.InvalidConfigError, match="key_number"):
        leafmint.ScrambledNumbers("member", KEYS, format=FORMAT, key_number=3)
    assert leafmint.ScrambledNumbers("member", KEYS, format=FORMAT, key_number=0).encode(42) == MEMBERS.encode(42)


def test_bad_keys_are_refused_without_showing_them() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="key 1") as raised:
        leafmint.ScrambledNumbers("member", [KEYS[0][:-1]], format=FORMAT)
    assert not shows_a_key(str(raised.value))


def test_its_text_shows_no_key() -> None:
    assert repr(MEMBERS) == "<leafmint.ScrambledNumbers name='member' format='M-{number:8}-{check:damm}'>"


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_it_cannot_be_pickled(duplicate: Callable[[object], object]) -> None:
    with pytest.raises(
        TypeError, match="ScrambledNumbers cannot be pickled or copied, because the pickle would contain its key"
    ):
        duplicate(MEMBERS)
