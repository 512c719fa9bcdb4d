"""What more libraries make of typed ids and of minted keys: those of `make test-all`."""
# mypy: disable-error-code="arg-type, import, misc, no-untyped-call, untyped-decorator, unused-ignore"

import asyncio
import dataclasses
import io
import json
import sys
import types
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import flask
import leafmint
import pytest
from gallery import KEYS_SQLALCHEMY, TYPED_IDS, loud, right, row, silent
from leafmint import late_binding
from leafmint.sqlalchemy import TypedIdType, id_column
from pydantic import BaseModel
from sqlalchemy import Column, DateTime, Engine, String, create_engine, func, select, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, configure_mappers, declarative_base, mapped_column
from sqlalchemy.pool import StaticPool
from testing import KEYS

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]

NUMBER = 2124282942359339095


class OrderId(leafmint.TypedId, prefix="order"):
    """The id of an order."""


class BillId(leafmint.TypedId, prefix="bill"):
    """The id of a bill."""


ID = OrderId(NUMBER)


@pytest.fixture(autouse=True)
def configured() -> Iterator[None]:
    """Mint in memory, and encode with keys."""
    leafmint.configure(f"memory://{uuid.uuid4()}", id_keys=KEYS)
    yield
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


@row(TYPED_IDS, "ujson", "`dumps`", loud, "`TypeError` shows the id", match="OrderId.* is not JSON serializable")
def test_ujson() -> None:
    import ujson

    ujson.dumps({"id": ID})


@row(TYPED_IDS, "ujson", "a key of a dict, `default=str`", right, "the text")
def test_ujson_text() -> None:
    import ujson

    assert ujson.dumps({ID: ID}, default=str) == f'{{"{ID}":"{ID}"}}'


@row(TYPED_IDS, "simplejson", "`dumps`", loud, "`TypeError` names `OrderId`", match="OrderId is not JSON serializable")
def test_simplejson() -> None:
    import simplejson

    simplejson.dumps({"id": ID}, for_json=True, int_as_string_bitcount=53)


@row(TYPED_IDS, "msgpack", "`packb`", loud, "`TypeError` names `OrderId`", match="can not serialize 'OrderId' object")
def test_msgpack() -> None:
    import msgpack

    msgpack.packb({"id": ID})


@row(TYPED_IDS, "pymongo", "a value of a document", loud, "`InvalidDocument` names `OrderId`", match="OrderId")
def test_bson() -> None:
    import bson

    bson.encode({"id": ID})


@row(TYPED_IDS, "pymongo", "a key of a document", loud, "`InvalidDocument` names `OrderId`", match="OrderId")
def test_bson_key() -> None:
    import bson

    bson.encode({ID: 1})  # type: ignore[dict-item]


@row(TYPED_IDS, "redis", "keys, values, arguments of commands", loud, "`DataError` names `OrderId`", match="'OrderId'")
def test_redis() -> None:
    from redis._parsers.encoders import Encoder

    Encoder("utf-8", "strict", False).encode(ID)


@row(TYPED_IDS, "dill", "a type of a module", right, "the same id")
def test_dill() -> None:
    import dill

    assert dill.loads(dill.dumps({"id": ID})) == {"id": ID}


@row(TYPED_IDS, "joblib", "`dump`, `hash`", right, "the same id; a hash for each number")
def test_joblib(tmp_path: Path) -> None:
    import joblib

    joblib.dump({"id": ID}, tmp_path / "ids")
    assert joblib.load(tmp_path / "ids") == {"id": ID}
    assert joblib.hash(ID) == joblib.hash(OrderId(NUMBER)) != joblib.hash(OrderId(7))


@dataclasses.dataclass
class Order:
    """An order."""

    id: OrderId


class OrderOut(BaseModel):
    """An answer."""

    id: OrderId


@row(TYPED_IDS, "attrs", "`asdict`", right, "the id itself")
def test_attrs() -> None:
    import attrs

    class Line:
        id: OrderId

    assert attrs.asdict(attrs.define(Line)(ID)) == {"id": ID}  # type: ignore[call-arg, arg-type]


@row(TYPED_IDS, "cattrs", "`unstructure` for JSON", loud, "`TypeError` names `OrderId`", match="OrderId is not JSON")
def test_cattrs() -> None:
    from cattrs.preconf.json import make_converter

    make_converter().dumps(Order(ID))


@row(TYPED_IDS, "cattrs", "`structure`", loud, "`StructureHandlerNotFoundError`; register a hook", match="OrderId")
def test_cattrs_structure() -> None:
    import cattrs

    cattrs.structure({"id": str(ID)}, Order)


@row(TYPED_IDS, "cattrs", "hooks with `str` and `parse`", right, "the text, and back")
def test_cattrs_hooks() -> None:
    from cattrs.preconf.json import make_converter

    converter = make_converter()
    converter.register_unstructure_hook(OrderId, str)
    converter.register_structure_hook(OrderId, lambda text, _: OrderId.parse(text))
    assert json.loads(converter.dumps(Order(ID))) == {"id": str(ID)}
    assert converter.loads(converter.dumps(Order(ID)), Order) == Order(ID)


