"""The pytest plugin, in runs of pytest on small suites, as its users start them."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import leafmint
from leafmint import testing

FIRST = leafmint.Layout().compose(testing.START, worker_id=0, sequence=0)

SUITE = f"""
    from datetime import datetime, timezone

    import leafmint
    import pytest
    from hypothesis import given, strategies as st
    from leafmint import testing

    order_ids, parcel_ids = leafmint.tag("order"), leafmint.snowflake()

    @pytest.mark.parametrize("turn", range(4))
    def test_models_mint_from_1_in_each_test(turn, leafmint_segments):
        assert order_ids.next_ids(3) == [1, 2, 3]
        assert leafmint_segments.biz_tag("order").next_id() == 4

    @pytest.mark.parametrize("turn", range(4))
    def test_snowflakes_are_the_same_in_each_test(turn, leafmint_snowflakes, leafmint_clock):
        assert parcel_ids.next_ids(2) == [{FIRST}, {FIRST + 1}]
        leafmint_clock.move_to(datetime(2026, 12, 24, tzinfo=timezone.utc))
        parcel = leafmint_snowflakes.next_id()
        assert leafmint_snowflakes.decode(parcel).timestamp == leafmint_clock.now

    def test_without_a_fixture_nothing_is_bound(monkeypatch):
        monkeypatch.delenv("LEAFMINT_URL", raising=False)
        with pytest.raises(leafmint.InvalidConfigError):
            order_ids.next_id()

    @given(st.integers(0, 20))
    def test_each_example_of_hypothesis_mints_from_1(count):
        with testing.segments(), testing.snowflakes() as flakes:
            assert order_ids.next_ids(count) == list(range(1, count + 1))
            assert flakes.next_id() == {FIRST}
"""


def run_suite(folder: Path, suite: str, *arguments: str) -> str:
    """Run pytest on a suite, and return what it prints. Every test must pass."""
    (folder / "test_suite.py").write_text(textwrap.dedent(suite))
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_suite_mints_the_same_ids_in_each_test(tmp_path: Path) -> None:
    assert "10 passed" in run_suite(tmp_path, SUITE)


def test_a_suite_mints_the_same_ids_in_parallel_processes(tmp_path: Path) -> None:
    assert "20 passed" in run_suite(tmp_path, SUITE, "-n", "2", "--dist", "each")


def test_pytest_lists_the_fixtures_with_what_they_do(tmp_path: Path) -> None:
    listed = run_suite(tmp_path, "def test_nothing(): pass", "--fixtures")
    for name in ("leafmint_segments", "leafmint_snowflakes", "leafmint_clock"):
        assert f"{name} -- " in listed
    assert "start at 1" in listed


def test_a_suite_that_uses_no_fixture_does_not_import_leafmint(tmp_path: Path) -> None:
    suite = """
        import sys

        def test_nothing_is_imported():
            assert "leafmint_pytest" in sys.modules
            assert "leafmint" not in sys.modules
    """
    run_suite(tmp_path, suite)
