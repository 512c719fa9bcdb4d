"""Fails if a comment is longer than 120 columns. The formatters see to the code, and break no comments or strings."""

from __future__ import annotations

import ast
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LIMIT = 120
STARTS = {
    ".rs": ("//",),
    ".java": ("//", "/*", "*"),
    ".toml": ("#",),
    ".yml": ("#",),
    ".xml": ("<!--",),
    "": ("#",),
}


def lines_of_comments(path: Path) -> Iterator[int]:
    """Returns the numbers of the lines that are comments or, in Python, belong to docstrings."""
    if path.suffix in (".py", ".pyi"):
        with path.open("rb") as file:
            yield from (token.start[0] for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT)
        for node in ast.walk(ast.parse(path.read_text())):
            is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if is_text and isinstance(node.value.value, str):
                yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)
        return
    starts = STARTS[path.suffix]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith(starts):
            yield number


def main() -> int:
    """Prints every line that is too long, and returns 1 if there is one."""
    patterns = [f"*{suffix}" for suffix in (*STARTS, ".py", ".pyi") if suffix]
    command = ["git", "ls-files", "--", *patterns, "Makefile", ".ci/*"]
    listed = subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True)
    found = 0
    for name in listed.stdout.splitlines():
        path = TOP / name
        lines = path.read_text().splitlines() if path.is_file() else []
        for number in lines_of_comments(path) if lines else ():
            if len(lines[number - 1]) > LIMIT:
                found += 1
                print(f"{name}:{number}: a comment of {len(lines[number - 1])} columns, more than {LIMIT}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