@row(TYPED_IDS, "structlog", "events, also as JSON", right, "the text, with the name of its type")
def test_structlog() -> None:
    import structlog

    written: Any = structlog.processors.JSONRenderer()(None, "info", {"id": ID})
    assert json.loads(written) == {"id": f"OrderId('{ID}')"}


@row(TYPED_IDS, "pyarrow", "`array`, `Table.from_pylist`", loud, "`ArrowInvalid` names `OrderId`", match="type OrderId")
def test_pyarrow() -> None:
    import pyarrow

    pyarrow.array([ID])


@row(TYPED_IDS, "pyarrow", "`array(type=int64())`", right, "the number, as `int(id)`: you named an int")
def test_pyarrow_int() -> None:
    import pyarrow

    assert pyarrow.array([ID], type=pyarrow.int64()).to_pylist() == [NUMBER]


@row(TYPED_IDS, "aiohttp", "`json_response`", loud, "`TypeError` names `OrderId`", match="OrderId is not JSON")
def test_aiohttp() -> None:
    from aiohttp.web import json_response

    json_response({"id": ID})


@row(TYPED_IDS, "litestar", "a response without a model", loud, "500: the error names `OrderId`", match="OrderId")
def test_litestar() -> None:
    from litestar import get
    from litestar.testing import create_test_client

    @get("/")
    async def order() -> dict[str, Any]:
        return {"id": ID}

    with create_test_client([order]) as client:
        answer = client.get("/")
    assert answer.status_code == 500
    raise RuntimeError(answer.text)


@row(TYPED_IDS, "litestar", "models of Pydantic, `type_encoders={TypedId: str}`", right, "the text")
def test_litestar_text() -> None:
    from litestar import get
    from litestar.testing import create_test_client

    @get("/model")
    async def model() -> OrderOut:
        return OrderOut(id=ID)

    @get("/order")
    async def order() -> dict[str, Any]:
        return {"id": ID}

    with create_test_client([model, order], type_encoders={leafmint.TypedId: str}) as client:
        assert [client.get(path).json() for path in ("/model", "/order")] == [{"id": str(ID)}] * 2


def graphql(kind: Any, **options: Any) -> Any:
    """Return strawberry's answer with a typed id in a field of another type."""
    import strawberry

    def id() -> Any:
        return ID

    id.__annotations__["return"] = kind
    query = type("Query", (), {"id": strawberry.field(id), "__annotations__": {"id": kind}})
    return strawberry.Schema(strawberry.type(query), **options).execute_sync("{id}")


@row(
    TYPED_IDS, "strawberry-graphql", "a field of the type `OrderId`", loud, "`TypeError` at the schema", match="OrderId"
)
def test_strawberry() -> None:
    graphql(OrderId)


@row(TYPED_IDS, "strawberry-graphql", "fields of the types `str`, `ID`, or your own scalar", right, "the text")
def test_strawberry_text() -> None:
    import strawberry
    from strawberry.schema.config import StrawberryConfig

    scalar = strawberry.scalar(name="OrderId", serialize=str, parse_value=OrderId.parse)
    answers = [graphql(str), graphql(strawberry.ID)]
    answers.append(graphql(OrderId, config=StrawberryConfig(scalar_map={OrderId: scalar})))
    assert [answer.data for answer in answers] == [{"id": str(ID)}] * 3


@row(
    TYPED_IDS,
    "strawberry-graphql",
    "a field of the type `int`",
    loud,
    "an error in the answer",
    match="<OrderId instance>",
)
def test_strawberry_int() -> None:
    raise graphql(int).errors[0]


@row(
    TYPED_IDS,
    "polyfactory",
    "a factory of a model or dataclass",
    loud,
    "`ParameterException` names `OrderId`",
    match="OrderId",
)
@pytest.mark.parametrize("model", [Order, OrderOut])
def test_polyfactory(model: Any) -> None:
    from polyfactory.factories import BaseFactory, DataclassFactory
    from polyfactory.factories.pydantic_factory import ModelFactory

    kind: type[BaseFactory[Any]] = DataclassFactory if model is Order else ModelFactory
    kind.create_factory(model).build()


@row(TYPED_IDS, "jsonpickle", "`encode`, `decode`", right, "as in a pickle: the class and the number")
def test_jsonpickle() -> None:
    import jsonpickle

    assert jsonpickle.decode(jsonpickle.encode({"id": ID}), on_missing="error", classes=OrderId) == {"id": ID}


@row(TYPED_IDS, "jsonpickle", "`encode(unpicklable=False)`", right, "the text")
def test_jsonpickle_state() -> None:
    import jsonpickle

    assert json.loads(jsonpickle.encode({"id": ID}, unpicklable=False)) == {"id": str(ID)}


@row(TYPED_IDS, "mashumaro", "a field of a class", loud, "`UnserializableField` names `OrderId`", match="type OrderId")
def test_mashumaro() -> None:
    from mashumaro.mixins.json import DataClassJSONMixin

    dataclasses.dataclass(type("Line", (DataClassJSONMixin,), {"__annotations__": {"id": OrderId}}))


