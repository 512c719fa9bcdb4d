"""The programs that mint, one for each language, and how the tests run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def jar() -> Path:
    """The JAR of the Java binding."""
    jars = [
        path
        for path in (TOP / "jvm/java/target").glob("leafmint-*.jar")
        if not path.stem.endswith(("-sources", "-javadoc"))
    ]
    assert len(jars) == 1, f"expected one JAR, found {jars}: run `make java` first"
    return jars[0]


def mint_commands() -> dict[str, list[str]]:
    """The program that mints, in each language; see the examples for its arguments."""
    return {
        "Rust": [str(TOP / "target/debug/mint")],
        "Python": [sys.executable, str(TOP / "examples/mint.py")],
        "Java": ["java", "-XX:TieredStopAtLevel=1", "-cp", str(jar()), str(TOP / "examples/Mint.java")],
    }


def start(command: list[str], *arguments: object) -> subprocess.Popen[str]:
    """Starts a program whose output is to be read."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([*command, *map(str, arguments)], **pipes, text=True)


def finish(process: subprocess.Popen[str], timeout: float) -> dict[str, object]:
    """Waits for a program that mints and returns its summary."""
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == 0, f"{process.args}: {errors}"
    summary: dict[str, object] = json.loads(output)
    return summary


def kill(process: subprocess.Popen[str]) -> None:
    """Kills a program, as a crash would, and closes its pipes."""
    process.kill()
    process.communicate()


def compiled(source: Path, folder: Path) -> list[str]:
    """Compiles a Java program of one file against the JAR, and returns how it is run."""
    subprocess.run(["javac", "-cp", str(jar()), "-d", str(folder), str(source)], check=True)
    return ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{jar()}{os.pathsep}{folder}", source.stem]
