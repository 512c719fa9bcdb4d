"""The subjects: each call that is measured, its set-up, and its repetitions in a sample."""

from __future__ import annotations

import itertools
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

import leafmint
import numpy
import python_uuidv47
import tsidpy
import uuid_utils
from hashids import Hashids
from optimus_ids import Optimus
from snowflake import SnowflakeGenerator
from sqids import Sqids
from typeid import TypeID

UNSATURATED = "timestamp:41,worker:2,sequence:20"
SMALL, LARGE = 1000, 100_000
ALIKE = range(2**17, 2**17 + SMALL)
"""Ids like those of a tag. A list that starts at 0 would have a quarter of its ints from the interpreter's cache."""
INVOICE = "INV-{yy}{month}{day}-{number:6}-{check:damm}"
NUMBER, DAY = 424_242, date(2026, 11, 25)
SNOWFLAKE = 2_124_282_942_359_339_095
KEYS = ["lmk0_" + bytes(range(32)).hex()]
MEMBER = "M-{number:8}-{check:damm}"
ORDER = "{year}{month}{day}-{number:9}"


Loop = Callable[[Any, Iterable[None]], None]


def calls(made: Any, rounds: Iterable[None]) -> None:
    """Calls it in each round."""
    for _ in rounds:
        made()


def calls_and_reads_the_clock(made: Any, rounds: Iterable[None]) -> None:
    """Reads the clock too, without a frame of its own for both."""
    clock = time.time
    for _ in rounds:
        clock()
        made()


def reads_numbers(made: Any, rounds: Iterable[None]) -> None:
    """Calls it, and reads the number of what it returns."""
    for _ in rounds:
        made().number  # noqa: B018


def reads_texts(made: Any, rounds: Iterable[None]) -> None:
    """Calls it, and reads the text of what it returns."""
    for _ in rounds:
        made().text  # noqa: B018


def formats(made: Any, rounds: Iterable[None]) -> None:
    """Passes a number."""
    for _ in rounds:
        made(NUMBER)


def formats_with_a_date(made: Any, rounds: Iterable[None]) -> None:
    """Passes a number and a date."""
    for _ in rounds:
        made(NUMBER, on=DAY)


@dataclass(frozen=True)
class Subject:
    """A call that returns `ids` ids."""

    name: str
    setup: Callable[[], Any]
    configuration: str
    repeats: int
    ids: int = 1
    loop: Loop = calls


def tag() -> leafmint.Tag:
    """Opens a tag with ids in hand."""
    opened = leafmint.SegmentGenerator("memory:", default_step=1000).tag("bench")
    opened.next_ids(2**17)
    return opened


def orders() -> leafmint.Series:
    """Opens a series with numbers in hand."""
    ids = leafmint.SegmentGenerator("memory:", default_step=1000)
    opened = ids.series("order", period="day", zone="Europe/Madrid", format=ORDER)
    opened.next_many(2**17)
    return opened


def flakes() -> leafmint.SnowflakeGenerator:
    """Opens a generator of snowflakes whose rate limit no benchmark reaches."""
    opened = leafmint.SnowflakeGenerator("local:" + tempfile.mkdtemp(prefix="leafmint-bench-"), layout=UNSATURATED)
    opened.next_id()
    # A service mints for longer than the half second in which the processor's counter is measured, and not yet used.
    time.sleep(1)
    return opened


def theirs() -> Callable[[], int | None]:
    """Opens a generator of snowflake-id."""
    return SnowflakeGenerator(1).__next__


def tsids() -> Callable[[], Any]:
    """Opens a generator of tsidpy."""
    return tsidpy.TSIDGenerator(node=1, node_bits=2).create


class OrderId(leafmint.TypedId, prefix="order"):
    """A type of ids."""


def typed() -> Callable[[], str]:
    """Makes a typed id, whose type has its keys."""
    leafmint.configure(id_keys=KEYS)
    return partial(str, OrderId(SNOWFLAKE))


def decoding() -> Callable[[], int]:
    """Binds the text of a snowflake."""
    orders = leafmint.PublicIds("order", KEYS)
    return partial(orders.decode, orders.encode(SNOWFLAKE))


def uuidv47() -> Callable[[], str]:
    """Masks a UUIDv7."""
    python_uuidv47.set_keys(1, 2)
    return partial(python_uuidv47.encode, str(uuid_utils.uuid7()))


def counting() -> Iterator[int]:
    """Returns a counter."""
    return itertools.count()


LEAFMINT = "memory:, step 1000 and growing by leafmint's own policy"
FLAKES = f"local:, {UNSATURATED}, so that the cap is out of reach"