@row(
    TYPED_IDS, "dacite", "`from_dict` of a string", loud, "`WrongTypeError` names `OrderId`", match="should be .OrderId"
)
def test_dacite() -> None:
    import dacite

    dacite.from_dict(Order, {"id": str(ID)})


@row(TYPED_IDS, "dacite", "`type_hooks={OrderId: OrderId.parse}`", right, "the id")
def test_dacite_hook() -> None:
    import dacite

    assert dacite.from_dict(Order, {"id": str(ID)}, dacite.Config(type_hooks={OrderId: OrderId.parse})) == Order(ID)


@row(TYPED_IDS, "typedload", "`load`", loud, "`TypedloadTypeError` names `OrderId`", match="value of type OrderId")
def test_typedload() -> None:
    import typedload

    typedload.load({"id": str(ID)}, Order)


@row(TYPED_IDS, "fastavro", "a `string`", loud, "`TypeError` names the field", match="must be string on field id")
def test_fastavro() -> None:
    avro("string")


@row(TYPED_IDS, "fastavro", "a `long`", right, "the number, as `int(id)`: the schema names an int")
def test_fastavro_long() -> None:
    assert avro("long") == {"id": NUMBER}


def avro(kind: str) -> Any:
    """Return what Avro reads of a typed id that it wrote."""
    import fastavro

    schema = {"type": "record", "name": "order", "fields": [{"name": "id", "type": kind}]}
    file = io.BytesIO()
    fastavro.schemaless_writer(file, schema, {"id": ID})
    file.seek(0)
    return fastavro.schemaless_reader(file, schema)


@row(TYPED_IDS, "openpyxl", "a cell", loud, "`ValueError` shows the id", match="Cannot convert OrderId")
def test_openpyxl() -> None:
    import openpyxl

    openpyxl.Workbook().active["A1"] = ID


@row(TYPED_IDS, "XlsxWriter", "a cell", loud, "`TypeError` names `OrderId`", match="Unsupported type .*OrderId")
def test_xlsxwriter() -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(io.BytesIO()) as book:
        book.add_worksheet().write("A1", ID)


@row(TYPED_IDS, "click", "`type=OrderId`", loud, "`TypeError`; write `type=OrderId.parse`", match="parse takes a text")
def test_click() -> None:
    raise command_line(OrderId).exception


@row(TYPED_IDS, "click", "`type=OrderId.parse`", right, "the id")
def test_click_parse() -> None:
    assert command_line(OrderId.parse).output == f"OrderId('{ID}')\n"


def command_line(kind: Any) -> Any:
    """Return the answer of a command that takes an id."""
    import click
    from click.testing import CliRunner

    @click.command()
    @click.argument("id", type=kind)
    def show(id: Any) -> None:
        click.echo(repr(id))

    return CliRunner().invoke(show, [str(ID)])


@row(TYPED_IDS, "loguru", "messages, `serialize=True`", right, "the text")
def test_loguru() -> None:
    from loguru import logger

    written: list[str] = []
    handler = logger.add(lambda message: written.append(str(message)), serialize=True)
    logger.bind(id=ID).info("order {}", ID)
    logger.remove(handler)
    record = json.loads(written[0])["record"]
    assert (record["message"], record["extra"]) == (f"order {ID}", {"id": str(ID)})


@row(TYPED_IDS, "python-json-logger", "fields of events", right, "the text")
def test_json_logger() -> None:
    import logging

    from pythonjsonlogger.json import JsonFormatter

    record = logging.makeLogRecord({"msg": "order", "id": ID})
    assert json.loads(JsonFormatter().format(record))["id"] == str(ID)


@row(TYPED_IDS, "sentry-sdk", "values in events", right, "the text, with the name of its type")
def test_sentry() -> None:
    from sentry_sdk.serializer import serialize

    assert serialize({"extra": {"id": ID}}) == {"extra": {"id": f"OrderId('{ID}')"}}  # type: ignore[arg-type, typeddict-item]


@row(TYPED_IDS, "tomlkit", "`dumps`", loud, "`ConvertError` names `OrderId`", match="OrderId")
def test_tomlkit() -> None:
    import tomlkit

    tomlkit.dumps({"id": ID})


@row(TYPED_IDS, "jsonschema", "`validate`", loud, "`ValidationError` shows the id", match="OrderId.* is not of type")
@pytest.mark.parametrize("kind", ["string", "integer", "number"])
def test_jsonschema(kind: str) -> None:
    import jsonschema

    jsonschema.validate(ID, {"type": kind})


@row(
    TYPED_IDS,
    "protobuf",
    "an `int64`",
    loud,
    "`TypeError` names `OrderId`",
    match="'OrderId' object cannot be interpreted",
)
def test_protobuf() -> None:
    from google.protobuf import wrappers_pb2

    wrappers_pb2.Int64Value(value=ID)


@row(TYPED_IDS, "requests", "`params`, `data`", right, "the text")
def test_requests() -> None:
    import requests

    request = requests.Request("POST", "http://shop", params={"id": ID}, data={"id": ID}).prepare()
    assert (request.url, request.body) == (f"http://shop/?id={ID}", f"id={ID}")


