"""The pytest plugin, in runs of pytest on small suites, as its users start them."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest


def run_suite(folder: Path, suite: str, *arguments: str, **files: str) -> str:
    """Run pytest on a suite in a folder of its own, and return what it prints. Every test must pass."""
    for name, text in {"test_suite": suite, **files}.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


TWO_TESTS = """
    import pytest

    @pytest.mark.parametrize("turn", range(4))
    def test_ids_start_at_1(turn, leafmint_segments):
        assert leafmint_segments.biz_tag("order").next_ids(3) == [1, 2, 3]
        assert leafmint_segments.biz_tag("user").next_id() == 1
"""


def test_segment_ids_start_at_1_in_each_test(tmp_path: Path) -> None:
    assert "4 passed" in run_suite(tmp_path, TWO_TESTS)


@pytest.mark.parametrize("distribution", ["load", "each"])
def test_segment_ids_start_at_1_in_each_test_of_parallel_processes(tmp_path: Path, distribution: str) -> None:
    passed = {"load": "4 passed", "each": "8 passed"}[distribution]
    assert passed in run_suite(tmp_path, TWO_TESTS, "-n", "2", "--dist", distribution)


def test_pytest_lists_the_fixtures_with_what_they_do(tmp_path: Path) -> None:
    listed = run_suite(tmp_path, "def test_nothing(): pass", "--fixtures")
    assert "leafmint_segments -- " in listed
    assert "start at 1" in listed


def test_a_suite_that_uses_no_fixture_does_not_import_leafmint(tmp_path: Path) -> None:
    suite = """
        import sys

        def test_nothing_is_imported():
            assert "leafmint_pytest" in sys.modules
            assert "leafmint" not in sys.modules
    """
    run_suite(tmp_path, suite)
