"""Commands and SQL for people come from `core/ids/src/text/pasted`, which quotes names: no message puts one in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
SOURCES = {
    "core/ids/src": "*.rs",
    "core/engine/src": "*.rs",
    "core/backends/src": "*.rs",
    "core/leafmint/src": "*.rs",
    "core/advisor/src": "*.rs",
    "py/src": "*.rs",
    "jvm/src": "*.rs",
    "py/python": "*.py",
    "jvm/java/src/main": "*.java",
    "jvm/spring-boot-starter/src/main": "*.java",
}
OWN = "core/ids/src/text/pasted/"

COMMAND = re.compile(
    r"leafmint (?:audit|check|init|keys|mint|public|schema|series|tags|workers|migrate-[a-z-]+)\b[a-z -]*"
    r"(?:\{|%s|\"\s*\+)"
)
"""A command with a value in it."""
VERBS = (
    r"(?:ALTER|CREATE|DROP|TRUNCATE|RENAME) (?:TABLE|SEQUENCE|ROLE|USER|INDEX)|UPDATE|INSERT INTO|DELETE FROM"
    r"|REPLACE INTO|GRANT [A-Z ]+"
)
STATEMENT = re.compile(
    rf"(?:\b[a-z]+ |: |\((?=ALTER|CREATE|DROP|GRANT))(?:{VERBS})\b[^;\"]*?(?:\{{(?![A-Z_]+\}})|%s|\"\s*\+)"
)
"""A statement with a value in it, other than a constant, behind words of a sentence."""

QUOTED_ELSEWHERE = ("pg_catalog.format(", "re.compile(")
"""PostgreSQL quotes names itself, and an expression reads statements."""

MENTION = re.compile(r"(?<![\"'`])\bleafmint (?:audit|check|init|mint|schema|series|tags|workers|migrate)\b(?! \()")
"""A command that no `ShellCommand` writes: it names no store where its reader has to. Examples of the help begin a
literal."""


def literals(text: str) -> list[str]:
    """Returns the text with the lines of a literal that goes on joined to one."""
    return re.sub(r"\\\n\s*", "", text).splitlines()


def code_of(text: str) -> list[str]:
    """Returns the lines of a source that are no comments and no tests."""
    product = re.split(r"#\[cfg\(test\)\]\n(?:pub\(super\) )?mod tests", text)[0]
    return [line for line in literals(product) if not line.lstrip().startswith(("//", "*", "#", "/*"))]


def found_in(text: str) -> list[str]:
    """Returns the lines of a source that put a value into a command or a statement for people."""
    mine = [line for line in code_of(text) if not any(word in line for word in QUOTED_ELSEWHERE)]
    return [line.strip() for line in mine if COMMAND.search(line) or STATEMENT.search(line)]


def mentioned_in(text: str) -> list[str]:
    """Returns the lines of a source that name a command themselves."""
    return [line.strip() for line in code_of(text) if MENTION.search(line)]


@pytest.mark.parametrize("folder", SOURCES)
def test_no_source_puts_a_name_into_a_command_or_a_statement_for_people(folder: str) -> None:
    found = [
        f"{path.relative_to(TOP)}: {line}"
        for path in sorted((TOP / folder).rglob(SOURCES[folder]))
        if not str(path.relative_to(TOP)).startswith(OWN)
        for line in found_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("folder", [folder for folder in SOURCES if not folder.startswith("jvm/")])
def test_no_source_writes_a_command_that_would_not_name_the_store(folder: str) -> None:
    # A service in Java has no command line of its own.
    found = [
        f"{path.relative_to(TOP)}: {line}"
        for path in sorted((TOP / folder).rglob(SOURCES[folder]))
        for line in mentioned_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_a_command_in_a_sentence_is_found_and_an_example_is_not() -> None:
    assert mentioned_in('format!("there is no tag {tag}: leafmint migrate auto-increment plan says where it begins")')
    assert mentioned_in('"run the command leafmint init"')
    assert not mentioned_in('add_command(commands, "check", run, "a probe", "leafmint check --timeout 2s")')


@pytest.mark.parametrize(
    "line",
    [
        'format!("there is a row: leafmint tags raise {name} {}", 5)',
        'format!("run ALTER SEQUENCE {name} RESTART WITH {value}")',
        "format!(\"call raise_tag, or run UPDATE {table} SET max_id = {end} WHERE biz_tag = '{quoted}'\")",
        'format!("make it logged (ALTER TABLE {} SET LOGGED)", table.quoted)',
        'f"run leafmint tags create {tag} --start {start}"',
        '"run leafmint workers release " + worker',
        '"call raise_tag, or run \\\n         UPDATE {table} SET max_id = 5"',
    ],
)
def test_the_habit_is_found(line: str) -> None:
    assert found_in(line)


@pytest.mark.parametrize(
    "line",
    [
        'format!("SET @leafmint_end = NULL; {}; UPDATE {} SET {} WHERE biz_tag = ?", a, b, c)',
        'format!("UPDATE {table} AS t SET max_id = $2 FROM ({}) AS s", settings)',
        'format!("run {}, which needs no stop", alter.words("CACHE 1"))',
    ],
)
def test_what_leafmint_itself_runs_is_no_habit(line: str) -> None:
    assert not found_in(line)
