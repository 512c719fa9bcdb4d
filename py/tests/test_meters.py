"""The table of meters, and how their values are read from generators."""

import gc
import weakref
from pathlib import Path

import leafmint
import pytest
from leafmint import late_binding
from leafmint._core import _IdKeys
from leafmint._internal.meters import METERS, OTHER_TAGS, Sources
from testing import KEYS, run_python, shows_a_key, vector


def values(sources: Sources, name: str) -> dict[tuple[str, ...], float]:
    """Return the values of a meter by its labels."""
    return {labels: value for meter, labels, value in sources.read(*METERS) if meter.name == name}


def test_every_figure_that_changes_with_time_is_a_meter() -> None:
    shown = {(meter.of, meter.figure) for meter in METERS}
    hidden = {(of, figure) for of, figures in vector("stats").items() for figure in figures} - shown
    assert hidden == {
        ("tag", "step"),
        ("tag", "failures_in_a_row"),  # the counter of failed refills shows it
        ("tag", "last_error"),
        ("tag", "last_error_code"),
        ("tag", "last_error_at"),
        ("snowflake", "holder"),
        ("snowflake", "namespace"),
        ("snowflake", "host"),
        ("snowflake", "scope"),
        ("snowflake", "last_error"),
        ("snowflake", "last_error_code"),
        ("snowflake", "last_error_at"),
    }


def test_generators_without_a_name_are_numbered_and_named_ones_keep_theirs() -> None:
    first, second, third = (leafmint.SegmentGenerator(f"memory://meters-{n}") for n in range(3))
    for generator in (first, second, third):
        generator.tag("order").next_id()
    sources = Sources([first, second], {"billing": third})
    assert values(sources, "leafmint.ids.issued") == {
        ("billing", "order"): 1,
        ("segments", "order"): 1,
        ("segments-2", "order"): 1,
    }


def test_the_info_of_snowflakes_has_the_namespace_of_their_worker_ids(
    ids: leafmint.SegmentGenerator, tmp_path: Path
) -> None:
    flakes = leafmint.SnowflakeGenerator(f"local:{tmp_path}", namespace="billing")
    assert set(values(Sources([ids, flakes], {}), "leafmint.info")) == {
        ("segments", "", ids.scope, leafmint.__version__),
        ("snowflakes", "billing", flakes.scope, leafmint.__version__),
    }


def test_tags_without_series_of_their_own_are_summed(ids: leafmint.SegmentGenerator) -> None:
    for count, tag in enumerate(("order", "invoice", "customer"), 1):
        ids.tag(tag).next_ids(count)
    sources = Sources([ids], {}, ["order", "unknown"])
    assert values(sources, "leafmint.ids.issued") == {("segments", "order"): 1, ("segments", OTHER_TAGS): 5}
    durations = [figures.refill_duration for tag, figures in ids.stats().tags.items() if tag != "order"]
    assert values(sources, "leafmint.refill.average")["segments", OTHER_TAGS] == max(
        duration.total_seconds() for duration in durations if duration is not None
    )


def test_a_tag_named_as_the_sum_of_the_others_joins_it(ids: leafmint.SegmentGenerator) -> None:
    ids.tag(OTHER_TAGS).next_id()
    ids.tag("order").next_id()
    assert values(Sources([ids], {}, [OTHER_TAGS]), "leafmint.ids.issued") == {("segments", OTHER_TAGS): 2}


def test_the_first_tags_that_lease_have_series_of_their_own_and_the_sum_of_the_others_never_falls(
    ids: leafmint.SegmentGenerator, caplog: pytest.LogCaptureFixture
) -> None:
    sources, issued = Sources([ids], {}, max_tags=2), "leafmint.ids.issued"
    for tag in ("order", "invoice"):
        ids.tag(tag).next_id()
    assert values(sources, issued) == {("segments", "order"): 1, ("segments", "invoice"): 1}
    assert caplog.records == []
    # It sorts before the others, and yet they keep theirs.
    ids.tag("a").next_ids(3)
    ids.tag(OTHER_TAGS).next_id()
    for _ in range(2):
        assert values(sources, issued) == {
            ("segments", "order"): 1,
            ("segments", "invoice"): 1,
            ("segments", OTHER_TAGS): 4,
        }
    assert caplog.messages == [
        'more than 2 tags of segments have ids: from tag "a" on they share the meters of the tag "other", see max_tags'
    ]


def test_a_hundred_tags_have_series_of_their_own_by_default(ids: leafmint.SegmentGenerator) -> None:
    for number in range(150):
        ids.tag(f"customer-{number}").next_id()
    shown = values(Sources([ids], {}), "leafmint.ids.issued")
    assert (len(shown), shown["segments", OTHER_TAGS], sum(shown.values())) == (101, 50, 150)


def test_names_that_strangers_invent_have_few_series_and_do_not_take_those_of_tags_with_ids(url: str) -> None:
    strict = leafmint.SegmentGenerator(url, auto_create=False)
    strict.create_tag("order")
    sources = Sources([strict], {}, max_tags=3)
    handles = [strict.tag(f"invented-{number}") for number in range(50)]
    for handle in handles:
        with pytest.raises(leafmint.UnknownTagError):
            handle.next_id()
    assert len(values(sources, "leafmint.segment.calls.failed")) == 3
    strict.tag("order").next_id()
    shown = values(sources, "leafmint.ids.issued")
    assert len(shown) == 4
    assert shown["segments", "order"] == 1
    assert ("segments", OTHER_TAGS) not in shown


