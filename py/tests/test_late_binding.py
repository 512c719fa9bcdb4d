"""Late-bound tags and snowflakes: a module names them, the application configures them."""

import asyncio
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import leafmint
import pytest
from leafmint import late_binding, testing
from leafmint._internal.meters import METERS, Sources
from sqlalchemy import Engine, text


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin and end each test without settings."""
    for name in ("LEAFMINT_URL", "LEAFMINT_SNOWFLAKE_URL"):
        monkeypatch.delenv(name, raising=False)
    late_binding._replace(late_binding.Binding(), even_if_equal=True)
    yield
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


def test_a_tag_named_before_the_url_is_known_mints_from_the_store_configured_later(url: str) -> None:
    order = leafmint.tag("order")
    leafmint.configure(url, options={"default_start": 100})
    assert (order.next_id(), order(), order.next_ids(2), order.next_range(2)) == (100, 101, [102, 103], range(104, 106))
    assert list(order.next_array(1)) == [106]
    assert order.try_next_id() == 107
    assert order.tag.name == "order"


def test_the_environment_names_the_stores_if_the_application_does_not(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEAFMINT_URL", url)
    monkeypatch.setenv("LEAFMINT_SNOWFLAKE_URL", f"local:{tmp_path}/workers")
    assert leafmint.tag("order").next_id() == 1
    assert leafmint.snowflake().decode(leafmint.snowflake()()).worker_id == 0


def test_without_a_url_the_first_id_says_how_to_give_one() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=r"leafmint\.configure\(url=.*LEAFMINT_URL.*Django"):
        leafmint.tag("order").next_id()
    with pytest.raises(leafmint.InvalidConfigError, match=r"configure\(snowflake_url=.*LEAFMINT_SNOWFLAKE_URL"):
        leafmint.snowflake().next_id()


def test_snowflakes_use_the_url_of_the_store_if_there_is_no_other() -> None:
    leafmint.configure("memory://segments_only")
    with pytest.raises(leafmint.InvalidConfigError, match="known are local, fixed, mysql, postgresql, zookeeper"):
        leafmint.snowflake().next_id()


def test_a_late_snowflake_mints_and_decodes(tmp_path: Path) -> None:
    leafmint.configure(snowflake_url=f"local:{tmp_path}", snowflake_options={"layout": "javascript"})
    flakes = leafmint.snowflake()
    ids = [flakes.next_id(), flakes(), *flakes.next_ids(2), *flakes.next_array(1), flakes.try_next_id() or 0]
    assert all(0 < id < 2**53 for id in ids)
    assert flakes.layout == leafmint.Layout("javascript")
    assert flakes.decode(ids[0]).worker_id == leafmint.snowflake_generator().worker_id


def test_the_same_settings_again_change_nothing_and_others_replace_the_generator(url: str) -> None:
    order = leafmint.tag("order")
    leafmint.configure(url)
    assert order.next_id() == 1
    first = leafmint.segment_generator()
    leafmint.configure(url)
    assert leafmint.segment_generator() is first
    leafmint.configure("memory://replaced", options={"default_start": 7})
    assert order.next_id() == 7
    with pytest.raises(leafmint.ClosedError):
        first.tag("order")


def test_close_gives_ids_back_and_the_next_use_opens_again(url: str) -> None:
    order = leafmint.tag("order")
    leafmint.configure(url)
    assert order.next_ids(3) == [1, 2, 3]
    late_binding.close()
    assert order.next_id() == 4
    asyncio.run(late_binding.aclose())
    assert order.next_id() == 5


def test_an_override_binds_to_other_generators_within_its_block(url: str) -> None:
    order = leafmint.tag("order")
    leafmint.configure(url, options={"default_start": 1000})
    assert order.next_id() == 1000
    with leafmint.SegmentGenerator("memory://override") as other, late_binding.override(segments=other):
        assert order.next_id() == 1
    assert order.next_id() == 1001


def test_what_the_application_does_within_an_override_holds_after_it(url: str) -> None:
    order = leafmint.tag("order")
    with leafmint.SegmentGenerator("memory://of_a_test") as other, late_binding.override(segments=other):
        assert order.next_id() == 1
        leafmint.configure(url, options={"default_start": 1000})
        assert order.next_id() == 2
        assert late_binding.current().url == url
        late_binding.close()
        asyncio.run(late_binding.aclose())
        assert order.next_id() == 3
    assert order.next_id() == 1000


def test_an_override_of_one_mode_leaves_the_other_as_it_is(url: str, local: str) -> None:
    leafmint.configure(url, snowflake_url=local, options={"default_start": 1000})
    order, flakes = leafmint.tag("order"), leafmint.snowflake()
    first = flakes.next_id()
    with (
        leafmint.SegmentGenerator("memory://one_mode") as other,
        leafmint.SnowflakeGenerator(local, layout="javascript", namespace="other") as short,
        late_binding.override(snowflakes=short),
    ):
        assert order.next_id() == 1000
        with late_binding.override(segments=other):
            assert order.next_id() == 1
            assert flakes.next_id() < 2**53
            assert late_binding.opened() == {"segments": other, "snowflakes": short}
        assert order.next_id() == 1001
    assert flakes.next_id() > first


def test_an_override_within_the_same_one_ends_first() -> None:
    order = leafmint.tag("order")
    with leafmint.SegmentGenerator("memory://outer") as outer, leafmint.SegmentGenerator("memory://middle") as middle:
        with late_binding.override(segments=outer), late_binding.override(segments=middle):
            with late_binding.override(segments=outer):
                assert order.next_ids(2) == [1, 2]
            assert order.next_id() == 1
        with late_binding.override(segments=outer):
            assert order.next_id() == 3


def test_threads_that_are_first_at_once_share_one_generator() -> None:
    leafmint.configure("memory://first_at_once")
    order, drawn = leafmint.tag("order"), []
    threads = [threading.Thread(target=lambda: drawn.append(order.next_id())) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(drawn) == list(range(1, 17))


def test_a_child_forked_while_a_generator_opens_can_still_mint(url: str) -> None:
    leafmint.configure(url)
    with late_binding._State.lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if leafmint.tag("order").next_id() >= 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_tag_has_a_sequence_of_its_own_beside_tags_and_series_of_the_table(own_schema: Engine) -> None:
    with own_schema.begin() as connection:
        for table, start in (("orders", 101), ("items", 201)):
            connection.execute(text(f"CREATE SEQUENCE {table}_id_seq START {start}"))
    leafmint.configure(own_schema, options={"auto_create": True, "timeout": "60s"})
    orders, items = (leafmint.tag(table, sequence="{tag}_id_seq") for table in ("orders", "items"))
    assert [orders.next_id(), items.next_id(), leafmint.tag("invoice").next_id()] == [101, 201, 1]
    assert leafmint.series("bill", period="forever").next().number == 1
    assert set(late_binding.opened()) == {"segments", "sequence {tag}_id_seq"}
    meter = next(meter for meter in METERS if meter.figure == "issued")
    issued = {labels: value for _, labels, value in Sources((), {}).read(meter)}
    assert issued["sequence {tag}_id_seq", "orders"] == issued["segments", "invoice"] == 1
    with testing.segments():
        assert [orders.next_id(), items.next_id()] == [1, 1]
    generators = late_binding.opened().values()
    late_binding.close()
    for generator in generators:
        with pytest.raises(leafmint.ClosedError):
            generator.tag("orders").next_id()  # type: ignore[union-attr]
    assert not late_binding.opened()
    assert orders.next_id() > 101


def test_an_optimizer_without_a_sequence_is_refused() -> None:
    leafmint.configure("memory://optimizer")
    with pytest.raises(leafmint.InvalidConfigError, match="sequence_optimizer has no meaning without sequence"):
        leafmint.tag("orders", sequence_optimizer="pooled").next_id()
