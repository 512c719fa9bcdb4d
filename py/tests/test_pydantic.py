"""The type `leafmint.pydantic.IdAsString`: an int in Python, a string in JSON."""

import json

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from leafmint.pydantic import IdAsString
from pydantic import BaseModel, ValidationError

SNOWFLAKE = 2124282942359339095


class Order(BaseModel):
    """A model with ids in all places."""

    id: IdAsString
    parent: IdAsString | None = None
    related: list[IdAsString] = []
    amounts: dict[IdAsString, int] = {}


def test_an_id_is_an_int_in_python_and_a_string_in_json() -> None:
    order = Order(id=SNOWFLAKE, parent=0, related=[1, 2**63 - 1], amounts={SNOWFLAKE: 3})
    assert order.model_dump()["id"] == SNOWFLAKE
    assert json.loads(order.model_dump_json()) == {
        "id": str(SNOWFLAKE),
        "parent": "0",
        "related": ["1", str(2**63 - 1)],
        "amounts": {str(SNOWFLAKE): 3},
    }
    assert Order.model_validate_json(order.model_dump_json()) == order
    assert Order.model_validate(order.model_dump(mode="json")) == order


@pytest.mark.parametrize(
    "wrong", [True, 1.0, -1, 2**63, "01", "-1", "+1", " 1", "1 ", "", "1_0", "1e3", "٣", b"1", None]
)
def test_what_is_not_exactly_an_id_is_refused_in_python(wrong: object) -> None:
    with pytest.raises(ValidationError):
        Order.model_validate({"id": wrong})


@pytest.mark.parametrize(
    "wrong", ["1", "1.0", "true", "null", '"01"', '"-1"', '"1\\n"', '"9223372036854775808"', '"99999999999999999999"']
)
def test_what_is_not_exactly_a_string_of_an_id_is_refused_in_json(wrong: str) -> None:
    with pytest.raises(ValidationError):
        Order.model_validate_json(f'{{"id": {wrong}}}')


def test_fastapi_reads_ids_from_paths_and_describes_them_as_strings() -> None:
    app = FastAPI()

    @app.get("/orders/{id}")
    def order(id: IdAsString, after: IdAsString | None = None) -> Order:
        return Order(id=id, parent=after)

    client = TestClient(app)
    answer = client.get(f"/orders/{SNOWFLAKE}", params={"after": "7"})
    assert answer.json()["id"] == str(SNOWFLAKE)
    assert answer.json()["parent"] == "7"
    for wrong in ("01", "-1", "1.0", str(2**63)):
        refused = client.get(f"/orders/{wrong}")
        assert refused.status_code == 422
        message = "Input should be an id: 0 to 9223372036854775807, as a string of digits without leading zeros"
        problem = {"type": "leafmint_id", "loc": ["path", "id"], "msg": message, "input": wrong}
        assert refused.json()["detail"] == [problem]
    description = app.openapi()
    (path, *_) = description["paths"]["/orders/{id}"]["get"]["parameters"]
    assert path["schema"]["type"] == "string"
    assert description["components"]["schemas"]["Order"]["properties"]["id"]["type"] == "string"
