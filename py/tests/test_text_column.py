"""Columns of public ids: NumPy arrays, columns of pandas and polars and any other iterable."""

from collections.abc import Callable
from typing import Any

import leafmint
import numpy
import pandas  # type: ignore[import-untyped]
import polars
import pytest
from testing import KEYS, run_python

ORDERS = leafmint.PublicIds("order", KEYS)
IDS = [*range(100), 2**63 - 1]
TEXTS = [ORDERS.encode(id) for id in IDS]
LENGTH = len(TEXTS[0])

SHAPES: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "iterator": iter,
    "bytes": lambda texts: [text.encode() for text in texts],
    "array of bytes": lambda texts: numpy.array(texts, dtype=f"S{LENGTH}"),
    "array of longer bytes": lambda texts: numpy.array(texts, dtype=f"S{LENGTH + 3}"),
    "every second element": lambda texts: numpy.repeat(numpy.array(texts, dtype="S"), 2)[::2],
    "array of str": numpy.array,
    "objects": lambda texts: numpy.array(texts, dtype=object),
    "masked, without a mask": numpy.ma.array,
    "pandas": pandas.Series,
    "polars": polars.Series,
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_shape_of_texts_is_decoded(shape: Callable[[list[str]], Any]) -> None:
    decoded = ORDERS.decode_array(shape(TEXTS))
    assert (decoded.dtype, decoded.tolist()) == (numpy.dtype("int64"), IDS)
    assert ORDERS.decode_all(shape(TEXTS)) == IDS


@pytest.mark.parametrize("shape", [list, iter, numpy.array, pandas.Series, polars.Series])
def test_every_shape_of_ids_is_encoded(shape: Callable[[list[int]], Any]) -> None:
    encoded = ORDERS.encode_array(shape(IDS))
    assert encoded.dtype == numpy.dtype(f"S{LENGTH}")
    assert [text.decode() for text in encoded.tolist()] == ORDERS.encode_all(shape(IDS)) == TEXTS


def test_no_ids_are_empty_arrays() -> None:
    assert len(ORDERS.decode_array(ORDERS.encode_array([]))) == 0
    assert len(ORDERS.decode_array(numpy.array([]))) == 0


def test_large_arrays_are_converted_too() -> None:
    ids = numpy.arange(100_000)
    assert (ORDERS.decode_array(ORDERS.encode_array(ids)) == ids).all()
    assert ORDERS.decode_all(ORDERS.encode_all(ids)) == ids.tolist()


@pytest.mark.parametrize("place", [0, 57, 99])
@pytest.mark.parametrize("wrong", ["", TEXTS[3] + "0", TEXTS[3][:-1] + "u", TEXTS[3].upper()])
def test_a_wrong_text_is_named_by_its_index(place: int, wrong: str) -> None:
    texts = [*TEXTS[:place], wrong, *TEXTS[place:]]
    for shape in (list, numpy.array, lambda texts: numpy.array(texts, dtype="S")):
        with pytest.raises(
            leafmint.InvalidIdError, match=rf"^ids\[{place}\]: .* is not an id of this kind: \"order\"$"
        ):
            ORDERS.decode_array(shape(texts))


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([1, -1], r"^ids\[1\]: -1 is negative"),
        ([1, 2**63], r"^ids\[1\]=9223372036854775808 does not fit 64 bits"),
        (numpy.array([1, 2**63], dtype="uint64"), r"^ids\[1\]: 9223372036854775808 does not fit 64 bits"),
        (numpy.append(numpy.zeros(100_000, dtype="int64"), -1), r"^ids\[100000\]: -1 is negative"),
    ],
    ids=["negative", "huge", "unsigned", "large array"],
)
def test_an_invalid_id_is_named_by_its_index(ids: Any, message: str) -> None:
    for encode in (ORDERS.encode_array, ORDERS.encode_all):
        with pytest.raises(leafmint.InvalidIdError, match=message):
            encode(ids)


@pytest.mark.parametrize(
    "wrong",
    [
        5,
        None,
        TEXTS[0],
        TEXTS[0].encode(),
        bytearray(LENGTH),
        [TEXTS[0], None],
        [7],
        numpy.array([7]),
        numpy.array([TEXTS]),
        numpy.ma.array(TEXTS[:2], mask=[False, True]),
        pandas.Series([TEXTS[0], None]),
    ],
    ids=lambda wrong: repr(wrong)[:20],
)
def test_what_holds_no_texts_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^texts"):
        ORDERS.decode_array(wrong)


def test_without_numpy_texts_are_a_list_of_bytes() -> None:
    script = """
        import sys
        sys.modules["numpy"] = None
        import array, leafmint
        orders = leafmint.PublicIds("order", [sys.argv[1]])
        texts = orders.encode_array(array.array("q", [1, 42]))
        print([text.decode() for text in texts] == orders.encode_all([1, 42]), orders.decode_array(texts))
    """
    assert run_python(script, KEYS[0]) == "True array('q', [1, 42])\n"


@pytest.mark.parametrize(
    "call", ["encode_all(range(2**25))", "encode_array(ids)", "decode_array(itertools.repeat('x' * 32))"]
)
def test_what_memory_does_not_suffice_for_is_a_memory_error(call: str) -> None:
    script = """
        import itertools, resource, sys
        import leafmint, numpy

        orders = leafmint.PublicIds("order", [sys.argv[2]])
        ids = numpy.zeros(2**23, "int64")
        pages = int(open("/proc/self/statm").read().split()[0])
        limit = pages * resource.getpagesize() + (100 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        try:
            eval(f"orders.{sys.argv[1]}")
        except MemoryError:
            print("no memory")
        print(len(orders.encode_array([1])))
    """
    assert run_python(script, call, KEYS[0]) == "no memory\n1\n"
