"""`import leafmint`, and what it leaves out until it is used: short processes pay for each module."""

from pathlib import Path

import leafmint
import pytest
from testing import run_python

FIRST_USES = {
    "an import": "",
    "a segment": "leafmint.SegmentGenerator(f'sqlite:///{folder}/ids.db', tags=['order']).biz_tag('order').next_id()",
    "a snowflake": "leafmint.SnowflakeGenerator(f'local://{folder}/workers', timeout=60)()",
    "a wait": "leafmint.SegmentGenerator('memory:').biz_tag('order').next_ids(10, timeout='60s')",
    "a late-bound tag": "leafmint.configure(f'sqlite:///{folder}/ids.db'); leafmint.tag('order').next_id()",
    "a late-bound snowflake": "leafmint.configure(snowflake_url=f'local://{folder}/workers'); leafmint.snowflake()()",
    "a series": "leafmint.configure('memory:'); leafmint.series('customer', period='forever', format='C{number}')()",
    "an error": """
try:
    leafmint.Layout().decode(-1)
except leafmint.InvalidIdError:
    pass
""",
}


@pytest.mark.parametrize("first_use", FIRST_USES.values(), ids=FIRST_USES)
def test_a_first_use_loads_no_other_modules_than_those_of_leafmint(first_use: str, tmp_path: Path) -> None:
    allowed = {"leafmint", "__future__", "atexit", "_thread"}
    script = f"""
import sys
before, folder = set(sys.modules), sys.argv[1]
import leafmint
{first_use}
print({{name.partition(".")[0] for name in set(sys.modules) - before}} - {allowed})
"""
    assert run_python(script, str(tmp_path)) == "set()\n"


def test_every_name_and_module_is_there_after_an_import() -> None:
    script = """
        import leafmint
        modules = ["auditing", "late_binding", "late_bound", "mints", "options", "records", "typed_ids"]
        assert {*leafmint.__all__, *modules} <= set(dir(leafmint))
        print([getattr(leafmint, name).__name__ for name in modules] == [f"leafmint.{name}" for name in modules])
        print([name for name in leafmint.__all__ if getattr(leafmint, name) is not getattr(leafmint, name)])
    """
    assert run_python(script) == "True\n[]\n"


def test_a_star_imports_every_name() -> None:
    names: dict[str, object] = {}
    exec("from leafmint import *", names)
    assert names.keys() - {"__builtins__"} == set(leafmint.__all__)


def test_a_name_that_leafmint_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'leafmint' has no attribute 'next_id'"):
        leafmint.next_id  # type: ignore[attr-defined] # noqa: B018
