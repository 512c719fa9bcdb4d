"""An implementation in plain Python, written from the page of specification alone, agrees with the core."""

import random

import leafmint
import pytest
import second_public_ids as second

KEYS = [
    "lmk2_" + bytes(range(64, 128)).hex(),
    "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef",
]
FORMATS = [
    "M-{number:6}-{check:damm}",
    "{number:18}{check:luhn}",
    "{number:7}{check:mod97_10}",
    "Q{number:base32:5}{check:mod37_36}",
    "{number:base32:12}-{check:mod97_10}",
    "{number:base36:4}{check:mod37_36}",
    "c{number:base36:11}{check:mod37_36}",
]
NAMES = ["order", "a", "member_of_a_club_with_a_name_of_63_characters_and_no_one_more_9"]


@pytest.fixture
def numbers() -> list[int]:
    """Ids of all lengths, few enough for AES in plain Python."""
    drawn = random.Random(1)
    return [0, 1, 2**63 - 1, *(drawn.getrandbits(bits) for bits in range(3, 64, 6))]


@pytest.mark.parametrize("name", NAMES)
def test_both_write_the_same_public_ids_and_read_those_of_the_other(name: str, numbers: list[int]) -> None:
    ours = leafmint.PublicIds(name, keys=KEYS, prefix="p_9")
    theirs = second.PublicIds(name, second.parse_keys(KEYS), "p_9")
    older = second.PublicIds(name, second.parse_keys(KEYS[1:]), "p_9")
    for number in numbers:
        assert ours.encode(number) == theirs.encode(number)
        assert ours.decode(older.encode(number)) == number
        assert theirs.decode(ours.encode(number)) == number


def test_both_refuse_the_same_texts() -> None:
    ours = leafmint.PublicIds("order", keys=KEYS)
    theirs = second.PublicIds("order", second.parse_keys(KEYS))
    drawn = random.Random(2)
    accepted = 0
    for number in range(100):
        text = ours.encode(number)
        at = drawn.randrange(len(text))
        changed = text[:at] + drawn.choice("0123456789abcdefghijklmnopqrstuvwxyzABC_-") + text[at + 1 :]
        try:
            expected = theirs.decode(changed)
        except ValueError:
            with pytest.raises(leafmint.InvalidIdError):
                ours.decode(changed)
        else:
            assert (ours.decode(changed), changed) == (expected, text), "only a character replaced by itself"
            accepted += 1
    assert accepted < 20


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", NAMES)
def test_both_write_the_same_scrambled_numbers_and_read_those_of_the_other(
    name: str, format: str, numbers: list[int]
) -> None:
    ours = leafmint.ScrambledNumbers(name, keys=KEYS, format=format, key_number=0)
    theirs = second.ScrambledNumbers(name, second.parse_keys(KEYS)[1], format)
    assert ours.largest == theirs.size - 1
    for number in numbers:
        number %= theirs.size
        assert ours.encode(number) == theirs.encode(number)
        assert ours.decode(theirs.encode(number)) == theirs.decode(ours.encode(number)) == number


@pytest.mark.parametrize(
    "key", ["lmk4_" + "0f" * 32, "lmk0_" + "00" * 32, "lmk0_0011", "00" * 32, "", "lmk0_" + "0g" * 32]
)
def test_both_refuse_the_same_keys(key: str) -> None:
    with pytest.raises(ValueError, match=r"key|secret|number"):
        second.parse_keys([key])
    with pytest.raises(leafmint.InvalidConfigError):
        leafmint.PublicIds("order", keys=[key])