@row(TYPED_IDS, "requests", "`json`, `headers`", loud, "an error names `OrderId`", match="OrderId")
@pytest.mark.parametrize("place", ["json", "headers"])
def test_requests_refused(place: str) -> None:
    import requests

    requests.Request("POST", "http://shop", **{place: {"id": ID}}).prepare()


@row(TYPED_IDS, "elasticsearch", "a field of a document", loud, "`SerializationError` shows the id", match="OrderId")
def test_elasticsearch() -> None:
    from elasticsearch.serializer import JsonSerializer

    JsonSerializer().dumps({"id": ID})


# https://github.com/uriyyo/fastapi-pagination/issues/724
@row(TYPED_IDS, "fastapi-pagination", "`Page[OrderId]`, `Page[OrderOut]`", right, "the text")
def test_fastapi_pagination() -> None:
    from fastapi import FastAPI
    from fastapi.testclient import TestClient
    from fastapi_pagination import Page, add_pagination, paginate

    app = FastAPI()
    app.get("/ids", response_model=Page[OrderId])(lambda: paginate([ID]))
    app.get("/orders", response_model=Page[OrderOut])(lambda: paginate([OrderOut(id=ID)]))
    add_pagination(app)
    pages = [TestClient(app).get(path).json()["items"] for path in ("/ids", "/orders")]
    assert pages == [[str(ID)], [{"id": str(ID)}]]


@row(TYPED_IDS, "dramatiq", "arguments of actors", loud, "`TypeError` names `OrderId`", match="OrderId is not JSON")
def test_dramatiq() -> None:
    from dramatiq.encoder import JSONEncoder

    JSONEncoder().encode({"args": [ID]})


@row(TYPED_IDS, "peewee", "a `BigIntegerField`, a `TextField`", right, "the number in the row; the text")
def test_peewee() -> None:
    import peewee

    database = peewee.SqliteDatabase(":memory:")

    class Note(peewee.Model):
        id = peewee.BigIntegerField(primary_key=True)
        shown = peewee.TextField()

        class Meta:
            pass

    database.bind([Note])
    database.create_tables([Note])
    Note.create(id=ID, shown=ID)
    note = Note.get(Note.id == ID)
    assert (note.id, note.shown) == (NUMBER, str(ID))
    database.close()


@row(TYPED_IDS, "asyncpg", "a `bigint` parameter", right, "the number of the row")
def test_asyncpg(postgres_url: str) -> None:
    assert asyncio.run(selected(postgres_url, "bigint")) == NUMBER


@row(TYPED_IDS, "asyncpg", "a `text` or `jsonb` parameter", loud, "`DataError` names `OrderId`", match="OrderId")
@pytest.mark.parametrize("kind", ["text", "jsonb"])
def test_asyncpg_text(postgres_url: str, kind: str) -> None:
    asyncio.run(selected(postgres_url, kind))


async def selected(url: str, kind: str) -> Any:
    """Return what the server makes of a typed id."""
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(f"SELECT $1::{kind}", ID)
    finally:
        await connection.close()


# https://github.com/aio-libs/yarl/issues/1458
@row(
    TYPED_IDS,
    "yarl",
    "`with_query`, `params` of aiohttp's client",
    silent,
    "sends the number; pass `str(id)`",
)
def test_yarl() -> None:
    from yarl import URL

    assert str(URL("/orders").with_query(id=ID)) == f"/orders?id={NUMBER}"
    assert str(URL("/orders").with_query(id=uuid.UUID(int=7))) == "/orders?id=7"  # type: ignore[arg-type]


# https://github.com/qlustered/deepdiff/issues/381
@row(
    TYPED_IDS,
    "deepdiff",
    "`DeepHash`, sets, `ignore_order`",
    loud,
    "`TypeError` names `OrderId`",
    match="OrderId has no fields: write or compare str",
)
@pytest.mark.parametrize("many", [list, set])
def test_deepdiff(many: type) -> None:
    from deepdiff import DeepDiff

    DeepDiff(many([ID]), many([OrderId(7)]), ignore_order=True)


@row(
    TYPED_IDS,
    "deepdiff",
    "objects with ids, which count as different",
    right,
    "differ, as of each type that it cannot compare",
)
def test_deepdiff_of_objects() -> None:
    from deepdiff import DeepDiff

    assert list(DeepDiff({"id": ID}, {"id": OrderId(7)})) == ["unprocessed"]
    assert DeepDiff({"id": ID}, {"id": ID}) == {}


# https://github.com/fastapi/typer/issues/499
@row(TYPED_IDS, "typer", "an argument of the type `OrderId`", right, "the id; numbers are refused")
def test_typer() -> None:
    import typer
    from typer.testing import CliRunner

    app, given = typer.Typer(), []

    @app.command()
    def show(id: OrderId) -> None:
        given.append(id)

    assert CliRunner().invoke(app, [str(ID)]).exit_code == 0
    assert given == [ID]
    refused = CliRunner().invoke(app, [str(NUMBER)])
    assert refused.exit_code == 2
    assert "Invalid value for 'id'" in refused.output


