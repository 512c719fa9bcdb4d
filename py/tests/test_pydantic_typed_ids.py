"""Typed ids in models of Pydantic, and in every place of a request to FastAPI."""

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Generic, TypeVar

import leafmint
import numpy
import pytest
from fastapi import Body, Cookie, FastAPI, Header, Query
from fastapi.encoders import jsonable_encoder
from fastapi.testclient import TestClient
from leafmint import late_binding
from leafmint.pydantic import IdAsString
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json
from testing import KEYS


class OrderId(leafmint.TypedId, prefix="order"):
    """A public id."""


class CustomerId(leafmint.TypedId, prefix="cus"):
    """A public id of another kind."""


class RowId(leafmint.TypedId, form="decimal"):
    """The digits."""


class Order(BaseModel):
    """A model with ids in all places."""

    id: OrderId
    customer: CustomerId | None = None
    related: list[OrderId] = []
    amounts: dict[OrderId, int] = {}
    place: OrderId | CustomerId | None = None


@pytest.fixture(autouse=True)
def configured() -> Iterator[None]:
    """Configure keys for each test."""
    late_binding._replace(late_binding.Binding(id_keys=KEYS), even_if_equal=True)
    yield
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


def problem(place: list[str], given: Any, kind: type[leafmint.TypedId] = OrderId) -> dict[str, Any]:
    """Return the one problem of an answer."""
    message = f"Input should be an id such as {kind.example}"
    return {"type": "leafmint_id", "loc": place, "msg": message, "input": given}


def test_an_id_is_a_value_in_python_and_its_text_in_json() -> None:
    one, two, three, four = map(OrderId, range(1, 5))
    order = Order(id=one, customer=CustomerId(2), related=[two], amounts={three: 5}, place=four)
    assert order.model_dump()["id"] == one
    assert json.loads(order.model_dump_json()) == {
        "id": str(one),
        "customer": str(CustomerId(2)),
        "related": [str(two)],
        "amounts": {str(three): 5},
        "place": str(four),
    }
    assert Order.model_validate_json(order.model_dump_json()) == order
    assert Order.model_validate(order.model_dump(mode="json")) == order
    assert Order.model_validate(order.model_dump()) == order
    assert Order(id=OrderId(1), place=str(CustomerId(7))).place == CustomerId(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [1, True, 1.0, None, b"order_", "1", "order_", CustomerId(1), [OrderId(1)]])
def test_what_is_no_id_of_the_kind_is_refused_in_python(wrong: object) -> None:
    with pytest.raises(ValidationError) as raised:
        Order.model_validate({"id": wrong})
    (refusal,) = raised.value.errors()
    assert refusal["type"] == "leafmint_id"