SUBJECTS = [
    Subject("count", lambda: counting().__next__, "a bound itertools.count().__next__", 200_000),
    Subject("next_id", lambda: tag().next_id, f"a bound tag.next_id, {LEAFMINT}", 200_000),
    Subject(
        "next_id and time",
        lambda: tag().next_id,
        f"time.time, and a bound tag.next_id, {LEAFMINT}",
        100_000,
        loop=calls_and_reads_the_clock,
    ),
    Subject(
        "number", lambda: orders().next, f"a bound series.next, and .number, {LEAFMINT}", 50_000, loop=reads_numbers
    ),
    Subject("text", lambda: orders().next, f"a bound series.next, and .text, {ORDER}", 50_000, loop=reads_texts),
    Subject("format", lambda: leafmint.Format("{number}").format, "a bound format, {number}", 50_000, loop=formats),
    Subject(
        "format invoice",
        lambda: leafmint.Format(INVOICE).format,
        f"a bound format, {INVOICE}",
        50_000,
        loop=formats_with_a_date,
    ),
    Subject("time", lambda: time.time, "time.time", 200_000),
    Subject("call", lambda: NUMBER.conjugate, "a bound int.conjugate, which returns what it is called on", 200_000),
    Subject("flake", lambda: flakes().next_id, f"a bound next_id, {FLAKES}", 100_000),
    Subject("snowflake-id", theirs, "snowflake-id 1.0.2, a bound __next__, 12 sequence bits and no other", 30_000),
    Subject("tsidpy", tsids, "tsidpy 1.1.5, a bound TSIDGenerator.create, 2 node bits", 10_000),
    Subject("uuid7", lambda: uuid_utils.uuid7, "uuid-utils 1.2.0, uuid7 (128 bits)", 50_000),
    Subject("uuid4", lambda: uuid.uuid4, "uuid.uuid4 (128 bits, random)", 10_000),
    Subject(
        "public id",
        lambda: partial(leafmint.PublicIds("order", KEYS).encode, SNOWFLAKE),
        "a bound public_ids.encode of a snowflake",
        50_000,
    ),
    Subject("public id decoded", decoding, "a bound public_ids.decode of a snowflake", 50_000),
    Subject("typed id", typed, "str of a typed id of a snowflake", 20_000),
    Subject(
        "scrambled",
        lambda: partial(leafmint.ScrambledNumbers("member", KEYS, format=MEMBER).encode, NUMBER),
        f"a bound scrambled.encode, {MEMBER}",
        10_000,
    ),
    Subject("sqids", lambda: partial(Sqids().encode, [SNOWFLAKE]), "sqids 0.5.2, encode of a snowflake", 2000),
    Subject(
        "hashids", lambda: partial(Hashids("salt").encode, SNOWFLAKE), "hashids 1.3.1, encode of a snowflake", 2000
    ),
    Subject(
        "Optimus",
        lambda: partial(Optimus(1580030173, random=1163945558).encode, SNOWFLAKE),
        "python-optimus 1.0.1, encode of a snowflake to an int",
        50_000,
    ),
    Subject("TypeID", lambda: lambda: str(TypeID("order")), "typeid-python 0.3.11, made, and str", 5000),
    Subject("UUIDv47", uuidv47, "python-uuidv47 1.0.9, encode of a text", 50_000),
    Subject("uuid7 text", lambda: lambda: str(uuid_utils.uuid7()), "uuid-utils 1.2.0, uuid7 made, and str", 20_000),
    Subject("uuid4 text", lambda: lambda: str(uuid.uuid4()), "uuid.uuid4 made, and str", 10_000),
    Subject("list(range)", lambda: lambda: list(range(SMALL)), "list(range(1000))", 1000, SMALL),
    Subject("list(range) alike", lambda: lambda: list(ALIKE), f"list({ALIKE})", 1000, SMALL),
    Subject("next_ids", lambda: bound(tag().next_ids, SMALL), f"tag.next_ids(1000), {LEAFMINT}", 1000, SMALL),
    Subject("arange", lambda: bound(numpy.arange, SMALL), "numpy.arange(1000)", 10_000, SMALL),
    Subject("next_array", lambda: bound(tag().next_array, SMALL), f"tag.next_array(1000), {LEAFMINT}", 10_000, SMALL),
    Subject("arange large", lambda: bound(numpy.arange, LARGE), "numpy.arange(100000)", 200, LARGE),
    Subject(
        "next_array large", lambda: bound(tag().next_array, LARGE), f"tag.next_array(100000), {LEAFMINT}", 200, LARGE
    ),
]


def bound(call: Callable[[int], Any], count: int) -> Callable[[], Any]:
    """Binds the argument of a batch. All batches are measured in this way."""
    return lambda: call(count)
