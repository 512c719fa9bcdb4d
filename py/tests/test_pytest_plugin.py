"""The pytest plugin, in runs of pytest on small suites, as its users start them."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import leafmint
from django_projects import Project
from leafmint import testing
from testing import run_python

PAGE = Path(__file__).parents[2] / "docs" / "testing-your-code.md"

FIRST = leafmint.Layout().compose(testing.START, worker_id=0, sequence=0)

FIXTURES = f"""
    from datetime import datetime, timezone

    import leafmint
    import pytest

    order_ids, parcel_ids = leafmint.tag("order"), leafmint.snowflake()

    @pytest.mark.parametrize("turn", range(4))
    def test_models_mint_from_1_in_each_test(turn, leafmint_segments):
        assert order_ids.next_ids(3) == [1, 2, 3]
        assert leafmint_segments.tag("order").next_id() == 4

    @pytest.mark.parametrize("turn", range(4))
    def test_snowflakes_are_the_same_in_each_test(turn, leafmint_snowflakes, leafmint_clock):
        assert parcel_ids.next_ids(2) == [{FIRST}, {FIRST + 1}]
        leafmint_clock.move_to(datetime(2026, 12, 24, tzinfo=timezone.utc))
        parcel = leafmint_snowflakes.next_id()
        assert leafmint_snowflakes.decode(parcel).timestamp == leafmint_clock.now

    class OrderId(leafmint.TypedId, prefix="order"):
        pass

    invoices = leafmint.series("invoice", period="day", zone="UTC", format="{{year}}{{month}}{{day}}-{{number}}")

    @pytest.mark.parametrize("turn", range(2))
    def test_series_go_by_the_clock(turn, leafmint_segments, leafmint_clock):
        assert invoices.next().text == "20260101-1"
        leafmint_clock.move_to(datetime(2026, 12, 24, tzinfo=timezone.utc))
        assert invoices.next().text == "20261224-1"

    def test_texts_of_typed_ids_are_the_same_in_each_run(leafmint_id_keys):
        assert str(OrderId(42)) == "order_6v2tz8tkr4stkd8a9jzv30kss6"

    def test_without_a_fixture_nothing_is_bound(monkeypatch):
        monkeypatch.delenv("LEAFMINT_URL", raising=False)
        with pytest.raises(leafmint.InvalidConfigError):
            order_ids.next_id()
"""

LIBRARIES = f"""
    from hypothesis import given, settings, strategies as st
    from leafmint import testing
    from leafmint.sqlalchemy import id_column
    from sqlalchemy import create_engine, select
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session

    class Base(DeclarativeBase):
        pass

    class Order(Base):
        __tablename__ = "orders"
        id: Mapped[int] = id_column("order")

    @pytest.mark.parametrize("turn", range(2))
    def test_rows_of_sqlalchemy_count_from_1_in_each_test(turn, leafmint_segments):
        engine = create_engine("sqlite://")
        Base.metadata.create_all(engine)
        with Session(engine) as session:
            session.add_all([Order(), Order()])
            session.commit()
            assert session.scalars(select(Order.id)).all() == [1, 2]
        engine.dispose()

    @settings(deadline=None)
    @given(st.integers(0, 20))
    def test_each_example_of_hypothesis_mints_from_1(count):
        with testing.segments(), testing.snowflakes() as flakes:
            assert order_ids.next_ids(count) == list(range(1, count + 1))
            assert flakes.next_id() == {FIRST}
"""


WITHOUT_KEYS = """
    import leafmint

    class OrderId(leafmint.TypedId, prefix="order"):
        pass

    def test_text():
        str(OrderId(42))

    def test_other():
        raise ValueError("no order")
"""


def block_of_the_page(heading: str, number: int) -> str:
    """Return a block of Python of the page, counted below a heading."""
    _, _, section = PAGE.read_text().partition(f"\n## {heading}\n")
    return str(re.findall(r"```python\n(.*?)```", section, re.DOTALL)[number])


def run_suite(folder: Path, suite: str, *arguments: str, exit_code: int = 0) -> str:
    """Run pytest on a suite, and return what it prints. Every test must pass, unless another exit code is expected."""
    (folder / "test_suite.py").write_text(textwrap.dedent(suite))
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    ours = ("PYTEST_", "LEAFMINT_ID_KEYS")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == exit_code, done.stdout + done.stderr
    return done.stdout


def test_a_suite_mints_the_same_ids_in_each_test(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    typed = "class OrderId(leafmint.TypedId, prefix='order'): ...\ndef test_text(): assert str(OrderId(42))\n"
    (tmp_path / "page" / "test_page.py").write_text(block_of_the_page("pytest", 0) + typed)
    (tmp_path / "page" / "conftest.py").write_text(block_of_the_page("pytest", 1))
    assert "18 passed" in run_suite(tmp_path, FIXTURES + LIBRARIES)


def test_a_suite_mints_the_same_ids_in_parallel_processes(tmp_path: Path) -> None:
    assert "24 passed" in run_suite(tmp_path, FIXTURES, "-n", "2", "--dist", "each")


def test_a_failure_for_want_of_keys_names_the_fixture(tmp_path: Path) -> None:
    text, other = run_suite(tmp_path, WITHOUT_KEYS, exit_code=1).split("test_other ___")
    assert "leafmint_id_keys" in text
    assert "leafmint_id_keys" not in other


def test_a_suite_of_django_mints_from_1_in_each_test(project: Project) -> None:
    (project.folder / "shop" / "tests.py").write_text(block_of_the_page("hypothesis and unittest", 1))
    project.manage("makemigrations", "-v0", "shop")
    assert "Ran 2 tests" in project.manage("test")


def test_pytest_s_import_of_the_plugin_does_not_import_leafmint() -> None:
    script = """
        import sys
        import leafmint_pytest
        print("leafmint" in sys.modules, [name for name in vars(leafmint_pytest) if name.startswith("leafmint_")])
    """
    fixtures = ["leafmint_clock", "leafmint_segments", "leafmint_snowflakes", "leafmint_id_keys"]
    assert run_python(script) == f"False {fixtures}\n"
