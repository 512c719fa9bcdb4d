"""What docs/comparison.md says of texts that were made up, are of another kind, or are older than the secret.

All secrets and texts come from seeds, so that a share is the same in each run.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable

import leafmint
import pytest
import python_uuidv47
from hiding_libraries import CHARACTERS, hashids, optimus, public_ids, scrambled, sqids, uuid7
from typeid import TypeID

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
MILLION = 1_000_000
NUMBERS = range(10_000_000, 10_010_000)
SQIDS, HASHIDS, OPTIMUS = sqids(), hashids(), optimus()
PUBLIC, SCRAMBLED = public_ids("order", 0, 1, 2, 3), scrambled("order")
IN_HASHIDS = "".join(sorted({character for number in NUMBERS for character in HASHIDS.encode(number)}))


@pytest.fixture(autouse=True)
def _keys_of_uuidv47() -> None:
    python_uuidv47.set_keys(1, 2)


def the_only(numbers: list[int] | tuple[int, ...]) -> int:
    """Returns the number of a text that has one and no more."""
    [number] = numbers
    return number


def canonical(text: str) -> int:
    """Reads sqids as their page advises: a number has one text."""
    number = the_only(SQIDS.decode(text))
    if SQIDS.encode([number]) != text:
        raise ValueError(text)
    return number


def accepted(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except (ValueError, leafmint.InvalidIdError):
        return False
    return True


def random_text(characters: str, count: int) -> Callable[[random.Random], str]:
    return lambda draw: "".join(draw.choices(characters, k=count))


def random_typeid(draw: random.Random) -> str:
    return f"order_{draw.choice(CROCKFORD[:8])}{random_text(CROCKFORD, 25)(draw)}"


def random_uuid(draw: random.Random) -> str:
    return str(uuid.UUID(int=draw.getrandbits(128), version=4))


@pytest.mark.long
@pytest.mark.parametrize(
    ("make_up", "read", "share"),
    [
        pytest.param(random_text(CHARACTERS, 6), lambda text: the_only(SQIDS.decode(text)), 0.94, id="sqids"),
        pytest.param(random_text(CHARACTERS, 6), canonical, 0.015, id="sqids, written again"),
        pytest.param(random_text(IN_HASHIDS, 6), lambda text: the_only(HASHIDS.decode(text)), 0.023, id="hashids"),
        pytest.param(lambda draw: draw.getrandbits(63), OPTIMUS.decode, 1, id="Optimus"),
        pytest.param(random_typeid, TypeID.from_string, 1, id="TypeID"),
        pytest.param(random_uuid, python_uuidv47.decode, 1, id="UUIDv47"),
        pytest.param(random_uuid, uuid.UUID, 1, id="UUID"),
        pytest.param(random_text("0123456789", 9), SCRAMBLED.decode, 0.1, id="scrambled number"),
        pytest.param(lambda draw: "order_" + random_text(CROCKFORD, 26)(draw), PUBLIC.decode, 0, id="public id"),
    ],
)
def test_of_a_million_made_up_texts_this_share_is_accepted(
    make_up: Callable[[random.Random], str], read: Callable[[str], object], share: float
) -> None:
    draw = random.Random(0)
    count = sum(accepted(read, make_up(draw)) for _ in range(MILLION))
    assert count / MILLION == (share if share in (0, 1) else pytest.approx(share, rel=0.05))


def test_without_another_secret_sqids_and_hashids_of_an_order_are_a_customers_as_well() -> None:
    assert sqids().decode(SQIDS.encode([42])) == [42]
    assert hashids().decode(HASHIDS.encode(42)) == (42,)


def test_sqids_of_another_alphabet_are_mostly_read_as_another_number() -> None:
    other = sqids(1)
    read = [numbers[0] for number in NUMBERS if len(numbers := other.decode(SQIDS.encode([number]))) == 1]
    assert len(read) / len(NUMBERS) > 0.9
    assert not set(read) & set(NUMBERS)


def test_hashids_of_another_salt_are_read_now_and_then() -> None:
    other = hashids(1)
    read = [text for number in NUMBERS if len(other.decode(text := HASHIDS.encode(number))) == 1]
    assert 0 < len(read) / len(NUMBERS) < 0.05


def test_optimus_with_another_secret_reads_each_text_as_another_number() -> None:
    other = optimus(1)
    assert not {other.decode(OPTIMUS.encode(number)) for number in NUMBERS} & set(NUMBERS)


def test_uuidv47_with_another_key_reads_each_text_as_another_uuid() -> None:
    inside = {str(uuid7(number)) for number in NUMBERS}
    outside = [python_uuidv47.encode(text) for text in inside]
    python_uuidv47.set_keys(3, 4)
    read = {python_uuidv47.decode(text) for text in outside}
    assert len(read) == len(inside)
    assert not read & inside


def test_a_typeid_is_read_as_a_customer_once_its_prefix_is_replaced() -> None:
    order = TypeID.from_uuid(uuid7(1), prefix="order")
    customer = TypeID.from_string(str(order).replace("order_", "customer_"))
    assert (customer.prefix, customer.suffix) == ("customer", order.suffix)


def test_a_public_id_of_an_order_is_never_read_as_a_customer() -> None:
    customers = public_ids("customer", 0, 1, 2, 3)
    texts = [PUBLIC.encode(number) for number in NUMBERS]
    renamed = [text.replace("order_", "customer_") for text in texts]
    assert not any(accepted(customers.decode, text) for text in (*texts, *renamed))
    assert accepted(customers.decode, customers.encode(1))


def test_a_scrambled_number_of_an_order_is_read_as_another_customer_unless_its_format_differs() -> None:
    customers, apart = scrambled("customer"), scrambled("customer", "C-{number:8}-{check:damm}")
    texts = [SCRAMBLED.encode(number) for number in NUMBERS]
    assert sum(customers.decode(text) == number for text, number in zip(texts, NUMBERS, strict=True)) <= 1
    assert not any(accepted(apart.decode, text) for text in texts)


def test_a_public_id_with_one_character_mistyped_is_refused() -> None:
    text = PUBLIC.encode(NUMBERS[0])
    mistyped = {text[:place] + other + text[place + 1 :] for place in range(len(text)) for other in CROCKFORD}
    assert {each for each in mistyped if accepted(PUBLIC.decode, each)} == {text}


def test_public_ids_of_four_keys_are_read_and_those_of_a_key_that_was_removed_refused() -> None:
    ring, without = public_ids("order", 3, 2, 1, 0), public_ids("order", 3, 2, 1)
    for number in NUMBERS[:1000]:
        texts = [public_ids("order", key).encode(number) for key in range(4)]
        assert [ring.decode(text) for text in texts] == [number] * 4
        assert [accepted(without.decode, text) for text in texts] == [False, True, True, True]