# https://github.com/BeanieODM/beanie/issues/430
@row(TYPED_IDS, "beanie", "a field of a document", loud, "`ValueError` shows the id", match="Cannot encode OrderId")
def test_beanie() -> None:
    from beanie.odm.utils.encoder import Encoder

    Encoder().encode(OrderOut(id=ID))


@row(TYPED_IDS, "beanie", "`bson_encoders = {TypedId: str}`", right, "the text")
def test_beanie_with_encoder() -> None:
    from beanie.odm.utils.encoder import Encoder

    assert Encoder(custom_encoders={leafmint.TypedId: str}).encode(OrderOut(id=ID)) == {"id": str(ID)}


# https://github.com/tortoise/tortoise-orm/issues/1052
@row(TYPED_IDS, "tortoise-orm", "keys of `BigIntField`, relations, a `TextField`", right, "numbers in rows; the text")
def test_tortoise(monkeypatch: pytest.MonkeyPatch) -> None:
    from tortoise import Tortoise, fields, models

    class Bill(models.Model):
        id = fields.BigIntField(primary_key=True, generated=False)
        shown = fields.TextField()

    class Line(models.Model):
        id = fields.IntField(primary_key=True)
        bill: Any = fields.ForeignKeyField("shop.Bill", related_name="lines")

    shop: Any = types.ModuleType("tortoise_shop")
    shop.Bill, shop.Line = Bill, Line
    monkeypatch.setitem(sys.modules, shop.__name__, shop)

    async def kept() -> list[Any]:
        await Tortoise.init(db_url="sqlite://:memory:", modules={"shop": [shop.__name__]})
        try:
            await Tortoise.generate_schemas()
            await Bill.create(id=ID, shown=ID)
            await Line.create(bill_id=ID)
            bill: Any = await Bill.get(id=ID).prefetch_related("lines")
            return [bill.pk, bill.shown, [line.bill_id for line in bill.lines], await Bill.filter(pk__in=[ID]).count()]
        finally:
            await Tortoise.close_connections()

    assert asyncio.run(kept()) == [NUMBER, str(ID), [NUMBER], 1]


# https://github.com/NilCoalescing/djangochannelsrestframework/issues/154
@row(
    TYPED_IDS,
    "channels-redis",
    "`group_send` of a message with an id",
    loud,
    "`TypeError` names `OrderId`",
    match="OrderId",
)
@pytest.mark.parametrize("form", ["msgpack", "json"])
def test_channels(form: str) -> None:
    from channels_redis.core import RedisChannelLayer

    RedisChannelLayer(serializer_format=form).serialize({"type": "order.changed", "id": ID})


@pytest.fixture
def pony() -> Iterator[Any]:
    """Return a model of pony's with a note whose key and text are an id's."""
    from pony import orm

    database = orm.Database()

    class Note(database.Entity):  # type: ignore[name-defined]
        id = orm.PrimaryKey(int, size=64)
        shown = orm.Required(str)
        more = orm.Optional(orm.Json)

    database.bind("sqlite", ":memory:")
    database.generate_mapping(create_tables=True)
    with orm.db_session:
        Note(id=NUMBER, shown=str(ID))
        orm.flush()
        yield Note
        orm.rollback()
    database.disconnect()


# https://github.com/ponyorm/pony/issues/662
@row(TYPED_IDS, "pony", "keys, conditions, `Json`", loud, "`TypeError` names `OrderId`", match="OrderId")
@pytest.mark.parametrize(
    "use",
    [
        lambda note: note[ID],
        lambda note: note(id=ID, shown="new"),
        lambda note: note.get(shown=ID),
        lambda note: list(note.select(lambda it: it.shown == ID)),
        lambda note: (note(id=7, shown="new", more={"id": ID}), note._database_.flush()),
    ],
    ids=["key", "new", "get", "select", "json"],
)
def test_pony(pony: Any, use: Callable[[Any], object]) -> None:
    use(pony)


def piccolo(folder: Path, use: Callable[[Any], Any]) -> Any:
    """Return what a use of a model of piccolo's returns, which has a note whose key and text are an id's."""
    from piccolo.columns import JSON, BigInt, Text
    from piccolo.engine.sqlite import SQLiteEngine
    from piccolo.table import Table

    engine = SQLiteEngine(path=str(folder / "piccolo.sqlite"))

    class Note(Table, db=engine):  # type: ignore[call-arg]
        id = BigInt(primary_key=True)
        shown = Text()
        more = JSON(null=True)

    async def used() -> Any:
        await Note.create_table()
        await Note.insert(Note(id=NUMBER, shown=str(ID))).run()
        return await use(Note)

    return asyncio.run(used())


# https://github.com/piccolo-orm/piccolo/issues/32
@row(TYPED_IDS, "piccolo", "keys, conditions", loud, "`ProgrammingError` names `OrderId`", match="type 'OrderId'")
@pytest.mark.parametrize(
    "use",
    [
        lambda note: note.objects().get(note.id == ID),
        lambda note: note.exists().where(note.shown == ID),
        lambda note: note.insert(note(id=ID, shown="new")).run(),
        lambda note: note.insert(note(id=7, shown=ID)).run(),
    ],
    ids=["get", "exists", "key", "text"],
)
def test_piccolo(tmp_path: Path, use: Callable[[Any], Any]) -> None:
    piccolo(tmp_path, use)


