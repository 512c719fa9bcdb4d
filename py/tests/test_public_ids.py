"""Public ids: texts that hide ids from strangers."""

import copy
import pickle
import re
from collections.abc import Callable
from typing import Any

import leafmint
import pytest
from testing import KEYS, in_threads, shows_a_key

ORDERS = leafmint.PublicIds("order", KEYS)
IDS = [0, 1, 42, 2**31, 2**53 + 1, 2**63 - 1]


def test_an_id_is_read_from_the_text_that_was_written() -> None:
    for id in IDS:
        text = ORDERS.encode(id)
        assert re.fullmatch(ORDERS.pattern, text)
        assert ORDERS.decode(text) == id
    assert len({ORDERS.encode(id) for id in range(1000)}) == 1000


def test_names_have_nothing_in_common() -> None:
    customers = leafmint.PublicIds("customer", KEYS)
    for text in (ORDERS.encode(42), ORDERS.encode(42).replace("order", "customer")):
        with pytest.raises(leafmint.InvalidIdError):
            customers.decode(text)


def test_a_prefix_may_differ_from_the_name() -> None:
    orders = leafmint.PublicIds("order", KEYS, prefix="ord_v2")
    assert (orders.name, orders.prefix, ORDERS.name, ORDERS.prefix) == ("order", "ord_v2", "order", "order")
    assert orders.encode(42) == ORDERS.encode(42).replace("order", "ord_v2")
    with pytest.raises(leafmint.InvalidIdError):
        orders.decode(ORDERS.encode(42))


@pytest.mark.parametrize(
    "change",
    [
        str.upper,
        lambda text: text[:-1],
        lambda text: text + "0",
        lambda text: " " + text,
        lambda text: text + "\n",
        lambda text: text[:-1] + ("0" if text[-1] != "0" else "1"),
        lambda text: text.replace("_", "-"),
        lambda text: "",
        lambda text: "42",
        lambda text: "é" * 16,
    ],
)
def test_every_other_text_is_refused_by_one_message(change: Callable[[str], str]) -> None:
    text = change(ORDERS.encode(42))
    with pytest.raises(leafmint.InvalidIdError, match=r'is not an id of this kind: "order"$'):
        ORDERS.decode(text)


def test_texts_that_are_too_long_or_no_unicode_are_refused() -> None:
    for text in ("x" * (2 << 20), "order_\ud800"):
        with pytest.raises(leafmint.InvalidIdError, match="the text"):
            ORDERS.decode(text)


@pytest.mark.parametrize("id", [-1, 2**63, -(2**70)])
def test_what_is_no_id_is_refused(id: int) -> None:
    with pytest.raises(leafmint.InvalidIdError):
        ORDERS.encode(id)


@pytest.mark.parametrize("wrong", [True, 1.0, "42", None, b"42"])
def test_only_an_int_is_encoded_and_only_a_str_decoded(wrong: object) -> None:
    with pytest.raises(TypeError, match="id must be an int"):
        ORDERS.encode(wrong)  # type: ignore[arg-type]
    if not isinstance(wrong, str):
        with pytest.raises(TypeError, match="text must be a str"):
            ORDERS.decode(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["", "Order", "1st", "order_", "or-der", "x" * 64, "order\ud800", "größe"])
def test_names_and_prefixes_need_no_escape(word: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="name"):
        leafmint.PublicIds(word, KEYS)
    with pytest.raises(leafmint.InvalidConfigError, match="prefix"):
        leafmint.PublicIds("order", KEYS, prefix=word)


def test_names_and_prefixes_are_texts() -> None:
    wrong: Any = 7
    for name, prefix in ((wrong, None), ("order", wrong)):
        with pytest.raises(TypeError, match="must be a str, not int"):
            leafmint.PublicIds(name, KEYS, prefix=prefix)


def test_many_are_converted_at_once() -> None:
    texts = [ORDERS.encode(id) for id in IDS]
    assert ORDERS.encode_all(IDS) == texts
    assert ORDERS.decode_all(texts) == IDS
    assert (ORDERS.encode_all(iter(())), ORDERS.decode_all(())) == ([], [])


def test_its_text_shows_no_key() -> None:
    assert repr(ORDERS) == str(ORDERS) == "<leafmint.PublicIds name='order' prefix='order'>"
    assert not [name for name in dir(ORDERS) if name != "__doc__" and shows_a_key(str(getattr(ORDERS, name)))]


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_it_cannot_be_pickled(duplicate: Callable[[object], object]) -> None:
    with pytest.raises(
        TypeError, match="PublicIds cannot be pickled or copied, because the pickle would contain its keys"
    ):
        duplicate(ORDERS)


def test_threads_share_it() -> None:
    assert in_threads(8, lambda: [ORDERS.decode(ORDERS.encode(id)) for id in range(2000)]) == [list(range(2000))] * 8


def test_it_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        ORDERS.name = "customer"  # type: ignore[misc]
