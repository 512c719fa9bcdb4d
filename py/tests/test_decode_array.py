"""Decoding columns: arrays, columns of pandas and polars and any other iterable of ints."""

import array
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import leafmint
import numpy
import pandas  # type: ignore[import-untyped]
import polars
import pytest
from testing import run_python, vector

PARTS = ["timestamp", "datacenter_id", "worker_id", "sequence", "gene"]

LEAF = leafmint.Layout("leaf")

IDS = [LEAF.compose(1_700_000_000_000 + i, worker_id=i % 1024, sequence=i % 4096) for i in range(100)]

SHAPES: dict[str, Callable[[list[int]], Any]] = {
    "list": list,
    "tuple": tuple,
    "iterator": iter,
    "array": lambda ids: array.array("q", ids),
    "memoryview": lambda ids: memoryview(array.array("q", ids)),
    "int64": lambda ids: numpy.array(ids, dtype="int64"),
    "uint64": lambda ids: numpy.array(ids, dtype="uint64"),
    "big-endian": lambda ids: numpy.array(ids, dtype=">i8"),
    "every second element": lambda ids: numpy.repeat(numpy.array(ids), 2)[::2],
    "masked, without a mask": numpy.ma.array,
    "objects": lambda ids: numpy.array(ids, dtype=object),
    "pandas": pandas.Series,
    "pandas Int64": lambda ids: pandas.Series(ids, dtype="Int64"),
    "pandas index": pandas.Index,
    "polars": polars.Series,
    "polars UInt64": lambda ids: polars.Series(ids, dtype=polars.UInt64),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_shape_of_ids_decodes_to_the_same_columns(shape: Callable[[list[int]], Any]) -> None:
    columns = LEAF.decode_array(shape(IDS))
    assert list(columns) == PARTS
    assert [column.dtype for column in columns.values()] == [numpy.dtype("datetime64[ms]"), *[numpy.dtype("int64")] * 4]
    for index, parts in enumerate(map(LEAF.decode, IDS)):
        assert columns["timestamp"][index].astype(int) == parts.timestamp_millis
        assert [columns[part][index] for part in PARTS[1:]] == [getattr(parts, part) for part in PARTS[1:]]


@pytest.mark.parametrize(
    "empty", [[], (), numpy.array([]), pandas.Series([]), polars.Series([])], ids=lambda e: str(type(e))
)
def test_no_ids_decode_to_empty_columns(empty: Any) -> None:
    assert [len(column) for column in LEAF.decode_array(empty).values()] == [0] * 5


@pytest.mark.parametrize("case", vector("decode")["ids"])
def test_the_parts_are_those_of_every_language(case: dict[str, Any]) -> None:
    columns = leafmint.Layout(case["layout"], epoch=case["epoch"]).decode_array([case["id"]])
    decoded = {
        "timestamp": columns.pop("timestamp").astype(int)[0],
        **{name: part[0] for name, part in columns.items()},
    }
    assert decoded == {
        "timestamp": case["timestamp"],
        "datacenter_id": case["datacenter"],
        "worker_id": case["worker_id"],
        "sequence": case["sequence"],
        "gene": case["gene"],
    }


def test_the_columns_make_a_data_frame_of_pandas_and_of_polars() -> None:
    ids = pandas.Series(IDS)
    frame = pandas.DataFrame(LEAF.decode_array(ids))
    assert list(frame.columns) == PARTS
    assert frame["timestamp"].dt.tz_localize("UTC").iloc[0] == pandas.Timestamp(LEAF.decode(IDS[0]).timestamp)
    table = polars.DataFrame(LEAF.decode_array(polars.Series(IDS)))
    assert table.schema["timestamp"] == polars.Datetime("ms")
    assert table["worker_id"].to_list() == frame["worker_id"].to_list()


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([1, -1], r"ids\[1\]: -1 is not an id: it is negative"),
        ([1, 2**64], r"ids\[1\]=18446744073709551616 does not fit 64 bits"),
        (numpy.array([0, 0, -5]), r"ids\[2\]: -5 is not an id"),
        (numpy.array([1, 2**63], dtype="uint64"), r"ids\[1\]: 9223372036854775808 does not fit 64 bits"),
        (numpy.append(numpy.zeros(100_000, dtype="int64"), -1), r"ids\[100000\]: -1 is not an id"),
    ],
    ids=["negative", "huge", "array", "unsigned", "large array"],
)
def test_an_invalid_id_is_named_by_its_index(ids: Any, message: str) -> None:
    with pytest.raises(leafmint.InvalidIdError, match=f"^{message}"):
        LEAF.decode_array(ids)


@pytest.mark.parametrize(
    "wrong",
    [
        5,
        None,
        "12",
        b"12",
        bytearray(8),
        [1, None],
        [1, True],
        [1, 2.0],
        ["1"],
        numpy.array([1.0]),
        numpy.array([True]),
        numpy.array([[1]]),
        numpy.array(5),
        numpy.ma.array([1, 2], mask=[False, True]),
        numpy.ma.array([1, 2], mask=True, dtype=object),
        numpy.array([1], dtype="datetime64[ms]"),
        pandas.Series([1, None]),
        pandas.Series([1, None], dtype="Int64"),
        polars.Series([1, None]),
        pandas.DataFrame({"id": [1]}),
    ],
    ids=lambda wrong: repr(wrong)[:20],
)
def test_what_holds_no_ints_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^ids"):
        LEAF.decode_array(wrong)


def test_other_threads_run_while_many_ids_are_decoded() -> None:
    ids = [IDS[0]] * 1_000_000
    seen = 0
    started, done = threading.Event(), threading.Event()

    def count() -> None:
        nonlocal seen
        started.set()
        while not done.is_set():
            seen += 1
            time.sleep(0)

    # With so long an interval, a thread runs only if the other one lets go of the interpreter by itself.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    counter = threading.Thread(target=count)
    try:
        counter.start()
        started.wait()
        before, deadline = seen, time.monotonic() + 30
        while seen == before:
            # On a busy machine the other thread may come too late for one call.
            assert time.monotonic() < deadline
            LEAF.decode_array(ids)
    finally:
        done.set()
        counter.join()
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("ids", ["range(2**26)", "numpy.zeros(2**23, 'int64')"])
def test_ids_that_memory_does_not_suffice_for_are_a_memory_error(ids: str) -> None:
    script = """
        import resource, sys
        import leafmint, numpy

        layout = leafmint.Layout("leaf")
        layout.decode_array([1])
        ids = eval(sys.argv[1])
        pages = int(open("/proc/self/statm").read().split()[0])
        limit = pages * resource.getpagesize() + (20 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        try:
            layout.decode_array(ids)
        except MemoryError:
            print("no memory")
        print(len(layout.decode_array([1])))
    """
    assert run_python(script, ids) == "no memory\n5\n"