@row(TYPED_IDS, "piccolo", "a `JSON` column", right, "the text")
def test_piccolo_json(tmp_path: Path) -> None:
    async def kept(note: Any) -> Any:
        await note.insert(note(id=7, more={"id": ID})).run()
        return await note.select(note.more).where(note.id == 7)

    [row] = piccolo(tmp_path, kept)
    assert json.loads(row["more"]) == {"id": str(ID)}


# https://github.com/aio-libs/aiocache/issues/641
@row(TYPED_IDS, "aiocache", "arguments of `cached`, keys, `PickleSerializer`", right, "a value for each id")
def test_aiocache() -> None:
    from aiocache import SimpleMemoryCache, cached
    from aiocache.serializers import PickleSerializer

    asked: list[Any] = []

    @cached()
    async def found(id: Any) -> Any:
        asked.append(id)
        return id

    async def used() -> Any:
        cache = SimpleMemoryCache(serializer=PickleSerializer())
        await cache.set(ID, ID)
        found_again = [await found(id) for id in (ID, OrderId(NUMBER), OrderId(7), BillId(7), 7)]
        return found_again, await cache.get(OrderId(NUMBER)), await cache.get(OrderId(7))

    assert asyncio.run(used()) == ([ID, ID, OrderId(7), BillId(7), 7], ID, None)
    assert asked == [ID, OrderId(7), BillId(7), 7]


@row(TYPED_IDS, "aiocache", "`JsonSerializer`", loud, "`TypeError` names `OrderId`", match="OrderId")
def test_aiocache_json() -> None:
    from aiocache import SimpleMemoryCache
    from aiocache.serializers import JsonSerializer

    asyncio.run(SimpleMemoryCache(serializer=JsonSerializer()).set("id", ID))


# https://github.com/grantjenks/python-diskcache/issues/233
@row(TYPED_IDS, "diskcache", "keys and values, `memoize`", right, "a value for each id")
def test_diskcache(tmp_path: Path) -> None:
    from diskcache import Cache

    with Cache(str(tmp_path)) as cache:
        cache[ID], cache[BillId(NUMBER)], cache[NUMBER] = ID, "bill", "number"
        assert [cache[OrderId(NUMBER)], cache[BillId(NUMBER)], cache[NUMBER]] == [ID, "bill", "number"]
        assert OrderId(7) not in cache
        assert list(cache) == [ID, BillId(NUMBER), NUMBER]
        asked: list[Any] = []

        @cache.memoize()
        def found(id: Any) -> Any:
            asked.append(id)
            return id

        ids = [ID, OrderId(NUMBER), OrderId(7), BillId(7), 7]
        assert [found(id) for id in ids] == ids
        assert asked == [ID, *ids[2:]]


@row(TYPED_IDS, "diskcache", "`JSONDisk`", loud, "`TypeError` names `OrderId`", match="OrderId")
def test_diskcache_json(tmp_path: Path) -> None:
    from diskcache import Cache, JSONDisk

    with Cache(str(tmp_path), disk=JSONDisk) as cache:
        cache["id"] = ID


# https://github.com/itamarst/eliot/pull/516
@row(TYPED_IDS, "eliot", "fields of messages", right, "the text, with the name of its type")
def test_eliot() -> None:
    import eliot

    out = io.StringIO()
    to_text = eliot.FileDestination(file=out)
    eliot.add_destinations(to_text)
    try:
        eliot.log_message("order", id=ID, all=[ID], by={"name": ID})
    finally:
        eliot.remove_destination(to_text)
    message = json.loads(out.getvalue())
    assert (message["id"], message["all"], message["by"]) == (repr(ID), [repr(ID)], {"name": repr(ID)})


def mongo_note() -> Any:
    """Return a class of documents."""
    import mongoengine

    class Note(mongoengine.Document):
        id = mongoengine.LongField(primary_key=True)
        shown = mongoengine.StringField()
        more = mongoengine.DictField()

    return Note


# https://github.com/hmarr/mongoengine/pull/300
@row(TYPED_IDS, "mongoengine", "a `LongField`, also in queries", right, "the number, as `int(id)`: the field names it")
def test_mongoengine() -> None:
    from mongoengine.queryset.transform import query

    note = mongo_note()
    made = note(id=ID)
    made.validate()
    assert made.to_mongo()["_id"] == NUMBER
    assert query(note, id__in=[ID]) == {"_id": {"$in": [NUMBER]}}


@row(
    TYPED_IDS,
    "mongoengine",
    "a `StringField`, a `DictField`, queries of them",
    loud,
    "an error names the field or `OrderId`",
    match="OrderId|StringField only accepts string values",
)
@pytest.mark.parametrize("made", [{"shown": ID}, {"more": {"id": ID}}])
@pytest.mark.parametrize("asked", [False, True])
def test_mongoengine_text(made: dict[str, Any], asked: bool) -> None:
    import bson
    import mongoengine
    from mongoengine.queryset.transform import query

    note = mongo_note()
    if asked:
        bson.encode(query(note, **made))
    document = note(id=7, **made)
    try:
        document.validate()
    except mongoengine.ValidationError as error:
        # It is an AssertionError, too, as if a test had failed.
        raise TypeError(str(error)) from None
    bson.encode(document.to_mongo())


