"""CONTRIBUTING answers a stranger's questions with files that exist."""

from __future__ import annotations

import re

from programs import TOP

QUESTIONS = ["id drawn", "segment leased", "clock judged", "a server", "an option", "an error", "a metric"]
QUESTIONS += ["a Python integration", "a Java integration"]


def answers() -> dict[str, list[str]]:
    """Returns the files that the table of questions names, by question."""
    rows = re.findall(r"^\| (Where .*\?) \| (.*) \|$", (TOP / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    return {question: re.findall(r"`([\w./-]+)`", answer) for question, answer in rows}


def test_every_question_is_answered_by_files_that_exist() -> None:
    table = answers()
    assert [question for question, expected in zip(table, QUESTIONS, strict=True) if expected not in question] == []
    missing = {question: file for question, files in table.items() for file in files if not (TOP / file).exists()}
    assert missing == {}
    assert all(table.values())
