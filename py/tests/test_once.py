"""leafmint may be imported more than once in one interpreter: its classes are made once."""

import shutil
from pathlib import Path

import leafmint
import pytest
from testing import run_python

AGAIN = {
    "modules removed": """
        for name in [name for name in sys.modules if name.partition(".")[0] == "leafmint"]:
            del sys.modules[name]
    """,
    "the package alone removed": "del sys.modules['leafmint']",
    "the native module alone removed": "del sys.modules['leafmint._core'], sys.modules['leafmint']",
    "the errors removed": "del sys.modules['leafmint.errors'], sys.modules['leafmint']",
    "everything reloaded": """
        for name in [name for name in sys.modules if name.partition(".")[0] == "leafmint"]:
            importlib.reload(sys.modules[name])
    """,
}

USED = """
        import importlib, pickle, sys
        import leafmint as first
        kinds = {name: kind for name, kind in vars(first).items() if isinstance(kind, type)}
        ClosedError, OptionSpec = first.ClosedError, first.OptionSpec
        ids = first.SegmentGenerator("memory://twice")
        order, closed = ids.tag("order"), first.SegmentGenerator("memory://closed")
        flakes = first.SnowflakeGenerator(sys.argv[1])
        first.configure("memory://configured_once")
        late_bound = first.tag("order")
        closed.close()
"""


@pytest.mark.parametrize("again", AGAIN.values(), ids=AGAIN)
def test_a_second_import_gives_the_same_classes_and_they_keep_minting(again: str, tmp_path: Path) -> None:
    script = f"""{USED}
        {again}
        import leafmint
        errors, options = map(importlib.import_module, ("leafmint.errors", "leafmint.options"))
        later = leafmint.SegmentGenerator("memory://twice").tag("order")
        drawn = [order.next_id(timeout=10), later.next_id(timeout=10), order.next_id(), later.next_id(gene=None)]
        assert len(set(drawn)) == 4
        assert [leafmint.tag("order").next_id(), late_bound.next_id()] == [1, 2]
        assert leafmint.tag("order") == late_bound
        assert flakes.next_id(timeout=10) < flakes.next_id(timeout=10)
        assert len(kinds) > 15, kinds
        assert [name for name, kind in kinds.items() if getattr(leafmint, name) is not kind] == []
        assert errors.ClosedError is ClosedError
        assert options.OptionSpec is OptionSpec
        try:
            closed.tag("order")
        except ClosedError as error:
            assert type(pickle.loads(pickle.dumps(error))) is ClosedError
            print("an except clause compiled before still matches")
    """
    assert run_python(script, f"local:{tmp_path}") == "an except clause compiled before still matches\n"


def test_mocked_modules_leave_nothing_behind(tmp_path: Path) -> None:
    script = f"""{USED}
        from unittest import mock
        for _ in range(3):
            with mock.patch.dict(sys.modules):
                for name in [name for name in sys.modules if name.partition(".")[0] == "leafmint"]:
                    del sys.modules[name]
                import leafmint as mocked
                assert mocked.Tag is first.Tag
                mocked.SegmentGenerator("memory://twice").tag("order").next_id(timeout=10)
        import logging
        assert len(logging.getLogger("leafmint").handlers) == 1
        print(order.next_id(timeout=10) > 0)
    """
    assert run_python(script, f"local:{tmp_path}") == "True\n"


def test_a_vendored_copy_works_next_to_the_installed_one(tmp_path: Path) -> None:
    (tmp_path / "app" / "vendored").mkdir(parents=True)
    shutil.copytree(Path(leafmint.__file__).parent, tmp_path / "app" / "vendored" / "leafmint")
    script = """
        import pickle, sys
        sys.path.insert(0, sys.argv[1])
        import leafmint
        from app.vendored import leafmint as vendored
        own = [name for name in leafmint.__all__ if isinstance(getattr(leafmint, name), type)]
        assert [name for name in own if getattr(leafmint, name) is getattr(vendored, name)] == []
        for package in (leafmint, vendored):
            order = package.SegmentGenerator("memory:").tag("order")
            print(order.next_id(), order.next_id(timeout=10))
            assert pickle.loads(pickle.dumps(package.Layout("wide"))) == package.Layout("wide")
            try:
                order.next_ids(-1)
            except package.InvalidArgumentError as error:
                print(type(pickle.loads(pickle.dumps(error))).__module__)
    """
    lines = run_python(script, str(tmp_path)).splitlines()
    assert lines == ["1 2", "leafmint.errors", "1 2", "app.vendored.leafmint.errors"]
