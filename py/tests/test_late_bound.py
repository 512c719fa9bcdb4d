"""Late-bound tags, series and snowflakes as values, and the coroutines that they pass on."""

import asyncio
import copy
import pickle
import subprocess
import sys
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

import leafmint
import pytest
from leafmint import testing

LONG_AGO = date(2020, 2, 29)


def test_late_bound_objects_are_values() -> None:
    order = leafmint.tag("order", gene_bits=2, order="relaxed")
    for twin in (
        leafmint.tag("order", gene_bits=2, order="relaxed"),
        copy.deepcopy(order),
        pickle.loads(pickle.dumps(order)),
    ):
        assert twin == order
        assert hash(twin) == hash(order)
    assert order != leafmint.tag("order")
    from_sequence = leafmint.tag("order", sequence="order_seq", sequence_optimizer="pooled")
    assert from_sequence != leafmint.tag("order", sequence="order_seq")
    assert pickle.loads(pickle.dumps(from_sequence)) == eval(repr(from_sequence)) == from_sequence
    assert repr(order) == "leafmint.tag('order', gene_bits=2, order='relaxed')"
    assert pickle.loads(pickle.dumps(leafmint.snowflake())) == copy.deepcopy(leafmint.snowflake())


def test_a_late_bound_series_is_a_value_with_the_name_of_its_zone_and_the_text_of_its_format() -> None:
    text = "{key}-{year}-{number:4}"
    series = leafmint.series("invoice", period="year", zone="Europe/Madrid", key="S7", step=5, format=text)
    for twin in (
        leafmint.LateSeries(
            "invoice", period="year", zone=ZoneInfo("Europe/Madrid"), key="S7", step=5, format=leafmint.Format(text)
        ),
        copy.deepcopy(series),
        pickle.loads(pickle.dumps(series)),
        eval(repr(series)),
    ):
        assert twin == series
        assert hash(twin) == hash(series)
    assert series != leafmint.series("invoice", period="year", zone="Europe/Paris", key="S7", step=5, format=text)
    assert repr(leafmint.series("order", period="forever")) == "leafmint.series('order', period='forever')"


def test_a_late_bound_series_binds_to_the_generator_that_holds_at_each_number() -> None:
    series = leafmint.series("invoice", period="year", zone="UTC", format="{year}/{number}")
    for _ in range(2):
        with testing.segments():
            assert series.next(on=LONG_AGO).text == "2020/1"
            assert [it.text for it in series.next_many(2, on=LONG_AGO)] == ["2020/2", "2020/3"]
            assert series().number == series.series.next().number - 1 == 1


@pytest.mark.parametrize("problem", [{"period": "week"}, {"zone": "Mars/Olympus"}, {"zone": None}, {"key": "a@b"}])
def test_the_first_number_refuses_what_a_series_cannot_be(problem: dict[str, str]) -> None:
    series = leafmint.series("invoice", **({"period": "day", "zone": "UTC"} | problem))  # type: ignore[arg-type]
    with testing.segments(), pytest.raises(leafmint.InvalidArgumentError):
        series.next()


def test_an_import_and_a_series_without_periods_import_no_time_zones_and_no_framework() -> None:
    script = """
import sys, leafmint
leafmint.configure("memory:")
assert leafmint.series("customer", period="forever", format="C{number}").next().text == "C1"
print(sorted(sys.modules.keys() & {"zoneinfo", "django", "sqlalchemy", "asyncio"}))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "[]\n", run.stderr


def test_coroutines_are_those_of_the_generator(tmp_path: Path) -> None:
    leafmint.configure(f"sqlite:///{tmp_path}/ids.db", snowflake_url=f"local:{tmp_path}/workers")
    order, flakes = leafmint.tag("order"), leafmint.snowflake()
    invoices = leafmint.series("invoice", period="day", zone="UTC")

    async def mint() -> None:
        assert await order.next_id_async() == 1
        assert await order.next_ids_async(2) == [2, 3]
        assert list(await order.next_array_async(1)) == [4]
        assert await order.next_range_async(2) == range(5, 7)
        assert await flakes.next_id_async() < (await flakes.next_ids_async(1))[0]
        assert len(await flakes.next_array_async(3)) == 3
        assert (await invoices.next_async(on=LONG_AGO)).number == 1
        assert [it.number for it in await invoices.next_many_async(2, on=LONG_AGO)] == [2, 3]

    asyncio.run(mint())
