"""The examples of README and docs run as they are, and print what they say.

Every block of Python or Java runs, unless the comment `<!-- not run: reason -->` is above it, or `<!-- file: name -->`,
which marks a file of an application that another test runs. The Python blocks of a page are one program. A block of
Java is a program of its own, with a class and imports around it if it has none; all of them are compiled at once. The
URLs `"mysql://user:password@host/database"`, `"postgresql://user:password@host/database"` and
`"tickets://user:password@host1,host2/database"` become those of empty databases, and
`"zookeeper://host1,host2,host3/leaf-name"` that of an empty pool.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from programs import JAVA, TOP, jar

BESIDE_THE_SITE = [*TOP.glob("README*.md"), TOP / "py/README.md"]
PAGES = [*BESIDE_THE_SITE, *(page for page in TOP.glob("docs/**/*.md") if page.parent.name != "benchmarks")]
FENCE = re.compile(
    r"^(?:<!-- (?:not run|file): (?P<reason>[^\n]+) -->\n)?```(?P<language>python|java)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
PLACEHOLDERS = {
    '"mysql://user:password@host/database': "database",
    '"postgresql://user:password@host/database': "postgres_database",
    '"zookeeper://host1,host2,host3/leaf-name': "zookeeper_pool",
    '"tickets://user:password@host1,host2/database': "tickets_database",
}
PACKAGES = ["io.github.leafmint", *(f"io.github.leafmint.{topic}" for topic in ("audit", "ids", "sharding", "status"))]
IMPORTS = "".join(f"import {package}.*; " for package in [*PACKAGES, "java.time", "java.util"])


class Block(NamedTuple):
    """One block of code: its page, the line it begins at, its language and text."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        """Names the block in the output of the tests."""
        return f"{self.page.relative_to(TOP)}:{self.line}"

    def package(self) -> str:
        """Returns the name of the Java package for the block's program."""
        return re.sub(r"\W", "_", str(self).lower())


def blocks(language: str, page: Path) -> list[Block]:
    """Returns the blocks of a page that are to be run."""
    text = page.read_text()
    found = [match for match in FENCE.finditer(text) if match["language"] == language and not match["reason"]]
    lines = [text.count("\n", 0, match.start("text")) + 1 for match in found]
    return [Block(page, line, language, match["text"]) for line, match in zip(lines, found, strict=True)]


def all_blocks(language: str) -> list[Block]:
    """Returns the blocks of all pages."""
    return [block for page in PAGES for block in blocks(language, page)]


def with_database(text: str, request: pytest.FixtureRequest) -> str:
    """Replaces the URLs of the pages by those of empty databases."""
    for placeholder, fixture in PLACEHOLDERS.items():
        if placeholder in text:
            text = text.replace(placeholder, f'"{request.getfixturevalue(fixture)}')
    return text


def check(command: list[str], folder: Path, text: str) -> None:
    """Runs an example and compares what it prints with its comments."""
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    expected = re.findall(r"(?:#|//) prints (.*)", text)
    assert expected
    assert run.stdout.splitlines() == expected


@pytest.mark.parametrize("page", [page for page in PAGES if blocks("python", page)], ids=lambda page: page.name)
def test_the_python_of_a_page_prints_what_it_says(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    # As many empty lines as the page has before each block, so that a traceback shows the page's line.
    program = ""
    for block in blocks("python", page):
        program += "\n" * (block.line - 1 - program.count("\n")) + block.text
    file = tmp_path / f"example_{page.stem}.py"  # A page may have the name of a package.
    file.write_text(with_database(program, request))
    check([sys.executable, file.name], tmp_path, program)


@pytest.fixture(scope="session")
def classes() -> Path:
    """Returns the folder with the compiled programs of all blocks of Java, whichever of the tests' processes makes it.

    They read the URLs of the databases from system properties.
    """
    programs = {block.package(): program(block) for block in all_blocks("java")}
    stamp = hashlib.sha256(repr((sorted(programs.items()), jar().stat().st_mtime)).encode()).hexdigest()[:16]
    folder = TOP / "target/java/pages"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / stamp).exists():
            for package, text in programs.items():
                (folder / package).mkdir(exist_ok=True)
                (folder / package / "Example.java").write_text(text)
            sources = [str(folder / package / "Example.java") for package in programs]
            subprocess.run(["javac", "-cp", str(jar()), "-d", str(folder), *sources], check=True)
            (folder / stamp).touch()
    return folder


def program(block: Block) -> str:
    """Returns the program of a block of Java."""
    text = block.text
    for placeholder, fixture in PLACEHOLDERS.items():
        text = text.replace(placeholder, f'System.getProperty("{fixture}") + "')
    if not re.search(r"^public class Example", text, re.MULTILINE):
        main = "public static void main(String[] args) throws Exception"
        text = f"{IMPORTS} public class Example {{ {main} {{\n{text}}} }}\n"
    return f"package {block.package()}; {text}"


@pytest.mark.parametrize("block", all_blocks("java"), ids=str)
def test_a_block_of_java_prints_what_it_says(
    block: Block, classes: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    wanted = [name for placeholder, name in PLACEHOLDERS.items() if placeholder in block.text]
    properties = [f"-D{name}={request.getfixturevalue(name)}" for name in wanted]
    path = f"{jar()}{os.pathsep}{classes}"
    check([*JAVA, *properties, "-cp", path, f"{block.package()}.Example"], tmp_path, block.text)


def test_the_readmes_show_both_modes_in_both_languages() -> None:
    for page in TOP.glob("README*.md"):
        found = {
            (language, mode)
            for language in ("python", "java")
            for block in blocks(language, page)
            for mode in ("Segment", "Snowflake")
            if mode in block.text
        }
        assert len(found) == 4, page


def test_no_block_of_code_is_left_out_by_its_form() -> None:
    for page in PAGES:
        text = page.read_text()
        assert len(re.findall(r"```\s*(?:python|java)\b", text)) == len(FENCE.findall(text)), page
