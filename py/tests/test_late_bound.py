"""Late-bound tags and snowflakes as values, and the coroutines that they pass on."""

import asyncio
import copy
import pickle
from pathlib import Path

import leafmint


def test_late_bound_objects_are_values() -> None:
    order = leafmint.tag("order", 2, "relaxed")
    for twin in (
        leafmint.tag("order", gene_bits=2, order="relaxed"),
        copy.deepcopy(order),
        pickle.loads(pickle.dumps(order)),
    ):
        assert twin == order
        assert hash(twin) == hash(order)
    assert order != leafmint.tag("order")
    assert repr(order) == "leafmint.tag('order', gene_bits=2, order='relaxed')"
    assert pickle.loads(pickle.dumps(leafmint.snowflake())) == copy.deepcopy(leafmint.snowflake())


def test_coroutines_are_those_of_the_generator(tmp_path: Path) -> None:
    leafmint.configure(f"sqlite:///{tmp_path}/ids.db", f"local://{tmp_path}/workers")
    order, flakes = leafmint.tag("order"), leafmint.snowflake()

    async def mint() -> None:
        assert await order.next_id_async() == 1
        assert await order.next_ids_async(2) == [2, 3]
        assert list(await order.next_array_async(1)) == [4]
        assert await order.next_range_async(2) == range(5, 7)
        assert await flakes.next_id_async() < (await flakes.next_ids_async(1))[0]
        assert len(await flakes.next_array_async(3)) == 3

    asyncio.run(mint())
