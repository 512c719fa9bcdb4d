"""What libraries that know nothing of leafmint make of typed ids: those of `make test`."""
# mypy: disable-error-code="arg-type, call-overload, dict-item, import-untyped, no-untyped-call"

import argparse
import copy
import csv
import dataclasses
import io
import json
import logging
import multiprocessing
import pickle
import sqlite3
import xmlrpc.client
from collections.abc import Iterator
from typing import Annotated, Any
from urllib.parse import urlencode

import cloudpickle
import flask
import httpx2
import hypothesis
import jinja2
import kombu.serialization
import leafmint
import marshmallow
import msgspec
import numpy
import orjson
import pandas
import polars
import psycopg
import pydantic
import pymysql
import pytest
import sqlalchemy
import yaml
from fastapi import Cookie, FastAPI, Header, Query
from fastapi.encoders import jsonable_encoder
from fastapi.testclient import TestClient
from gallery import TYPED_IDS, loud, right, row, silent
from hypothesis import strategies
from leafmint import late_binding
from leafmint.pydantic import IdAsString
from opentelemetry.sdk.trace import TracerProvider
from prometheus_client import CollectorRegistry, Counter, generate_latest
from pydantic import BaseModel
from testing import KEYS, run_python

NUMBER = 2124282942359339095


class OrderId(leafmint.TypedId, prefix="order"):
    """A public id."""


ID = OrderId(NUMBER)


@pytest.fixture(autouse=True)
def configured() -> Iterator[None]:
    """Configure keys for each test."""
    late_binding._replace(late_binding.Binding(id_keys=KEYS), even_if_equal=True)
    yield
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


def has_text(written: object) -> bool:
    """Return whether what was written has the text of the id, and not its number."""
    return str(ID) in str(written) and str(NUMBER) not in str(written)


@row(TYPED_IDS, "json", "`dumps`", loud, "`TypeError` names `OrderId`", match="OrderId is not JSON serializable")
def test_json() -> None:
    json.dumps({"id": ID})


@row(TYPED_IDS, "json", "a key of a dict", loud, "`TypeError` names `OrderId`", match="not OrderId")
def test_json_key() -> None:
    json.dumps({ID: 1})


@row(TYPED_IDS, "json", "`default=str`", right, "the text")
def test_json_default_str() -> None:
    assert json.dumps({"id": ID}, default=str) == f'{{"id": "{ID}"}}'


@row(TYPED_IDS, "json", "`default=vars`", loud, "`TypeError`: a typed id has no `__dict__`", match="must have __dict__")
def test_json_default_vars() -> None:
    json.dumps({"id": ID}, default=vars)


@row(
    TYPED_IDS,
    "json",
    "`default=lambda o: o.__dict__`",
    loud,
    "`AttributeError` advises `str`",
    match=r"write str\(id\)",
)
def test_json_default_dict() -> None:
    json.dumps({"id": ID}, default=lambda value: value.__dict__)


@row(
    TYPED_IDS,
    "json",
    "`default` that reads `__slots__`",
    loud,
    "`TypeError` advises `str`",
    match="OrderId has no fields: write or compare str",
)
def test_json_of_slots() -> None:
    json.dumps({"id": ID}, default=lambda value: {name: getattr(value, name) for name in value.__slots__})


@row(TYPED_IDS, "orjson", "`dumps`", loud, "`TypeError` names `OrderId`", match="serializable: OrderId")
def test_orjson() -> None:
    orjson.dumps({"id": ID})


@row(TYPED_IDS, "orjson", "`default=str`", right, "the text")
def test_orjson_default_str() -> None:
    assert json.loads(orjson.dumps({"id": ID}, default=str)) == {"id": str(ID)}


# https://github.com/msgspec/msgspec/issues/289
@row(TYPED_IDS, "msgspec", "`encode`", loud, "`TypeError` names `OrderId`", match="type OrderId is unsupported")
def test_msgspec() -> None:
    msgspec.json.encode({"id": ID})


@row(
    TYPED_IDS, "msgspec", "`decode` into a field", loud, "`ValidationError` names `OrderId`", match="Expected `OrderId`"
)
def test_msgspec_decode() -> None:
    msgspec.json.decode(json.dumps(str(ID)), type=OrderId)


