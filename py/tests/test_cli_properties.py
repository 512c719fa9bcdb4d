"""The command `migrate leaf check` reads leaf.properties by the rules of java.util.Properties."""

from pathlib import Path

import pytest
from command import leafmint
from leafmint.cli.properties import parse, read_properties


@pytest.mark.parametrize(
    "line",
    [
        "leaf.snowflake.enable=true",
        "leaf.snowflake.enable: true",
        "leaf.snowflake.enable true",
        "  leaf.snowflake.enable\t=\ttrue",
        "leaf.snowflake.enable \f : true",
        "leaf.snow\\\n    flake.enable = tr\\\r\n\tue",
        "leaf.snowflake.enabl\\u0065=\\u0074rue",
        r"\leaf.snowflake\.enable=\u0074rue",
    ],
)
def test_a_property_may_be_written_in_each_way_that_java_knows(line: str) -> None:
    assert parse(f"# a comment\n{line}\nlast=1") == {"leaf.snowflake.enable": "true", "last": "1"}


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        ("", {}),
        ("\n \t\f\n#a=b\n  !c=d\r", {}),
        ("# no comment goes on \\\na=b", {"a": "b"}),
        ("a=b\\\n# c\\\n\nd", {"a": "b# c", "d": ""}),
        ("\\\n# c\na=b", {"a": "b"}),
        ("a=1\na: 2", {"a": "2"}),
        ("a", {"a": ""}),
        ("=b", {"": "b"}),
        ("a==b", {"a": "=b"}),
        ("a = : b", {"a": ": b"}),
        ("a\\ b\\=c\\:d\\#=e", {"a b=c:d#": "e"}),
        ("a=b#c!d  ", {"a": "b#c!d  "}),
        ("a=b\\\\\nc=d", {"a": "b\\", "c": "d"}),
        ("a=b\\\\\\\n  c=d", {"a": "b\\c=d"}),
        ("a=b\\", {"a": "b"}),
        (r"a=\t\n\r\f\x\"", {"a": '\t\n\r\fx"'}),
        ("a=\u0085\u00a0b\u2028c", {"a": "\u0085\u00a0b\u2028c"}),
        (r"a=\u4e2d\ud83d\ude00", {"a": "中😀"}),
        ("a=b\rc=d\r\ne=f", {"a": "b", "c": "d", "e": "f"}),
    ],
)
def test_comments_escapes_and_ends_of_lines_are_those_of_java(text: str, properties: dict[str, str]) -> None:
    assert parse(text) == properties


def test_bytes_are_read_as_leaf_reads_them(tmp_path: Path) -> None:
    file = tmp_path / "leaf.properties"
    file.write_bytes("# 数据库\nleaf.jdbc.password=".encode() + b"p\xe4ss\x85w\n")
    assert read_properties(file) == {"leaf.jdbc.password": "p\u00e4ss\u0085w"}


def test_an_escape_that_leaf_refuses_is_an_error_without_the_value(tmp_path: Path) -> None:
    file = tmp_path / "leaf.properties"
    file.write_text("leaf.jdbc.password=secret\\u12\n")
    ran = leafmint("migrate", "leaf", "check", "--properties", str(file))
    assert (ran.code, ran.out, "secret" in ran.err) == (2, "", False)
    assert "four hexadecimal digits" in ran.err
