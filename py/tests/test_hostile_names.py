"""Names with line breaks, escape sequences and secrets: every message is one short line that contains none of them."""

import sqlite3
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import leafmint
import pytest
from leafmint import _core
from testing import SENTINEL, UNREACHABLE, run_python, vector

HOSTILE = "a\r\n2026 ERROR forged\x1b[2J\x9bb\x7f\u202e\u2028c"


class Texts:
    """Collects the texts of errors and objects."""

    def __init__(self) -> None:
        self.codes: set[str] = set()
        self.all: list[str] = []

    def add_error_of(self, call: Callable[[], object]) -> None:
        """Make a call that must fail, and keep its message."""
        with pytest.raises(leafmint.LeafmintError) as raised:
            call()
        self.codes.add(raised.value.code)
        self.add(raised.value, raised.value.args)

    def add(self, *values: object) -> None:
        """Keep the texts of objects."""
        self.all += [text for value in values for text in (str(value), repr(value))]


def segments(folder: Path, texts: Texts) -> None:
    url = f"sqlite:///{folder / 'ids.db'}"
    wrong: dict[str, Any] = {HOSTILE: SENTINEL}
    texts.add_error_of(lambda: leafmint.SegmentGenerator(url, **wrong))
    with leafmint.SegmentGenerator(url, default_step=10, max_step=10) as ids:
        texts.add_error_of(lambda: ids.tag(HOSTILE * 20))
        texts.add_error_of(lambda: ids.tag("x" * 10_000_000))
        tag = ids.tag(HOSTILE)
        tag.next_id()
        connection = sqlite3.connect(folder / "ids.db")
        with connection:
            connection.execute("UPDATE leaf_alloc SET max_id = 1")
        connection.close()
        texts.add_error_of(lambda: [tag.next_id() for _ in range(1000)])
        texts.add(ids, tag, ids.scope, ids.stats().tags[HOSTILE].last_error)
    texts.add_error_of(lambda: ids.tag("order"))
    with leafmint.SegmentGenerator(url, auto_create=False) as known:
        texts.add_error_of(known.tag(f"{HOSTILE}2").next_id)
        texts.add_error_of(lambda: known.set_tag(f"{HOSTILE}2", step=5))
        texts.add_error_of(lambda: known.raise_tag_above(f"{HOSTILE}2", 5))
        known.set_tag(HOSTILE, description=HOSTILE)
        connection = sqlite3.connect(folder / "ids.db")
        with connection:
            connection.execute("UPDATE leaf_alloc SET step = 0")
        connection.close()
        assert [(tag.name, tag.description) for tag in known.list_tags()] == [(HOSTILE, HOSTILE)]
        texts.add(known.list_tags(), known.list_tags()[0].problem, known.check())
    with leafmint.SegmentGenerator(UNREACHABLE, username=HOSTILE, timeout=0.3, connect_timeout=0.2) as away:
        texts.add_error_of(away.tag(HOSTILE).next_id)
        texts.add_error_of(lambda: away.create_tag(HOSTILE))
        texts.add(away, away.tag(HOSTILE), away.stats().tags[HOSTILE].last_error)


def snowflakes(folder: Path, texts: Texts) -> None:
    def local(namespace: str, **options: Any) -> leafmint.SnowflakeGenerator:
        given = {"namespace": namespace, "endpoint": HOSTILE, "workers": "0", "timeout": 3, **options}
        return leafmint.SnowflakeGenerator(f"local:{folder / 'workers'}", **given)

    with local("one") as first, local("one") as second:
        decoded = first.decode(first.next_id(timeout=30))
        texts.add_error_of(lambda: first.decode(-1))
        texts.add_error_of(second.next_id)
        texts.add_error_of(lambda: second.release_worker(0))
        texts.add(second.list_workers(), second.check())
        texts.add(first, second, decoded, first.layout, second.stats().last_error)
    with local("early", epoch=4_102_444_800_000, layout="timestamp:40,worker:10,sequence:12") as early:
        texts.add_error_of(early.next_id)
    with local("late", layout="timestamp:20,worker:10,sequence:12") as late:
        texts.add_error_of(late.next_id)
    with local("hours", layout="timestamp:20,worker:10,sequence:4,unit:1h") as hours:
        hours.next_id(timeout=30)
        texts.add_error_of(lambda: [hours.next_id() for _ in range(100)])


def others(texts: Texts) -> None:
    hostile_type = type(HOSTILE, (), {})
    for call in (
        lambda: leafmint.gene_of_key(hostile_type(), 3),
        lambda: leafmint.SegmentGenerator("memory:", eager_tags=hostile_type()),
    ):
        with pytest.raises((TypeError, leafmint.InvalidConfigError)) as raised:
            call()
        texts.add(raised.value)
    with pytest.raises(RuntimeError) as panicked:
        _core._panic(HOSTILE)  # type: ignore[attr-defined]
    texts.add(panicked.value)


def test_no_text_of_an_error_or_an_object_shows_a_secret_or_a_control_character(tmp_path: Path) -> None:
    folder = tmp_path / HOSTILE
    folder.mkdir()
    texts = Texts()
    segments(folder, texts)
    snowflakes(folder, texts)
    others(texts)
    # A lost lease is replaced before a call notices. A test of the core provokes this error.
    assert texts.codes == {kind["code"] for kind in vector("errors")} - {"lease_lost"}
    for text in texts.all:
        assert SENTINEL not in text
        assert not [letter for letter in text if unicodedata.category(letter) in {"Cc", "Cf", "Zl"}], repr(text)
        assert len(text) < 6000


def test_a_panic_prints_one_line_without_control_characters() -> None:
    script = """
        import contextlib, os, sys, tempfile
        os.environ.pop("RUST_BACKTRACE", None)
        from leafmint import _core
        stderr = os.dup(2)
        with tempfile.TemporaryFile() as seen:
            os.dup2(seen.fileno(), 2)
            with contextlib.suppress(Exception):
                _core._panic(sys.argv[1])
            os.dup2(stderr, 2)
            seen.seek(0)
            text = seen.read().decode()
        assert "panicked at" in text, text
        print(text.count("\\n"), text.removesuffix("\\n").isprintable())
    """
    assert run_python(script, HOSTILE) == "1 True\n"


def test_a_name_of_a_hundred_megabytes_is_refused_without_a_copy() -> None:
    script = """
        import contextlib, resource, leafmint
        ids, long = leafmint.SegmentGenerator("memory:"), "\\u20ac" * 50_000_000
        calls = [
            lambda: ids.tag(long),
            lambda: ids.create_tag(long),
            lambda: leafmint.SegmentGenerator(long),
            lambda: leafmint.SegmentGenerator("memory:", table=long),
            lambda: leafmint.SegmentGenerator("memory:", eager_tags=[long]),
            lambda: leafmint.SnowflakeGenerator("local:x", endpoint=long),
        ]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for call in calls:
            try:
                call()
            except leafmint.LeafmintError as error:
                assert len(str(error)) < 6000, len(str(error))
            else:
                raise AssertionError
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    """
    assert int(run_python(script)) < 64
