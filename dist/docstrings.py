"""Writes the docstrings of the compiled module into its stub, where editors look for them.

`docstrings.py` prints the stub. `docstrings.py WHEEL…` writes into the stub of each wheel the docstrings of the one
among them that this interpreter can import: wheels for other processors have the same.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import inspect
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias
from zipfile import ZipFile

STUB = Path(__file__).parents[1] / "py/python/leafmint/_core.pyi"
IN_WHEEL = "leafmint/_core.pyi"
Documented: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Documented]]:
    """Yields the public classes, functions, methods and properties of a stub."""
    for node in body:
        if isinstance(node, Documented) and not node.name.startswith("_"):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{node.name}.")


def docstrings() -> dict[str, str]:
    """Returns the docstrings of the compiled module that is installed."""
    from leafmint import _core

    found = {}
    for name, _ in public(ast.parse(STUB.read_text(encoding="utf-8")).body):
        owner, _, member = name.rpartition(".")
        found[name] = inspect.cleandoc(
            inspect.getattr_static(getattr(_core, owner) if owner else _core, member).__doc__
        )
    return found


def documented(stub: str, docs: Mapping[str, str]) -> str:
    """Returns a stub with docstrings."""
    lines = stub.splitlines()
    # From the end, and members before their class, so that no line moves before its turn.
    nodes = sorted(public(ast.parse(stub).body), key=lambda item: (item[1].body[0].lineno, item[1].col_offset))
    for name, node in reversed(nodes):
        first, indent = node.body[0], " " * (node.col_offset + 4)
        text = "\n".join(indent + line if line else "" for line in f'"""{docs[name]}'.split("\n"))
        text += f'\n{indent}"""' if "\n" in docs[name] else '"""'
        at = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))]) - 1
        if isinstance(first, ast.Expr):
            # The ellipsis of a body that is empty.
            lines[at : at + 1] = [line for line in (lines[at][: first.col_offset].rstrip(), text) if line]
        else:
            lines[at:at] = [text, ""]
    return "\n".join(lines) + "\n"


def docstrings_of(wheels: list[Path]) -> dict[str, str]:
    """Returns the docstrings of the first wheel that this interpreter can import."""
    for wheel in wheels:
        with tempfile.TemporaryDirectory() as folder, ZipFile(wheel) as archive:
            archive.extractall(folder)
            program = (
                f"import json, sys; sys.path[:0] = [{str(Path(__file__).parent)!r}, {folder!r}]; import docstrings"
            )
            command = [sys.executable, "-I", "-c", f"{program}; print(json.dumps(docstrings.docstrings()))"]
            ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            if ran.returncode == 0:
                found: dict[str, str] = json.loads(ran.stdout)
                return found
    sys.exit(
        f"none of {', '.join(wheel.name for wheel in wheels)} can be imported here: build the wheel of this machine"
    )


def write(wheel: Path, docs: Mapping[str, str]) -> None:
    """Writes docstrings into the stub of a wheel, and the hash of the stub into its record."""
    with ZipFile(wheel) as archive:
        files = [(member, archive.read(member)) for member in archive.infolist()]
    stub = documented(STUB.read_text(encoding="utf-8"), docs).encode()
    digest = base64.urlsafe_b64encode(hashlib.sha256(stub).digest()).decode().rstrip("=")
    new = wheel.with_suffix(".new")
    with ZipFile(new, "w", compresslevel=9) as archive:
        for member, content in files:
            if member.filename == IN_WHEEL:
                content = stub
            elif member.filename.endswith(".dist-info/RECORD"):
                rows = content.decode().splitlines()
                rows = [
                    f"{IN_WHEEL},sha256={digest},{len(stub)}" if row.startswith(f"{IN_WHEEL},") else row for row in rows
                ]
                content = ("\n".join(rows) + "\n").encode()
            archive.writestr(member, content, compresslevel=9)
    new.replace(wheel)


if __name__ == "__main__":
    wheels = [Path(name) for name in sys.argv[1:]]
    if not wheels:
        print(documented(STUB.read_text(encoding="utf-8"), docstrings()), end="")
    found = docstrings_of(wheels) if wheels else {}
    for wheel in wheels:
        write(wheel, found)
