"""The reference pages have the errors of the vectors, which the code is tested against, and the stats."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import fields
from typing import Any

import pytest
from leafmint import SnowflakeStats, TagStats
from programs import TOP


def vectors(name: str) -> Any:
    """Reads one of the shared tables."""
    return json.loads((TOP / f"tests/vectors/{name}.json").read_text())


def page(name: str) -> str:
    """Reads one of the reference pages."""
    return (TOP / f"docs/reference/{name}.md").read_text()


def section(text: str, title: str) -> str:
    """Returns the part of a page under one heading."""
    return re.split(r"^## ", text.split(f"\n## {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str) -> list[str]:
    """Returns the rows of the tables whose first cell is code."""
    return re.findall(r"^\| `.*\|$", text, re.MULTILINE)


def test_the_page_of_errors_has_every_code_whose_classes_follow_from_it() -> None:
    before, _ = page("errors").split("\n## Details of an error\n")
    expected = [(error["code"], "yes" if error["retryable"] else "no") for error in vectors("errors")]
    assert re.findall(r"^\| `(\w+)` \| (\w+) \|", before, re.MULTILINE) == expected
    for error in vectors("errors"):
        name = error["code"].title().replace("_", "")
        assert (error["python"], error["java"]) == (f"{name}Error", f"{name}Exception")
    reasons = [f"| `{reason['code']}` | {reason['meaning']} |" for reason in vectors("reasons")]
    assert rows(section(page("errors"), "Reasons")) == reasons


@pytest.mark.parametrize(
    ("title", "of", "kind"),
    [("Of a tag", "tag", TagStats), ("Of a snowflake generator", "snowflake", SnowflakeStats)],
)
def test_the_pages_of_stats_and_metrics_have_every_figure_once(
    title: str, of: str, kind: type[TagStats | SnowflakeStats]
) -> None:
    own = re.findall(r"^\| `(\w+)`", section(page("stats"), title), re.MULTILINE)
    metrics = [meter["figure"] for meter in vectors("meters") if meter["of"] == of]
    assert sorted(own + metrics) == sorted(field.name for field in fields(kind))


def test_the_page_of_metrics_alerts_on_metrics_that_exist() -> None:
    known = {meter["prometheus"] for meter in vectors("meters")}
    assert set(re.findall(r"leafmint_\w+", page("metrics"))) == known


def test_the_page_of_options_has_the_options_of_a_tag() -> None:
    stub = ast.parse((TOP / "py/python/leafmint/_core.pyi").read_text())
    [generator] = [it for it in stub.body if isinstance(it, ast.ClassDef) and it.name == "SegmentGenerator"]
    [tag] = [it for it in generator.body if isinstance(it, ast.FunctionDef) and it.name == "tag"]
    defaults = [str(ast.literal_eval(default)) for default in tag.args.kw_defaults if default is not None]
    expected = list(zip((parameter.arg for parameter in tag.args.kwonlyargs), defaults, strict=True))
    assert re.findall(r"^\| `(\w+)` \| `(\w+)`", section(page("options"), "Options of a tag"), re.MULTILINE) == expected