def test_a_snowflake_generator_has_no_worker_id_before_its_first_id(flakes: leafmint.SnowflakeGenerator) -> None:
    sources = Sources([flakes], {})
    assert values(sources, "leafmint.worker_id") == {}
    assert values(sources, "leafmint.horizon") == {("snowflakes",): 0}
    flakes.next_id()
    assert values(sources, "leafmint.worker_id") == {("snowflakes",): 0}
    assert 0 < values(sources, "leafmint.horizon")["snowflakes",] < 10
    assert values(sources, "leafmint.snowflake.waits") == {("snowflakes",): flakes.stats().waits}


def test_meters_keep_no_generator_alive() -> None:
    ids = leafmint.SegmentGenerator("memory://meters-weak")
    ids.tag("order").next_id()
    sources, reference = Sources([ids], {}), weakref.ref(ids)
    assert values(sources, "leafmint.ids.issued")
    del ids
    gc.collect()
    assert reference() is None
    assert values(sources, "leafmint.ids.issued") == {}


def test_a_closed_generator_shows_its_last_values(url: str, local: str) -> None:
    with leafmint.SegmentGenerator(url) as ids, leafmint.SnowflakeGenerator(local) as flakes:
        ids.tag("order").next_ids(10)
        flakes.next_id()
    sources = Sources([ids, flakes], {})
    assert values(sources, "leafmint.ids.issued") == {("segments", "order"): 10}
    assert values(sources, "leafmint.ids.given_back") == {("segments", "order"): 990}
    assert values(sources, "leafmint.ids.unused") == {("segments", "order"): 0}
    assert values(sources, "leafmint.worker_id") == {}
    assert values(sources, "leafmint.leases.lost") == {("snowflakes",): 0}


def test_without_generators_those_of_late_bound_tags_are_read_and_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEAFMINT_URL", f"sqlite:///{tmp_path}/ids.db")
    monkeypatch.setenv("LEAFMINT_SNOWFLAKE_URL", f"local:{tmp_path}/workers")
    sources = Sources([], {})
    leafmint.configure()
    late_binding.close()
    assert list(sources.read(*METERS)) == []
    assert not late_binding.opened()
    leafmint.tag("order").next_ids(2)
    assert values(sources, "leafmint.ids.issued") == {("segments", "order"): 2}
    assert values(sources, "leafmint.worker_id") == {}
    leafmint.snowflake().next_id()
    assert values(sources, "leafmint.worker_id") == {("snowflakes",): 0}
    late_binding.close()
    assert values(sources, "leafmint.ids.issued") == {}


def test_a_tag_is_refused_as_a_generator(order: leafmint.Tag) -> None:
    with pytest.raises(TypeError, match="pass a SegmentGenerator or a SnowflakeGenerator, not Tag"):
        Sources([order], {})  # type: ignore[list-item]


def test_a_url_that_is_refused_as_a_generator_is_not_repeated() -> None:
    with pytest.raises(TypeError) as refused:
        Sources(["mysql://user:s3cret@host/database"], {})  # type: ignore[list-item]
    assert "s3cret" not in str(refused.value)


def test_reading_in_a_forked_child_starts_from_zero_without_threads_or_a_worker_id(tmp_path: Path) -> None:
    script = """
        import os, sys
        from pathlib import Path
        import leafmint
        from leafmint._internal.meters import METERS, Sources

        ids = leafmint.SegmentGenerator(f"sqlite:///{sys.argv[1]}/ids.db")
        flakes = leafmint.SnowflakeGenerator(f"local:{sys.argv[1]}/workers")
        order = ids.tag("order")
        order.next_ids(5), flakes.next_id()
        sources = Sources([ids, flakes], {})

        def read():
            return {meter.name: value for meter, _, value in sources.read(*METERS)}

        parents = read()
        child = os.fork()
        if child == 0:
            before = read()
            threads = len(list(Path("/proc/self/task").iterdir()))
            order.next_id()
            after = read()
            print(before.get("leafmint.ids.issued", 0), "leafmint.worker_id" in before, threads, flush=True)
            print(parents["leafmint.ids.issued"], after["leafmint.ids.issued"], flush=True)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    """
    assert run_python(script, str(tmp_path)).splitlines() == ["0 False 1", "5 1"]


def test_leafmint_imports_no_metrics_library() -> None:
    script = """
        import sys
        import leafmint
        print([name for name in sys.modules if name.split(".")[0] in ("prometheus_client", "opentelemetry")])
    """
    assert run_python(script).strip() == "[]"


def test_keys_of_typed_ids_are_shown_by_fingerprints_that_reveal_nothing_of_them() -> None:
    with late_binding.override(keys=_IdKeys(KEYS)):
        shown = values(Sources([], {}), "leafmint.id_keys.info")
    # The first one is in core/ids/src/public_id/keys.rs too.
    assert {(fingerprint, number) for fingerprint, number in shown if number == "0"} == {("0173b469", "0")}
    assert {number for _, number in shown} == {"0", "1"}
    assert set(shown.values()) == {1}
    assert not shows_a_key(repr(shown))


def test_a_scrape_asks_no_supplier_for_keys() -> None:
    script = f"""
        import leafmint
        from leafmint._internal.meters import METERS, Sources
        from leafmint.typed_ids import TypedId

        class OrderId(TypedId, prefix="order"):
            pass

        def supply():
            asked.append(1)
            return {KEYS!r}

        def shown():
            return sorted(labels for meter, labels, _ in sources.read(*METERS) if meter.name == "leafmint.id_keys.info")

        asked, sources = [], Sources([], {{}})
        leafmint.configure(id_keys=supply)
        print(shown(), asked)
        str(OrderId(7))
        print([number for _, number in shown()], asked)
        leafmint.configure(id_keys=supply, url="memory:")
        print(shown(), asked)
    """
    assert run_python(script).splitlines() == ["[] []", "['0', '1'] [1]", "[] [1]"]
