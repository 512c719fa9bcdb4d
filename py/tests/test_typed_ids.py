"""Typed ids: values of types of their own, with a text for strangers."""

import asyncio
import copy
import json
import operator
import os
import pickle
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import leafmint
import numpy
import pytest
from leafmint import late_binding
from leafmint import testing as leafmint_testing
from testing import DUPLICATES, KEYS, in_threads, shows_a_key


class OrderId(leafmint.TypedId, prefix="order"):
    """A public id."""


class CustomerId(leafmint.TypedId, name="customer_v2", prefix="cus"):
    """A public id with a name and a prefix."""


class MemberId(leafmint.TypedId, form="scrambled", name="member", format="M-{number:8}-{check:damm}", key_number=0):
    """A scrambled number."""


class InvoiceId(leafmint.TypedId, form="formatted", format=leafmint.Format("INV-{number:6}-{check:damm}")):
    """A formatted number."""


class RowId(leafmint.TypedId, form="decimal"):
    """The digits."""


TYPES: list[type[leafmint.TypedId]] = [OrderId, CustomerId, MemberId, InvoiceId, RowId]


@pytest.fixture(autouse=True)
def configured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Configure keys for each test."""
    for name in ("LEAFMINT_ID_KEYS", "LEAFMINT_ID_KEYS_FILE"):
        monkeypatch.delenv(name, raising=False)
    late_binding._replace(late_binding.Binding(id_keys=KEYS), even_if_equal=True)
    yield
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


def without_keys() -> None:
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


@pytest.mark.parametrize("kind", TYPES)
def test_a_value_has_a_number_and_a_text(kind: type[leafmint.TypedId]) -> None:
    value = kind(42)
    text = str(value)
    assert int(value) == 42
    assert kind.parse(text) == value
    assert re.fullmatch(kind.pattern, text)
    assert re.fullmatch(kind.pattern, kind.example)
    assert f"{value}|{value:>40}" == f"{text}|{text:>40}"
    assert repr(value) == f"{kind.__name__}({text!r})"


def test_the_texts_are_those_of_the_core() -> None:
    assert str(OrderId(42)) == leafmint.PublicIds("order", KEYS).encode(42)
    assert str(CustomerId(42)) == leafmint.PublicIds("customer_v2", KEYS, prefix="cus").encode(42)
    assert str(MemberId(42)) == leafmint.ScrambledNumbers(
        "member", KEYS, format="M-{number:8}-{check:damm}", key_number=0
    ).encode(42)
    assert [str(InvoiceId(42)), str(RowId(42))] == ["INV-000042-7", "42"]


@pytest.mark.parametrize("kind", TYPES)
def test_a_text_of_another_type_is_refused(kind: type[leafmint.TypedId]) -> None:
    for other in TYPES:
        if other is not kind:
            with pytest.raises(leafmint.InvalidIdError):
                kind.parse(str(other(123_456)))


def test_values_compare_within_their_type_only() -> None:
    assert OrderId(42) == OrderId(42) != OrderId(43)
    assert hash(OrderId(42)) == hash(OrderId(42))
    assert sorted([OrderId(3), OrderId(1), OrderId(2)]) == [OrderId(1), OrderId(2), OrderId(3)]
    assert OrderId(1) < OrderId(2) <= OrderId(2) >= OrderId(1)
    assert OrderId(2) > OrderId(1)
    assert len({OrderId(42), OrderId(42), CustomerId(42), 42, "42"}) == 4
    others: list[Any] = [42, CustomerId(42), str(OrderId(42)), None]
    for other in others:
        assert OrderId(42) != other
        for compare in (operator.lt, operator.le, operator.gt, operator.ge):
            with pytest.raises(TypeError):
                compare(OrderId(42), other)


@pytest.mark.parametrize("duplicate", DUPLICATES)
def test_values_are_pickled_and_copied(duplicate: Callable[[Any], Any]) -> None:
    assert duplicate(OrderId(42)) == OrderId(42)
    assert duplicate({OrderId(42): [MemberId(7)]}) == {OrderId(42): [MemberId(7)]}


def test_values_cannot_be_changed() -> None:
    value: Any = OrderId(42)
    for name in ("_value", "pattern", "other"):
        with pytest.raises(AttributeError, match="a OrderId cannot be changed"):
            setattr(value, name, 7)
        with pytest.raises(AttributeError, match="a OrderId cannot be changed"):
            delattr(value, name)
    assert int(value) == 42


class Linked:
    """A base whose values have a `__dict__`."""


class LinkedRowId(Linked, leafmint.TypedId, form="decimal"):
    """A type of ids with it."""


@pytest.mark.parametrize("kind", [*TYPES, LinkedRowId])
def test_a_value_has_no_fields_that_a_writer_could_take_for_all_that_there_is(kind: type[leafmint.TypedId]) -> None:
    with pytest.raises(TypeError, match="must have __dict__"):
        vars(kind(42))
    with pytest.raises(AttributeError, match=rf"{kind.__name__} has no fields: write str\(id\)"):
        kind(42).__dict__  # noqa: B018
    assert not hasattr(kind(42), "other")
    assert kind(42).__getstate__() == str(kind(42))
    assert "parse" in dir(kind(42))


@pytest.mark.parametrize("make", [lambda kind: kind.__new__(kind), object.__new__], ids=["__new__", "object.__new__"])
@pytest.mark.parametrize("kind", TYPES)
def test_a_value_that_no_constructor_made_is_refused_by_name(kind: type[leafmint.TypedId], make: Any) -> None:
    bare = make(kind)
    uses: list[Callable[[], object]] = [
        lambda: int(bare),
        lambda: str(bare),
        lambda: f"{bare}",
        lambda: bare == kind(0),
        lambda: kind(0) == bare,
        lambda: hash(bare),
        lambda: bare < kind(1),
        lambda: pickle.dumps(bare),
        lambda: copy.deepcopy(bare),
    ]
    for use in uses:
        with pytest.raises(leafmint.InvalidIdError, match=rf"this {kind.__name__} has no number.*call {kind.__name__}"):
            use()
    assert repr(bare) == f"<{kind.__name__} without a text: InvalidIdError>"


def test_a_class_cannot_be_pickled_by_value_before_and_after_its_first_text() -> None:
    for _ in range(2):
        for member in filter(None, (OrderId._declared, OrderId._bound)):
            with pytest.raises(TypeError, match=r"the class OrderId cannot be pickled.* to a module that each process"):
                pickle.dumps(member)
        str(OrderId(42))


def test_a_value_is_no_number_and_no_text() -> None:
    value: Any = OrderId(42)
    assert not isinstance(value, int | str)
    with pytest.raises(TypeError):
        json.dumps({"id": value})
    for use in (
        lambda: value + 1,
        lambda: [1][value],
        lambda: hex(value),
        lambda: "id: " + value,
    ):
        with pytest.raises(TypeError):
            use()
    assert bool(OrderId(0))


def test_numbers_are_what_ids_may_be() -> None:
    assert int(OrderId(0)) == 0
    assert int(OrderId(2**63 - 1)) == 2**63 - 1
    assert type(int(OrderId(numpy.int64(7)))) is int  # type: ignore[arg-type]
    for number in (-1, 2**63, -(2**70)):
        with pytest.raises(leafmint.InvalidIdError, match=f"^{number} is not an id"):
            OrderId(number)
    for number in (2**128, -(10**5000)):
        with pytest.raises(leafmint.InvalidIdError, match=r"^an int of \d+ bits is not an id"):
            OrderId(number)
    wrongs: list[Any] = [True, 1.0, "42", None, OrderId(42), str(OrderId(42))]
    for wrong in wrongs:
        with pytest.raises(TypeError, match=r"OrderId takes an int, not .*; parse takes a text"):
            OrderId(wrong)


def test_only_a_str_is_parsed() -> None:
    wrongs: list[Any] = [42, None, OrderId(42), str(OrderId(42)).encode()]
    for wrong in wrongs:
        with pytest.raises(TypeError, match="text must be a str"):
            OrderId.parse(wrong)


def test_a_type_is_declared_without_keys() -> None:
    without_keys()

    class Late(leafmint.TypedId, prefix="late"):
        pass

    assert Late.pattern == "^late_[0-9a-hjkmnp-tv-z]{26}$"
    assert Late.example.startswith("late_")
    assert Late(42) == Late(42)
    assert int(Late(42)) == 42


@pytest.mark.parametrize(
    ("declaration", "problem"),
    [
        ({}, "the name"),
        ({"prefix": "Order"}, 'the name "Order"'),
        ({"name": "order", "prefix": "Order"}, 'the prefix "Order"'),
        ({"prefix": "order", "form": "hex"}, "known are public, scrambled, formatted and decimal"),
        ({"prefix": "order", "format": "{number}"}, "it has no format"),
        ({"prefix": "order", "key_number": 1}, "it has no key_number"),
        ({"form": "scrambled", "name": "member"}, "it needs a format"),
        ({"form": "scrambled", "format": "{number:8}{check:damm}"}, "the name"),
        ({"form": "scrambled", "name": "member", "format": "{number:8}", "key_number": 9}, "2 problems"),
        ({"form": "formatted", "format": "{year}-{number}"}, "an id is a number only"),
        ({"form": "decimal", "prefix": "order"}, "it has no prefix"),
    ],
)
def test_a_wrong_declaration_is_refused_when_the_class_is_made(declaration: dict[str, Any], problem: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=problem):
        type("Wrong", (leafmint.TypedId,), {}, **declaration)


def test_a_keyword_that_is_unknown_and_a_type_that_is_declared_are_refused() -> None:
    with pytest.raises(TypeError, match="prefx"):
        type("Wrong", (leafmint.TypedId,), {}, prefx="order")
    for declaration in ({}, {"prefix": "vip"}):
        with pytest.raises(TypeError, match="VipOrderId extends a type of ids that is declared: extend TypedId"):
            type("VipOrderId", (OrderId,), {}, **declaration)


def test_the_base_class_has_no_values() -> None:
    with pytest.raises(TypeError, match="TypedId is extended by types of ids"):
        leafmint.TypedId(42)
    with pytest.raises(TypeError, match="TypedId is extended by types of ids"):
        leafmint.TypedId.parse("42")


def test_a_type_may_have_methods_and_other_bases() -> None:
    class Linked:
        __slots__ = ()

        def link(self) -> str:
            return f"/orders/{self}"

    class LinkedId(Linked, leafmint.TypedId, prefix="order"):
        __slots__ = ()

    assert LinkedId(42).link() == f"/orders/{OrderId(42)}"
    assert not hasattr(LinkedId(42), "__dict__")
    assert LinkedId(42) != OrderId(42)


def test_without_keys_a_text_is_a_named_error_and_a_value_still_has_a_repr() -> None:
    without_keys()
    for use in (lambda: str(OrderId(42)), lambda: OrderId.parse("order_x"), lambda: f"{MemberId(42)}"):
        with pytest.raises(leafmint.InvalidConfigError, match=r"configure\(id_keys=.*LEAFMINT_ID_KEYS"):
            use()
    assert repr(OrderId(42)) == "<OrderId without a text: InvalidConfigError>"
    assert [str(InvoiceId(42)), str(RowId(42))] == ["INV-000042-7", "42"]


def test_a_number_that_does_not_fit_its_text_is_named_and_has_a_repr() -> None:
    with pytest.raises(leafmint.IdSpaceExhaustedError):
        str(MemberId(10**8))
    assert repr(MemberId(10**8)) == "<MemberId without a text: IdSpaceExhaustedError>"


def test_the_environment_has_the_keys_if_the_application_gives_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = str(OrderId(42))
    without_keys()
    file = tmp_path / "keys"
    file.write_text("\n".join(KEYS))
    monkeypatch.setenv("LEAFMINT_ID_KEYS_FILE", str(file))
    assert str(OrderId(42)) == expected
    monkeypatch.setenv("LEAFMINT_ID_KEYS", KEYS[1])
    assert str(OrderId(42)) == expected
    late_binding.close()
    assert str(OrderId(42)) == leafmint.PublicIds("order", KEYS[1:]).encode(42)
    leafmint.configure(id_keys=KEYS)
    assert str(OrderId(42)) == expected


def test_other_keys_take_effect_at_once() -> None:
    first = str(OrderId(42))
    leafmint.configure(id_keys=KEYS[::-1])
    second = str(OrderId(42))
    assert first != second == leafmint.PublicIds("order", KEYS[::-1]).encode(42)
    assert OrderId.parse(first) == OrderId.parse(second) == OrderId(42)
    leafmint.configure(id_keys=KEYS[1:])
    with pytest.raises(leafmint.InvalidIdError):
        OrderId.parse(first)


def test_a_supplier_is_asked_at_the_first_text_once_for_all_types_and_threads() -> None:
    calls: list[int] = []

    def supplier() -> list[str]:
        calls.append(1)
        return KEYS

    leafmint.configure(id_keys=supplier)
    assert (OrderId(42) == OrderId(42), OrderId.example, calls) == (True, OrderId.example, [])
    texts = in_threads(8, lambda: (str(OrderId(42)), str(CustomerId(42))))
    assert len(set(texts)) == len(calls) == 1


def test_a_supplier_that_fails_is_asked_again() -> None:
    sealed = True

    def supplier() -> list[str]:
        if sealed:
            raise OSError("the vault is sealed")
        return KEYS

    leafmint.configure(id_keys=supplier)
    with pytest.raises(leafmint.InvalidConfigError, match="supplier of public ids' keys failed: OSError") as raised:
        str(OrderId(42))
    assert str(raised.value.__cause__) == "the vault is sealed"
    sealed = False
    assert OrderId.parse(str(OrderId(42))) == OrderId(42)


def test_tags_do_not_wait_for_a_supplier() -> None:
    def supplier() -> list[str]:
        assert in_threads(1, leafmint.tag("order").next_id) == [1]
        return KEYS

    leafmint.configure("memory://typed_ids", id_keys=supplier)
    assert OrderId.parse(str(OrderId(42))) == OrderId(42)


def test_new_settings_do_not_wait_for_the_supplier_of_the_old_ones() -> None:
    asked, released = threading.Event(), threading.Event()

    def supplier() -> list[str]:
        asked.set()
        assert released.wait(60)
        return KEYS

    leafmint.configure(id_keys=supplier)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(lambda: str(OrderId(42)))
        assert asked.wait(60)
        try:
            leafmint.configure(id_keys=KEYS[1:])
            second = threads.submit(lambda: str(OrderId(42))).result(20)
        finally:
            released.set()
        assert first.result(60) != second == leafmint.PublicIds("order", KEYS[1:]).encode(42)


def test_a_child_forked_while_keys_are_read_can_read_them() -> None:
    expected = str(OrderId(42))
    late_binding._replace(late_binding.Binding(id_keys=KEYS), even_if_equal=True)
    with late_binding.current()._keys_lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if str(OrderId(42)) == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_test_has_a_key_of_its_own() -> None:
    expected = str(OrderId(42))
    with leafmint_testing.id_keys():
        assert str(OrderId(42)) == leafmint.PublicIds("order", [leafmint_testing.ID_KEY]).encode(42) != expected
        leafmint.configure(id_keys=KEYS[1:])
        with leafmint_testing.segments():
            assert OrderId(leafmint.tag("order").next_id()) == OrderId(1)
            assert str(OrderId(42)) != expected
    assert str(OrderId(42)) == leafmint.PublicIds("order", KEYS[1:]).encode(42)


def test_ids_of_a_tag_become_typed_ids() -> None:
    leafmint.configure("memory://typed", id_keys=KEYS)
    orders = [OrderId(id) for id in leafmint.tag("order").next_ids(2)]
    assert [OrderId.parse(str(order)) for order in orders] == [OrderId(1), OrderId(2)]


class TicketId(leafmint.TypedId, form="decimal", name="ticket", tag="ticket"):
    """Ids of a tag."""


class SeatId(leafmint.TypedId, form="decimal", name="seat", tag=leafmint.tag("seat", order="relaxed")):
    """Ids of a tag with a relaxed order."""


class EventId(leafmint.TypedId, form="decimal", name="event", snowflake=True):
    """Snowflakes."""


def test_a_type_that_names_its_tag_mints_its_ids() -> None:
    with leafmint_testing.segments(), leafmint_testing.snowflakes():
        assert TicketId.next() == TicketId(1)
        assert TicketId.next_many(2) == [TicketId(2), TicketId(3)]
        assert asyncio.run(TicketId.next_async()) == TicketId(4)
        assert asyncio.run(TicketId.next_many_async(2, timeout=1)) == [TicketId(5), TicketId(6)]
        assert leafmint.tag("ticket").next_id() == 7
        assert SeatId.next(timeout="1s") == SeatId(1)
        assert int(EventId.next()) > 2**53
        assert len({*EventId.next_many(3)}) == 3


def test_a_type_without_a_source_mints_none_and_says_what_to_declare() -> None:
    for mint in (OrderId.next, lambda: OrderId.next_many(2), lambda: asyncio.run(OrderId.next_async())):
        with pytest.raises(leafmint.InvalidConfigError, match=r"^OrderId does not say where .* tag=\.\.\."):
            mint()
    with pytest.raises(leafmint.InvalidConfigError, match="tag and snowflake"):
        type("BothId", (leafmint.TypedId,), {}, prefix="both", tag="both", snowflake=True)


class ParcelId(leafmint.TypedId, prefix="parcel", tag="parcel"):
    """Ids of a tag that need keys."""


def test_without_keys_no_id_is_minted_that_no_answer_could_show() -> None:
    without_keys()
    with leafmint_testing.segments():
        for mint in (
            ParcelId.next,
            lambda: ParcelId.next_many(2),
            lambda: asyncio.run(ParcelId.next_async()),
            lambda: asyncio.run(ParcelId.next_many_async(2)),
        ):
            with pytest.raises(leafmint.InvalidConfigError, match="no keys for public ids"):
                mint()
        assert TicketId.next() == TicketId(1)
        leafmint.configure(id_keys=KEYS)
        assert ParcelId.next() == ParcelId(1)


def test_no_key_is_in_a_value_its_class_or_its_module() -> None:
    str(OrderId(42))
    members = [*vars(OrderId).values(), *vars(leafmint.TypedId).values(), late_binding.current(), OrderId(42)]
    assert not [member for member in members if shows_a_key(repr(member))]