class Base(DeclarativeBase):
    """Models with typed keys."""


class Bill(Base):
    """A bill, which may replace another one."""

    __tablename__ = "bills"
    id: Mapped[OrderId] = id_column("bill", type=OrderId)
    replaces: Mapped[OrderId | None] = mapped_column(TypedIdType(OrderId))
    note: Mapped[str | None]


@pytest.fixture
def engine() -> Iterator[Engine]:
    """Return an engine on a database in memory with one bill."""
    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(Bill(id=ID))
        session.commit()
    yield engine
    engine.dispose()


def admin(engine: Engine, **options: Any) -> Any:
    """Return a client of flask-admin's pages of bills."""
    from flask_admin import Admin
    from flask_admin.contrib.sqla import ModelView

    app = flask.Flask("shop")
    app.secret_key, app.testing = "key", True
    Admin(app).add_view(type("Bills", (ModelView,), options)(Bill, Session(engine), endpoint="bill", url="/bill"))
    return app.test_client()


@row(TYPED_IDS, "Flask-Admin", "lists and exports", right, "the text")
def test_flask_admin(engine: Engine) -> None:
    client = admin(engine, column_list=["id", "replaces"], can_export=True)
    for page in ("/bill/", "/bill/export/csv/"):
        shown = client.get(page).text
        assert str(ID) in shown
        assert str(NUMBER) not in shown


@row(
    TYPED_IDS,
    "Flask-Admin",
    "forms, without the typed column",
    right,
    "no field for a typed column, as for each type that it does not know",
)
def test_flask_admin_form(engine: Engine) -> None:
    form = admin(engine, form_columns=["replaces", "note"]).get("/bill/new/").text
    assert 'name="note"' in form
    assert 'name="replaces"' not in form


# https://github.com/pallets-eco/flask-admin/issues/1444
@row(
    TYPED_IDS,
    "Flask-Admin",
    "the page of one row",
    loud,
    "500: `InvalidArgumentError` names `OrderId`",
    match="OrderId.parse",
)
def test_flask_admin_row(engine: Engine) -> None:
    admin(engine).get("/bill/edit/", query_string={"id": str(ID)})


@row(
    TYPED_IDS,
    "Flask-Admin",
    "`column_filters`",
    loud,
    "an error at the start names the column",
    match="Unsupported filter type id",
)
def test_flask_admin_filter(engine: Engine) -> None:
    admin(engine, column_filters=["id"])


def starlette_pages(engine: Engine, *fields: Any) -> Any:
    """Return a client of starlette-admin's pages of bills."""
    from starlette.applications import Starlette
    from starlette.testclient import TestClient
    from starlette_admin.contrib.sqla import Admin, ModelView

    app, pages = Starlette(), Admin(engine)
    pages.add_view(type("Bills", (ModelView,), {"fields": fields} if fields else {})(Bill))
    pages.mount_to(app)
    return TestClient(app)


# https://github.com/jowilf/starlette-admin/issues/552
@row(
    TYPED_IDS,
    "starlette-admin",
    "a view that declares no fields",
    loud,
    "`NotSupportedColumn`; declare a `StringField`",
    match="NotSupportedColumn",
)
def test_starlette_admin(engine: Engine) -> None:
    starlette_pages(engine)


@row(TYPED_IDS, "starlette-admin", "lists, with declared fields or without the key", right, "the text")
def test_starlette_admin_list(engine: Engine) -> None:
    from starlette_admin import StringField

    for fields in ([StringField("id"), "note"], ["note"]):
        shown = starlette_pages(engine, *fields).get("/admin/bill/list").text
        assert str(ID) in shown
        assert str(NUMBER) not in shown


@row(
    TYPED_IDS,
    "starlette-admin",
    "the pages of one row",
    loud,
    "500: `TypeError` names `OrderId`",
    match="OrderId takes an int, not str",
)
def test_starlette_admin_row(engine: Engine) -> None:
    starlette_pages(engine, "note").get("/admin/bill/detail", params={"pk": str(ID)})


# https://github.com/strawberry-graphql/strawberry-sqlalchemy/issues/22
@row(
    TYPED_IDS,
    "strawberry-sqlalchemy-mapper",
    "a model with a typed column",
    loud,
    "`UnsupportedColumnType` names the column",
    match="UnsupportedColumnType.* on column: `id`",
)
def test_strawberry_sqlalchemy() -> None:
    from strawberry_sqlalchemy_mapper import StrawberrySQLAlchemyMapper

    StrawberrySQLAlchemyMapper().type(Bill)(type("BillOut", (), {}))


