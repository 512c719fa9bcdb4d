"""Each entrance passes the same judges: see the table in `entrances.py`."""

import os
import re
import socket
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import leafmint
import pytest
from entrances import ENTRANCES, Entrance, opened, surface
from testing import run_python

LONG = [entrance for entrance in ENTRANCES if entrance.is_long]
MINTS = [entrance for entrance in ENTRANCES if entrance.of != "data"]
OWN = [entrance for entrance in MINTS if not entrance.name.startswith(("Late", "TypedId"))]


def test_each_public_call_that_gives_out_ids_has_a_row() -> None:
    assert {entrance.name.split(" ")[0] for entrance in ENTRANCES} == surface()


@pytest.mark.parametrize(
    ("megabytes", "count", "numpy"),
    [
        (4, 1 << 21, "numpy"),
        pytest.param(24, 1 << 18, "numpy", marks=pytest.mark.long),
        pytest.param(8, 1 << 18, "array", marks=pytest.mark.long),
    ],
)
def test_an_answer_without_memory_is_a_memory_error(megabytes: int, count: int, numpy: str) -> None:
    script = """
        import gc, sys
        tests, megabytes, count, numpy = sys.argv[1:]
        sys.path.insert(0, tests)
        if numpy != "numpy":
            sys.modules["numpy"] = None
        from entrances import ENTRANCES, leave_all, leave_free, opened

        with opened() as of:
            of.tag.next_id()
            for entrance in ENTRANCES:
                if not entrance.is_long:
                    continue
                entrance.answer(of, 10)
                print(entrance.name, end=": ", flush=True)
                leave_free(int(megabytes))
                try:
                    answer = len(entrance.answer(of, int(count)))
                except MemoryError:
                    answer = "no memory"
                leave_all()
                print(answer, flush=True)
                gc.collect()
                entrance.answer(of, 10)
        print("all")
    """
    out = run_python(script, str(Path(__file__).parent), str(megabytes), str(count), numpy)
    lines = dict(line.split(": ") for line in out.splitlines()[:-1])
    assert set(lines) == {entrance.name for entrance in LONG}
    assert set(lines.values()) <= {"no memory", str(count), "5"}
    if megabytes == 4:
        assert {lines[name] for name in lines if re.search("_ids|_many|_all", name)} == {"no memory"}


def test_a_batch_that_is_refused_takes_no_number() -> None:
    script = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from entrances import ENTRANCES, leave_all, leave_free, opened

        def number(answer):
            return int(getattr(answer[0], "number", answer[0]))

        for entrance in ENTRANCES:
            if not entrance.is_long or entrance.of not in ("tag", "series") or entrance.name.startswith("Late"):
                continue
            with opened() as of:
                first, given = number(entrance.answer(of, 1)), 1
                leave_free(4)
                for _ in range(3):
                    try:
                        given += len(entrance.answer(of, 1 << 22))
                    except MemoryError:
                        pass
                leave_all()
                print(entrance.name, number(entrance.answer(of, 1)) - first - given)
    """
    taken = run_python(script, str(Path(__file__).parent)).splitlines()
    assert len(taken) == 8
    assert [line for line in taken if not line.endswith(" 0")] == []


@pytest.mark.parametrize("entrance", OWN, ids=str)
def test_each_entrance_of_a_closed_generator_is_closed(entrance: Entrance) -> None:
    with opened() as of:
        series = of.series
        entrance.answer(of, 2)
        waits = [of.segments.close, of.flakes.close]
        handles = Handles(of, series)
        for close in waits:
            close()
        with pytest.raises(leafmint.ClosedError):
            entrance.answer(handles, 2)  # type: ignore[arg-type]


class Handles:
    """What was resolved before the close."""

    def __init__(self, of: Any, series: leafmint.Series) -> None:
        """Resolve a tag, one with gene bits and a series."""
        self.tag, self.genes, self.series, self.flakes = of.tag, of.genes, series, of.flakes


@pytest.mark.parametrize("entrance", [entrance for entrance in OWN if entrance.waits], ids=str)
def test_a_close_ends_a_call_that_waits(entrance: Entrance) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"mysql://root@127.0.0.1:{silent.getsockname()[1]}/leafmint"
        with opened(url, url, timeout="40s", connect_timeout="40s") as of:
            handles, ended = Handles(of, of.series), []

            def wait() -> None:
                try:
                    entrance.answer(handles, 2)  # type: ignore[arg-type]
                except leafmint.LeafmintError as error:
                    ended.append(error.code)

            waiting = threading.Thread(target=wait)
            waiting.start()
            silent.settimeout(60)
            with silent.accept()[0]:  # the call has asked the store
                began = time.monotonic()
                of.segments.close()
                of.flakes.close()
                waiting.join(60)
            assert ended == ["closed"]
            assert time.monotonic() - began < 30


# The ids of a rule for shards are texts.
@pytest.mark.parametrize("entrance", [entrance for entrance in OWN if entrance.name != "ShardRule.mint"], ids=str)
def test_parent_and_child_of_a_fork_never_get_one_id(entrance: Entrance, tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path}/ids.db", timeout="60s") as of:
        before = numbers(entrance.answer(of, 20))
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                drawn = numbers(entrance.answer(of, 20))
                os.write(write, " ".join(map(str, drawn)).encode())
            finally:
                os._exit(0)
        os.close(write)
        after = numbers(entrance.answer(of, 20))
        with os.fdopen(read) as pipe:
            in_child = [int(number) for number in pipe.read().split()]
        os.waitpid(child, 0)
        everyone = before + after + in_child
        assert in_child or not entrance.waits
        assert len(everyone) == len(set(everyone))


def numbers(answer: Any) -> list[int]:
    """Return the ids or numbers of an answer."""
    many = answer if hasattr(answer, "__len__") else [] if answer is None else [answer]
    return [int(getattr(one, "number", one)) for one in many]


@pytest.mark.parametrize("entrance", [it for it in OWN if it.of in ("tag", "series") and it.waits], ids=str)
def test_a_table_without_the_columns_is_refused(entrance: Entrance, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "ids.db")
    connection.execute("CREATE TABLE leaf_alloc (biz_tag TEXT PRIMARY KEY, step INT)")
    connection.close()
    with opened(f"sqlite:///{tmp_path}/ids.db", timeout="20s") as of, pytest.raises(leafmint.InvalidConfigError):
        entrance.answer(of, 2)
