"""The examples in the README run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import TOP, jar


def example(language: str) -> str:
    """Returns the one example in that language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", (TOP / "README.md").read_text(), re.DOTALL)
    return str(found)


@pytest.mark.parametrize("language", ["python", "java"])
def test_the_example_prints_what_it_says(language: str, tmp_path: Path) -> None:
    text = example(language)
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