@pytest.mark.parametrize("wrong", ["1", "1.0", "true", "null", '"1"', "{}", "[]"])
def test_what_is_no_text_of_the_kind_is_refused_in_json(wrong: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Order.model_validate_json(f'{{"id": {wrong}}}')
    assert [refusal["type"] for refusal in raised.value.errors()] == ["leafmint_id"]


def test_the_schema_has_the_pattern_and_an_example() -> None:
    expected = {"type": "string", "pattern": OrderId.pattern, "examples": [OrderId.example]}
    for mode in ("validation", "serialization"):
        assert TypeAdapter(OrderId).json_schema(mode=mode) == expected
        schema = Order.model_json_schema(mode=mode)
        assert schema["properties"]["id"] == expected | {"title": "Id"}


def test_the_form_decimal_and_the_type_id_are_one_text() -> None:
    for mode in ("validation", "serialization"):
        schemas = [TypeAdapter(kind).json_schema(mode=mode) for kind in (RowId, IdAsString)]
        assert schemas[0]["pattern"] == schemas[1]["pattern"]
    for text in ("0", "42", str(2**63 - 1)):
        assert (
            int(TypeAdapter(RowId).validate_python(text)) == TypeAdapter(IdAsString).validate_python(text) == int(text)
        )
    for text in ("", "01", "-1", " 1", str(2**63), "٣"):
        for kind in (RowId, IdAsString):
            with pytest.raises(ValidationError):
                TypeAdapter(kind).validate_python(text)


def test_the_places_of_problems_of_a_union_name_its_types() -> None:
    wrong = {"id": str(OrderId(1)), "place": "x"}
    validations: list[Callable[[], object]] = [
        lambda: Order.model_validate(wrong),
        lambda: Order.model_validate_json(json.dumps(wrong)),
    ]
    for validate in validations:
        with pytest.raises(ValidationError) as raised:
            validate()
        places = [refusal["loc"] for refusal in raised.value.errors()]
        assert places == [("place", "function-plain[OrderId()]"), ("place", "function-plain[CustomerId()]")]


class Customer(BaseModel):
    """A model that may be in the place of its id."""

    name: str


class Sale(BaseModel):
    """A model with a field that is an id or what it is the id of."""

    customer: CustomerId | Customer


def test_a_model_in_the_place_of_its_id_is_written_as_the_model() -> None:
    assert Sale(customer=Customer(name="Ada")).model_dump_json() == '{"customer":{"name":"Ada"}}'
    assert Sale(customer=CustomerId(7)).model_dump(mode="json") == {"customer": str(CustomerId(7))}


@pytest.mark.parametrize("wrong", [{"id": 123456789}, {"related": [123456789]}, {"amounts": {123456789: 1}}])
def test_an_int_that_was_not_checked_is_not_written(wrong: dict[str, Any]) -> None:
    order = Order.model_construct(**{"id": OrderId(1), **wrong})
    for write in (order.model_dump_json, lambda: order.model_dump(mode="json")):
        with pytest.raises(PydanticSerializationError, match="an int is no id of this field") as raised:
            write()
        assert "123456789" not in str(raised.value)


Kind = TypeVar("Kind", bound=leafmint.TypedId)


class Page(BaseModel, Generic[Kind]):
    """A model for ids of any type."""

    items: list[Kind]
    totals: dict[Kind, int] = {}


def test_a_generic_model_is_bound_to_all_types() -> None:
    text = str(OrderId(1))
    page = Page[OrderId].model_validate_json(f'{{"items": ["{text}"], "totals": {{"{text}": 5}}}}')
    assert page == Page[OrderId](items=[OrderId(1)], totals={OrderId(1): 5})
    assert page.model_dump() == {"items": [OrderId(1)], "totals": {OrderId(1): 5}}
    assert json.loads(page.model_dump_json()) == {"items": [text], "totals": {text: 5}}
    with pytest.raises(ValidationError, match=OrderId.example):
        Page[OrderId].model_validate({"items": [CustomerId(1)]})
    assert Page[OrderId].model_json_schema()["properties"]["items"]["items"]["pattern"] == OrderId.pattern


def test_a_generic_model_without_its_type_writes_all_ids_and_reads_no_text() -> None:
    page: Page[Any] = Page(items=[OrderId(1), CustomerId(2)])
    assert json.loads(page.model_dump_json())["items"] == [str(OrderId(1)), str(CustomerId(2))]
    assert Page.model_json_schema()["properties"]["items"]["items"] == {"type": "string"}
    for wrong in (str(OrderId(1)), 1, None):
        with pytest.raises(ValidationError, match=r"name its type, such as Page\[OrderId\]"):
            Page.model_validate({"items": [wrong]})


class Anything(BaseModel):
    """A model that knows no type."""

    model_config = ConfigDict(extra="allow")

    value: Any


@pytest.mark.parametrize("how", [{}, {"serialize_as_any": True}, {"round_trip": True}])
def test_a_field_without_a_type_is_the_text_in_json(how: dict[str, Any]) -> None:
    text = str(OrderId(1))
    model = Anything(value={OrderId(1): [OrderId(1)]}, more=OrderId(1))  # type: ignore[call-arg]
    expected = {"value": {text: [text]}, "more": text}
    assert json.loads(model.model_dump_json(**how)) == model.model_dump(mode="json", **how) == expected
    assert model.model_dump(**how) == {"value": {OrderId(1): [OrderId(1)]}, "more": OrderId(1)}
    order = Order(id=OrderId(1), place=CustomerId(2))
    assert Order.model_validate_json(order.model_dump_json(**how)) == order
    assert to_json({"id": OrderId(1)}) == f'{{"id":"{text}"}}'.encode()


# https://github.com/pydantic/pydantic/issues/10016
def test_an_int_of_numpy_is_an_id_to_its_last_digit() -> None:
    number = 8889891283923431349
    id = TypeAdapter(IdAsString).validate_python(numpy.int64(number))
    assert (id, type(id)) == (number, int)
    given: Any = numpy.int64(number)
    assert TypeAdapter(IdAsString).dump_json(given) == f'"{number}"'.encode()
    for wrong in (numpy.uint64(2**64 - 1), numpy.int64(-1), numpy.float64(5), numpy.bool_(True)):
        with pytest.raises(ValidationError, match="Input should be an id"):
            TypeAdapter(IdAsString).validate_python(wrong)


def test_keys_that_are_missing_are_no_fault_of_the_sender() -> None:
    late_binding._replace(late_binding.Binding(id_keys="env:LEAFMINT_NO_SUCH"), even_if_equal=True)
    with pytest.raises(leafmint.LeafmintError, match=r"an id cannot be read: .*LEAFMINT_NO_SUCH") as raised:
        Order.model_validate_json('{"id": "order_x"}')
    assert isinstance(raised.value.__cause__, leafmint.InvalidConfigError)
    assert not isinstance(raised.value, ValueError)


APP = FastAPI()


@APP.get("/orders/{id}")
def order(
    id: OrderId,
    customer: Annotated[CustomerId | None, Query()] = None,
    related: Annotated[list[OrderId], Query()] = [],  # noqa: B006
    x_place: Annotated[OrderId | None, Header()] = None,
    last: Annotated[OrderId | None, Cookie()] = None,
) -> Order:
    """Answer with what was read."""
    return Order(id=id, customer=customer, related=related, place=x_place or last)


@APP.get("/customers/{id}")
def customer(id: CustomerId) -> dict[str, CustomerId]:
    """Answer with what was read."""
    return {"id": id}


@APP.post("/orders")
def create(order: Order) -> Order:
    """Answer with what was read."""
    return order


@APP.post("/one")
def one(id: Annotated[OrderId, Body(embed=True)]) -> OrderId:
    """Answer with what was read."""
    return id


CLIENT = TestClient(APP)


def test_every_place_of_a_request_takes_a_text() -> None:
    text = str(OrderId(1))
    related = [str(OrderId(id)) for id in (2, 3)]
    answer = CLIENT.get(
        f"/orders/{text}",
        params={"customer": str(CustomerId(4)), "related": related},
        headers={"X-Place": str(OrderId(5))},
    )
    expected = {"id": text, "customer": str(CustomerId(4)), "related": related, "amounts": {}, "place": str(OrderId(5))}
    assert answer.json() == expected
    assert CLIENT.post("/orders", json=expected).json() == expected
    assert CLIENT.post("/one", json={"id": text}).json() == text
    cookies = TestClient(APP, cookies={"last": str(OrderId(6))})
    assert cookies.get(f"/orders/{text}").json()["place"] == str(OrderId(6))


def test_the_text_of_an_order_is_refused_where_a_customer_s_is_expected() -> None:
    text = str(OrderId(1))
    answer = CLIENT.get(f"/customers/{text}")
    assert (answer.status_code, answer.json()["detail"]) == (422, [problem(["path", "id"], text, CustomerId)])
    answer = CLIENT.get(f"/orders/{text}", params={"customer": text})
    assert answer.json()["detail"] == [problem(["query", "customer"], text, CustomerId)]
    disguised = text.replace("order", "cus")
    assert CLIENT.get(f"/customers/{disguised}").status_code == 422
    assert CLIENT.get(f"/customers/{CustomerId(1)}").json() == {"id": str(CustomerId(1))}


@pytest.mark.parametrize("wrong", [1, "1", True, None, 1.5, {"id": 1}])
def test_a_number_is_refused_in_a_body_by_one_problem(wrong: Any) -> None:
    answer = CLIENT.post("/orders", json={"id": wrong})
    assert (answer.status_code, answer.json()["detail"]) == (422, [problem(["body", "id"], wrong)])


def test_a_wrong_text_is_refused_in_every_place_by_one_problem() -> None:
    text = str(OrderId(1))
    assert CLIENT.get("/orders/1").json()["detail"] == [problem(["path", "id"], "1")]
    answer = CLIENT.get(f"/orders/{text}", params={"related": [text, "1"]})
    assert answer.json()["detail"] == [{**problem([], "1"), "loc": ["query", "related", 1]}]
    answer = CLIENT.get(f"/orders/{text}", headers={"X-Place": "1"})
    assert answer.json()["detail"] == [problem(["header", "x-place"], "1")]


def test_openapi_shows_the_pattern_and_an_example() -> None:
    description = APP.openapi()
    expected = {"type": "string", "pattern": OrderId.pattern, "examples": [OrderId.example]}
    (path, *_) = description["paths"]["/orders/{id}"]["get"]["parameters"]
    assert path["schema"] == expected | {"title": "Id"}
    assert description["components"]["schemas"]["Order"]["properties"]["id"] == expected | {"title": "Id"}
    answer = description["paths"]["/one"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert {name: answer[name] for name in expected} == expected


def test_an_answer_without_a_type_fails() -> None:
    with pytest.raises(ValueError, match="'OrderId' object"):
        jsonable_encoder({"id": OrderId(123_456_789)})
