"""The examples in the README run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import TOP, jar


def examples() -> list[tuple[str, str]]:
    """Returns every example with its language."""
    return re.findall(r"```(python|java)[^\n]*\n(.*?)```", (TOP / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize(("language", "text"), examples())
def test_the_example_prints_what_it_says(language: str, text: str, tmp_path: Path) -> None:
    if language == "python":
        command = [sys.executable, "-c", text]
    else:
        (tmp_path / "Example.java").write_text(text)
        command = ["java", "-cp", str(jar()), "Example.java"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    expected = re.findall(r"(?:#|//) prints (.*)", text)
    assert expected
    assert run.stdout.splitlines() == expected


def test_there_are_examples_of_both_modes_in_both_languages() -> None:
    found = {(language, mode) for language, text in examples() for mode in ("Segment", "Snowflake") if mode in text}
    assert len(found) == 4
