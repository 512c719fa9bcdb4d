"""Compares the public names with the lists in tests/surface, or writes these, with `--write`.

A change of the surface is thus seen in review. Python's names are those of the modules with `__all__`, read from
sources and stubs; Java's are those that `javap` shows of the compiled modules in packages that are not internal. The
vocabulary is what the core and the command line declare: each name has the version that it is there since, and whether
it is stable. A new name gets the present version and "stable"; "experimental" is written by hand.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]
LISTS = TOP / "tests/surface"
VECTORS = TOP / "tests/vectors"
MODULES = ("java", "spring-boot-starter", "shardingsphere")
"""The folders of the modules that are published."""

CONSTRUCTORS = ("__init__", "__new__", "__call__")


def python() -> Iterator[str]:
    """Yields the public names of the Python package, each with its signature or type."""
    import griffe

    package = griffe.load("leafmint", search_paths=[str(TOP / "py/python")], allow_inspection=False)
    of_root = {str(name) for name in package.exports or ()}
    for module in [package, *modules_of(package)]:
        names = {str(name) for name in module.exports or ()}
        if module is package or names - of_root:
            for name in sorted(names):
                yield from lines_of(f"{module.path}.{name}", target(module.members[name]))


def modules_of(package: Any) -> Iterator[Any]:
    """Yields the modules below a package, but for internal ones and the command line."""
    for name, member in sorted(package.members.items()):
        if not member.is_alias and member.is_module and not name.startswith("_") and name != "cli":
            yield member
            yield from modules_of(member)


def target(member: Any) -> Any:
    """Returns what a name stands for."""
    return member.final_target if member.is_alias else member


def lines_of(path: str, member: Any) -> Iterator[str]:
    """Yields a line for a name, and one for each public member of a class."""
    if member.is_function:
        yield f"{'async ' if 'async' in member.labels else ''}{member.signature(name=path, return_type=True)}"
    elif member.is_class:
        bases = ", ".join(str(base) for base in member.bases)
        yield f"class {path}({bases})" if bases else f"class {path}"
        for name, inner in sorted(member.members.items()):
            if not name.startswith("_") or name in CONSTRUCTORS:
                yield from lines_of(f"{path}.{name}", target(inner))
    else:
        yield f"{path}: {member.annotation}" if getattr(member, "annotation", None) else path


def java() -> Iterator[str]:
    """Yields the public and protected members of the public classes of Java, as `javap` shows them."""
    for module in MODULES:
        classes = TOP / "jvm" / module / "target/classes"
        names = sorted(
            str(path.relative_to(classes)).removesuffix(".class").replace("/", ".")
            for path in classes.rglob("*.class")
            if "internal" not in path.parts and path.name not in ("package-info.class", "module-info.class")
        )
        if not names:
            sys.exit(f"{classes} has no classes: run `make jars` first")
        shown = subprocess.run(
            ["javap", "-protected", "-cp", str(classes), *names], capture_output=True, text=True, check=True
        ).stdout
        for each in re.findall(r"^(\S.*) \{\n((?:  .*\n)*)\}$", shown, re.MULTILINE):
            header, members = each
            if re.match(r"(public|protected) ", header):
                yield header
                yield from sorted(f"    {member.strip().removesuffix(';')}" for member in members.splitlines())


def vocabulary() -> Iterator[str]:
    """Yields the names that all languages share, each with its first version and its stability."""
    import leafmint

    listed = LISTS / "vocabulary.txt"
    lines = listed.read_text().splitlines() if listed.exists() else []
    known = {name: since for since, _, name in (line.partition("  ") for line in lines)}
    for name in words():
        yield f"{known.get(name, f'{leafmint.__version__} stable')}  {name}"


def words() -> Iterator[str]:
    """Yields the names that the core, its vectors, the pages made from them, and the command line have."""
    import leafmint
    from leafmint import _core
    from leafmint.cli.program import build_parser

    yield from (f"option of segments: {it.name}" for it in leafmint.SEGMENT_OPTIONS)
    yield from (f"option of snowflakes: {it.name}" for it in leafmint.SNOWFLAKE_OPTIONS)
    properties = (TOP / "docs/reference/spring-properties.md").read_text()
    names = re.findall(r"^(?:\| )?`(leafmint\.[^`]+)`(?: \||[,.]$)", properties, re.MULTILINE)
    yield from (f"property: {name}" for name in names)
    yield from (f"event: {name}" for name, _, _ in _core._EVENTS)
    for kind, file in (("error", "errors"), ("reason", "reasons")):
        yield from (f"{kind}: {it['code']}" for it in json.loads((VECTORS / f"{file}.json").read_text()))
    for of, names in json.loads((VECTORS / "stats.json").read_text()).items():
        yield from (f"statistic of a {of}: {name}" for name in names)
    yield from (f"meter: {it['name']}" for it in json.loads((VECTORS / "meters.json").read_text()))
    yield from commands("leafmint", build_parser())


def commands(path: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yields the commands of a parser, and the arguments of each."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from commands(f"{path} {name}", inner)
        elif not isinstance(action, argparse._HelpAction):
            yield f"command: {path} {[*action.option_strings, action.metavar or action.dest][0]}"


def check(language: str) -> bool:
    """Returns whether a list is as it should be, and prints the difference. With `--write` it is written."""
    path = LISTS / f"{language}.txt"
    present = [*{"python": python, "java": java, "vocabulary": vocabulary}[language]()]
    if "--write" in sys.argv:
        path.write_text("".join(f"{line}\n" for line in present))
        return True
    listed = path.read_text().splitlines()
    for line in difflib.unified_diff(listed, present, str(path.relative_to(TOP)), "what is public", lineterm="", n=0):
        print(line)
    return listed == present


if __name__ == "__main__":
    languages = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    checked = [check(language) for language in languages]
    if not all(checked):
        sys.exit("the surface has changed: run tests/lint/surface.py with --write, and say in CHANGELOG what is new")