@row(TYPED_IDS, "msgspec", "`enc_hook=str` and a `dec_hook` that parses", right, "the text, and back")
def test_msgspec_hooks() -> None:
    encoded = msgspec.json.encode({"id": ID}, enc_hook=str)
    assert has_text(encoded)
    read = msgspec.json.Decoder(dict[str, OrderId], dec_hook=lambda _, text: OrderId.parse(text))
    assert read.decode(encoded) == {"id": ID}


@row(TYPED_IDS, "PyYAML", "`safe_dump`", loud, "`RepresenterError` names `OrderId`", match="OrderId")
def test_yaml() -> None:
    yaml.safe_dump({"id": ID})


@row(TYPED_IDS, "PyYAML", "`dump`, which writes objects of Python", right, "as in a pickle: the class and the number")
def test_yaml_objects() -> None:
    assert yaml.unsafe_load(yaml.dump({"id": ID})) == {"id": ID}


@row(TYPED_IDS, "pickle", "`dumps`, `copy`, `deepcopy`", right, "the same id; a pickle has its number")
def test_pickle() -> None:
    assert [pickle.loads(pickle.dumps(ID)), copy.copy(ID), copy.deepcopy(ID)] == [ID, ID, ID]


@row(TYPED_IDS, "cloudpickle", "a type of a module", right, "the same id")
def test_cloudpickle() -> None:
    assert pickle.loads(cloudpickle.dumps({"id": ID})) == {"id": ID}


OF_A_NOTEBOOK = """
    import cloudpickle, leafmint, leafmint.testing

    class OrderId(leafmint.TypedId, prefix="order"): ...

    def pickled():
        try:
            cloudpickle.dumps(OrderId(42))
        except TypeError as error:
            print(error)

    pickled()
    with leafmint.testing.id_keys():
        str(OrderId(42))
        pickled()
"""


@row(
    TYPED_IDS,
    "cloudpickle",
    "a type of a notebook or script",
    loud,
    "`TypeError`; move the class to a module",
    match="OrderId cannot be pickled.* move it from __main__ to a module",
)
def test_cloudpickle_of_a_notebook() -> None:
    # https://github.com/cloudpipe/cloudpickle/issues/195
    first, second = run_python(OF_A_NOTEBOOK).splitlines()
    assert first == second
    raise TypeError(first)


def same(id: OrderId) -> OrderId:
    """Return what another process was given."""
    return id


@row(TYPED_IDS, "multiprocessing", "arguments and results", right, "the same id")
def test_multiprocessing() -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(same, [ID]) == [ID]


@row(TYPED_IDS, "dataclasses", "`asdict`", right, "the id itself")
def test_dataclasses() -> None:
    @dataclasses.dataclass
    class Order:
        id: OrderId

    assert dataclasses.asdict(Order(ID)) == {"id": ID}


@row(TYPED_IDS, "csv", "`writerow`", right, "the text")
def test_csv() -> None:
    file = io.StringIO()
    csv.writer(file).writerow([ID])
    assert file.getvalue() == f"{ID}\r\n"


@row(TYPED_IDS, "urllib", "`urlencode`", right, "the text")
def test_urlencode() -> None:
    assert urlencode({"id": ID}) == f"id={ID}"


@row(TYPED_IDS, "xmlrpc", "`dumps`", loud, "`TypeError` names `OrderId`", match="OrderId")
def test_xmlrpc() -> None:
    xmlrpc.client.dumps((ID,))


@row(TYPED_IDS, "sqlite3", "a parameter", loud, "`ProgrammingError` names `OrderId`", match="type 'OrderId'")
def test_sqlite3() -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("SELECT ?", (ID,))
    connection.close()