@row(
    TYPED_IDS,
    "strawberry-sqlalchemy-mapper",
    "`extra_sqlalchemy_type_to_strawberry_type_map={TypedIdType: str}`",
    right,
    "the text",
)
def test_strawberry_sqlalchemy_text() -> None:
    import strawberry
    from strawberry_sqlalchemy_mapper import StrawberrySQLAlchemyMapper

    mapper: Any = StrawberrySQLAlchemyMapper(extra_sqlalchemy_type_to_strawberry_type_map={TypedIdType: str})
    out = mapper.type(Bill)(type("BillOut", (), {}))
    mapper.finalize()
    field = strawberry.field(resolver=lambda: Bill(id=ID), graphql_type=out)
    schema = strawberry.Schema(strawberry.type(type("Query", (), {"bill": field})))
    answer = schema.execute_sync("{ bill { id replaces } }")
    assert answer.data == {"bill": {"id": str(ID), "replaces": None}}


# https://github.com/sqlalchemy/sqlalchemy/issues/11160
@row(
    KEYS_SQLALCHEMY,
    "SQLAlchemy",
    "typed keys as sentinels of many rows on PostgreSQL",
    right,
    "each row has its own id",
)
def test_sentinels(own_schema: Engine) -> None:
    base = declarative_base()

    class Stamped(base):  # type: ignore[valid-type]
        __tablename__ = "stamped"
        id = id_column("stamped", type=OrderId)
        of: Any = Column(TypedIdType(OrderId))
        at = Column(DateTime, server_default=func.now())

    base.metadata.create_all(own_schema)
    with Session(own_schema) as session:
        rows = [Stamped(of=OrderId(number)) for number in range(1500)]
        session.add_all(rows)
        session.commit()
        kept: Any = dict(session.execute(select(Stamped.id, Stamped.of)).tuples().all())
        assert kept == {row.id: row.of for row in rows}


@row(KEYS_SQLALCHEMY, "Flask-SQLAlchemy", "`add`, `paginate`, `get_or_404`", right, "each row has an id")
def test_flask_sqlalchemy() -> None:
    from flask_sqlalchemy import SQLAlchemy

    app = flask.Flask("shop")
    app.config["SQLALCHEMY_DATABASE_URI"] = "sqlite://"
    database = SQLAlchemy(app, model_class=Base)
    with app.app_context():
        database.create_all()
        bills = [Bill(), Bill()]
        database.session.add_all(bills)
        database.session.commit()
        assert [bill.id for bill in database.paginate(select(Bill).order_by(Bill.id))] == [OrderId(1), OrderId(2)]
        assert database.get_or_404(Bill, OrderId(2)) is bills[1]


@row(
    KEYS_SQLALCHEMY,
    "advanced-alchemy",
    "a repository's `add_many`, `upsert`, `get`, `list`",
    right,
    "each row has an id",
)
def test_advanced_alchemy(engine: Engine) -> None:
    from advanced_alchemy.filters import CollectionFilter
    from advanced_alchemy.repository import SQLAlchemySyncRepository

    class Bills(SQLAlchemySyncRepository[Bill]):  # type: ignore[type-var]
        model_type = Bill

    with Session(engine) as session:
        bills = Bills(session=session)
        made = bills.add_many([Bill(), Bill()])
        assert [bill.id for bill in made] == [OrderId(1), OrderId(2)]
        assert bills.upsert(Bill(id=OrderId(2), note="paid")).id == OrderId(2)
        assert bills.get(OrderId(2)).note == "paid"
        assert [bill.id for bill in bills.list(CollectionFilter("id", [ID]))] == [ID]
        assert bills.count() == 3


@row(KEYS_SQLALCHEMY, "SQLAlchemy-Continuum", "history, `revert`", right, "each version has the id of its row")
def test_continuum() -> None:
    import sqlalchemy_continuum

    sqlalchemy_continuum.make_versioned(user_cls=None)
    models: Any = declarative_base()

    class Article(models):
        __tablename__ = "articles"
        __versioned__: dict[str, Any] = {}  # noqa: RUF012
        id = id_column("article", type=OrderId)
        name = Column(String)

    configure_mappers()
    engine = create_engine("sqlite://")
    models.metadata.create_all(engine)
    try:
        with Session(engine) as session:
            article: Any = Article(name="a")
            session.add(article)
            session.commit()
            article.name = "b"
            session.commit()
            assert [(version.id, version.name) for version in article.versions] == [
                (OrderId(1), "a"),
                (OrderId(1), "b"),
            ]
            assert session.execute(text("SELECT id, name FROM articles_version")).all() == [(1, "a"), (1, "b")]
            article.versions[0].revert()
            session.commit()
            assert (article.id, article.name) == (OrderId(1), "a")
    finally:
        sqlalchemy_continuum.remove_versioning()
        engine.dispose()


@row(KEYS_SQLALCHEMY, "polyfactory", "`SQLAlchemyFactory`, keys left to the model", right, "each row has an id")
def test_polyfactory_rows(engine: Engine) -> None:
    from polyfactory.factories.sqlalchemy_factory import SQLAlchemyFactory

    class Model(DeclarativeBase): ...

    class Note(Model):
        __tablename__ = "notes"
        id: Mapped[int] = id_column("note")
        text: Mapped[str]

    class Notes(SQLAlchemyFactory[Note]):
        __set_primary_key__ = False

    Model.metadata.create_all(engine)
    with Session(engine) as session:
        Notes.__session__ = session
        assert sorted(note.id for note in Notes.create_batch_sync(3)) == [1, 2, 3]