@row(
    TYPED_IDS, "psycopg", "a parameter", loud, "`ProgrammingError` names `OrderId`", match="cannot adapt type 'OrderId'"
)
def test_psycopg(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("SELECT %s", (ID,))


@row(
    TYPED_IDS,
    "PyMySQL",
    "a parameter",
    silent,
    "sends the string, which MySQL compares as 0 with a BIGINT; pass `int(id)`",
)
def test_pymysql(mysql_url: str) -> None:
    url = sqlalchemy.make_url(mysql_url)
    account = {"user": url.username, "password": url.password or "", "database": url.database}
    with pymysql.connect(host=url.host, port=url.port or 3306, **account) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT %s", (ID,))
        assert cursor.fetchone() == (str(ID),)


@row(TYPED_IDS, "httpx2", "`params`, `data`", right, "the text")
def test_httpx() -> None:
    request = httpx2.Request("POST", "http://shop", params={"id": ID}, data={"id": ID})
    assert (request.url.query.decode(), request.content.decode()) == (f"id={ID}", f"id={ID}")


@row(TYPED_IDS, "httpx2", "`json`", loud, "`TypeError` names `OrderId`", match="OrderId is not JSON serializable")
def test_httpx_json() -> None:
    httpx2.Request("POST", "http://shop", json={"id": ID})


@row(TYPED_IDS, "argparse", "`type=OrderId.parse`", right, "the id")
def test_argparse() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("id", type=OrderId.parse)
    assert parser.parse_args([str(ID)]).id == ID


@row(TYPED_IDS, "opentelemetry-sdk", "attributes of spans", right, "the text")
def test_opentelemetry() -> None:
    span: Any = TracerProvider(shutdown_on_exit=False).get_tracer("shop").start_span("order")
    span.set_attribute("id", str(ID))
    span.set_attribute("order", ID)
    assert dict(span.attributes) == {"id": str(ID), "order": str(ID)}


@row(TYPED_IDS, "prometheus_client", "labels", right, "the text")
def test_prometheus() -> None:
    registry = CollectorRegistry()
    Counter("orders", "Orders.", ["id"], registry=registry).labels(id=ID).inc()
    assert has_text(generate_latest(registry))


@row(TYPED_IDS, "logging", '`"%s"`, f-strings, `str.format`', right, "the text")
def test_logging(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        logging.getLogger("orders").info("order %s, %r", ID, ID)
    assert caplog.messages == [f"order {ID}, OrderId('{ID}')"]
    assert f"{ID:>40}" == f"{ID!s:>40}"


@row(TYPED_IDS, "logging", '`"%d"`', right, "the number, as `int(id)`: you named an int")
def test_percent_d() -> None:
    assert logging.LogRecord("", 0, "", 0, "%d", (ID,), None).getMessage() == str(NUMBER)


@row(TYPED_IDS, "Jinja2", "`{{ id }}`", right, "the text")
def test_jinja() -> None:
    assert jinja2.Template("/orders/{{ id }}?{{ {'id': id}|urlencode }}").render(id=ID) == f"/orders/{ID}?id={ID}"


@row(TYPED_IDS, "Jinja2", "the filter `tojson`", loud, "`TypeError` names `OrderId`", match="OrderId")
def test_jinja_json() -> None:
    jinja2.Template("{{ id|tojson }}").render(id=ID)


@row(TYPED_IDS, "Jinja2", "the filter `int`", right, "the number, as `int(id)`: you named an int")
def test_jinja_int() -> None:
    assert jinja2.Template("{{ id|int }}").render(id=ID) == str(NUMBER)


@row(TYPED_IDS, "NumPy", "arrays of objects, `unique`, strings", right, "the ids; their texts")
def test_numpy() -> None:
    ids = numpy.array([OrderId(7), ID, OrderId(7)])
    assert ids.dtype == object
    assert list(numpy.unique(ids)) == [OrderId(7), ID]
    assert list(ids.astype(str)) == [str(id) for id in ids]


@row(TYPED_IDS, "NumPy", "`dtype=int64`", right, "the number, as `int(id)`: you named an int")
def test_numpy_int() -> None:
    assert numpy.array([ID]).astype(numpy.int64).tolist() == [NUMBER]


FRAME = pandas.DataFrame({"id": [ID, OrderId(7)], "total": [1, 2]})


@row(TYPED_IDS, "pandas", "`merge`, `groupby`, `to_dict`", right, "the ids")
def test_pandas() -> None:
    assert FRAME.merge(FRAME, on="id")["total_y"].tolist() == [1, 2]
    assert FRAME.groupby("id").sum()["total"].to_dict() == {ID: 1, OrderId(7): 2}
    assert FRAME.to_dict("records")[0] == {"id": ID, "total": 1}


@row(TYPED_IDS, "pandas", "`to_csv`, `to_html`, `astype(str)`", right, "the text")
def test_pandas_text() -> None:
    assert all(map(has_text, [FRAME.to_csv(), FRAME.to_html(), FRAME["id"].astype(str).tolist()]))


# https://github.com/pandas-dev/pandas/issues/14256 and /59132
@row(TYPED_IDS, "pandas", "`to_json`", loud, "`TypeError`; write `default_handler=str`", match="default_handler=str")
@pytest.mark.parametrize("orient", ["records", "columns", "table", "split"])
def test_pandas_json(orient: Any) -> None:
    FRAME.to_json(orient=orient)


@row(TYPED_IDS, "pandas", "`to_json(default_handler=str)`", right, "the text")
def test_pandas_json_handler() -> None:
    assert has_text(FRAME.to_json(default_handler=str))


@row(TYPED_IDS, "pandas", "`to_sql`", loud, "`ProgrammingError` names `OrderId`", match="OrderId")
def test_pandas_sql() -> None:
    engine = sqlalchemy.create_engine("sqlite://")
    try:
        FRAME.to_sql("orders", engine)
    finally:
        engine.dispose()


@row(TYPED_IDS, "polars", "`DataFrame`, `rows`", right, "the ids, as objects")
def test_polars() -> None:
    assert polars.DataFrame({"id": [ID]}).rows() == [(ID,)]


@row(TYPED_IDS, "polars", "`write_json`", loud, "`ComputeError`: objects have no JSON", match="'Object' datatype")
def test_polars_json() -> None:
    polars.DataFrame({"id": [ID]}).write_json()


@row(TYPED_IDS, "polars", "`Series(dtype=Int64)`", loud, "`TypeError` shows the text", match="Int64; found .* order_")
def test_polars_int() -> None:
    polars.Series([ID], dtype=polars.Int64)


@row(TYPED_IDS, "marshmallow", "`fields.String`", right, "the text")
def test_marshmallow() -> None:
    assert marshmallow.Schema.from_dict({"id": marshmallow.fields.String()})().dump({"id": ID}) == {"id": str(ID)}


@row(TYPED_IDS, "marshmallow", "`fields.Integer`", right, "the number, as `int(id)`: you named an int")
def test_marshmallow_int() -> None:
    assert marshmallow.Schema.from_dict({"id": marshmallow.fields.Integer()})().dump({"id": ID}) == {"id": NUMBER}


@row(
    TYPED_IDS, "marshmallow", "`fields.Raw`", loud, "`dumps` raises `TypeError`, which names `OrderId`", match="OrderId"
)
def test_marshmallow_raw() -> None:
    marshmallow.Schema.from_dict({"id": marshmallow.fields.Raw()})().dumps({"id": ID})


@row(TYPED_IDS, "Celery", "arguments of tasks, as JSON", loud, "`EncodeError` names `OrderId`", match="OrderId")
def test_celery_json() -> None:
    kombu.serialization.dumps([[ID], {}], "json")


@row(TYPED_IDS, "Celery", "arguments of tasks, as pickles", right, "the same id")
def test_celery_pickle() -> None:
    kind, encoding, written = kombu.serialization.dumps([[ID], {}], "pickle")
    assert kombu.serialization.loads(written, kind, encoding, accept=[kind]) == [[ID], {}]


@row(TYPED_IDS, "Flask", "`jsonify`", loud, "`TypeError` names `OrderId`", match="OrderId is not JSON serializable")
def test_flask() -> None:
    with flask.Flask("shop").app_context():
        flask.jsonify(id=ID)


@row(TYPED_IDS, "Flask", "`url_for`, templates", right, "the text")
def test_flask_urls() -> None:
    app = flask.Flask("shop")
    app.add_url_rule("/orders/<id>", "order", lambda id: flask.render_template_string("{{ id }}", id=OrderId.parse(id)))
    with app.test_request_context():
        url = flask.url_for("order", id=ID)
    assert url == f"/orders/{ID}"
    assert app.test_client().get(url).text == str(ID)


def test_flask_refuses_the_text_of_another_type() -> None:
    app = flask.Flask("shop")
    app.add_url_rule("/orders/<id>", "order", lambda id: str(OrderId.parse(id)))
    app.testing = True
    with pytest.raises(leafmint.InvalidIdError):
        app.test_client().get("/orders/42")


class Order(BaseModel):
    """A model of an answer."""

    id: OrderId


# https://github.com/fastapi/fastapi/issues/2813
@row(
    TYPED_IDS,
    "FastAPI",
    "a response without a type",
    loud,
    "500: `ValueError` names `OrderId`",
    match="'OrderId' object",
)
@pytest.mark.parametrize("answer", [ID, {"id": ID}, [ID], {ID: 1}])
def test_fastapi(answer: Any) -> None:
    app = FastAPI()
    app.get("/")(lambda: answer)
    assert TestClient(app, raise_server_exceptions=False).get("/").status_code == 500
    TestClient(app).get("/")


@row(TYPED_IDS, "FastAPI", "a response with a type, or a model", right, "the text")
def test_fastapi_typed() -> None:
    app = FastAPI()
    app.get("/typed", response_model=dict[str, OrderId])(lambda: {"id": ID})
    app.get("/model")(lambda: {"order": Order(id=ID)})
    assert TestClient(app).get("/typed").json() == {"id": str(ID)}
    assert TestClient(app).get("/model").json() == {"order": {"id": str(ID)}}


@row(TYPED_IDS, "FastAPI", "`jsonable_encoder(custom_encoder={TypedId: str})`", right, "the text")
def test_fastapi_encoder() -> None:
    assert jsonable_encoder({"id": ID}, custom_encoder={leafmint.TypedId: str}) == {"id": str(ID)}


# https://github.com/fastapi/fastapi/issues/10259
@row(
    TYPED_IDS,
    "FastAPI",
    "query, header and cookie parameters, lists and models of them",
    right,
    "the id; 422 for a number",
)
@pytest.mark.parametrize("status", [200, 422])
def test_fastapi_parameters(status: int) -> None:
    app, number = FastAPI(), str(ID) if status == 200 else str(int(ID))

    def by_query(id: OrderId, ids: Annotated[list[OrderId], Query()]) -> list[str]:
        return [str(id), *map(str, ids)]

    def by_model(order: Annotated[Order, Query()]) -> list[str]:
        return [str(order.id)]

    def by_header(id: Annotated[OrderId, Header()], other: Annotated[OrderId, Cookie()]) -> list[str]:
        return [str(id), str(other)]

    for path, endpoint in (("/query", by_query), ("/model", by_model), ("/header", by_header)):
        app.get(path)(endpoint)
    client = TestClient(app, headers={"id": number}, cookies={"other": str(ID)})
    for url in (f"/query?id={ID}&ids={number}", f"/query?id={number}&ids={ID}", f"/model?id={number}", "/header"):
        answer = client.get(url)
        assert answer.status_code == status
        assert status == 422 or set(answer.json()) == {str(ID)}


@row(TYPED_IDS, "hypothesis", "`from_type`, `builds` of a model", right, "ids of valid numbers only")
def test_hypothesis() -> None:
    @hypothesis.settings(max_examples=50, database=None)
    @hypothesis.given(strategies.from_type(OrderId), strategies.builds(Order))
    def holds(id: OrderId, order: Order) -> None:
        assert OrderId.parse(str(id)) == id
        assert Order.model_validate_json(order.model_dump_json()) == order

    holds()


# https://github.com/pydantic/pydantic/issues/12429
@row(
    TYPED_IDS,
    "pydantic",
    "fields, keys, unions, generic models bound to `TypedId`",
    right,
    "the text in JSON, the id in Python",
)
def test_pydantic() -> None:
    assert Order(id=ID).model_dump() == {"id": ID}
    assert Order(id=ID).model_dump(mode="json") == {"id": str(ID)}
    assert Order.model_validate_json(Order(id=ID).model_dump_json()) == Order(id=ID)


# https://github.com/pydantic/pydantic/issues/9247
@row(TYPED_IDS, "pydantic", "fields of the type `Any`, `serialize_as_any`, `to_json`", right, "the text in JSON")
def test_pydantic_any() -> None:
    assert pydantic.TypeAdapter(Any).dump_json({ID: [ID]}) == f'{{"{ID}":["{ID}"]}}'.encode()


@row(
    TYPED_IDS,
    "pydantic",
    "fields of the type `int`, `str` or `IdAsString`",
    loud,
    "`ValidationError`",
    match="input_type=OrderId",
)
@pytest.mark.parametrize("kind", [int, str, float, IdAsString])
def test_pydantic_other_fields(kind: Any) -> None:
    pydantic.TypeAdapter(kind).validate_python(ID)


@row(
    TYPED_IDS,
    "pydantic",
    "an unchecked number in a field",
    loud,
    "`dump` to JSON raises",
    match="an int is no id of this",
)
def test_pydantic_unchecked() -> None:
    Order.model_construct(id=NUMBER).model_dump_json()
