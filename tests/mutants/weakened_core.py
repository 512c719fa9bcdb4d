"""Writes a copy of the core, into target/mutants, in which every guard of weakenings.py can be switched off by name.

The sources themselves know nothing of it. A weakening names a place by the text of the source, with the guard between
« and »; the copy has an `if` there, and the environment variable LEAFMINT_MUTANT chooses. The lines keep their numbers.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from weakenings import PROOFS, WEAKENINGS, Place, Weakening

TOP = Path(__file__).resolve().parents[2]
COPY = TOP / "target/mutants"

SWITCH = "LEAFMINT_MUTANT"

MODULE = f"""
mod mutants {{
    pub(crate) fn is_off(name: &str) -> bool {{
        static CHOSEN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
        CHOSEN.get_or_init(|| std::env::var("{SWITCH}").unwrap_or_default()) == name
    }}
}}
"""

ROOTS = (
    "core/ids/src/lib.rs",
    "core/engine/src/lib.rs",
    "core/backends/src/lib.rs",
    "core/leafmint/src/lib.rs",
    "tests/models/loom/main.rs",
)
"""The crates that compile sources of the core, and get the module."""

COPIED = ("core", "tests/models")

LINKED = (
    "Cargo.toml",
    "Cargo.lock",
    "py",
    "jvm",
    "tests/fleet",
    "tests/fuzz",
    "tests/programs",
    "tests/simulation",
    "tests/servers",
    "tests/vectors",
)
"""What else Cargo and the tests look for, next to the core."""

SPACE = r"(?:\\\n|\s)"
"""What may lie between two words of a place: formatting does not change what a place names."""

TOKENS = re.compile(r"""//[^\n]*|b?r(#*)".*?"\1|"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\[^\n]+?)'""", re.DOTALL)
"""Comments, strings and characters, in which brackets and quotes mean nothing."""

Span = tuple[int, int]


class Misplaced(Exception):
    """A place that its file does not have, or has twice."""


def words(text: str) -> str:
    """Returns a pattern that finds a text however it is wrapped."""
    return f"{SPACE}+".join(re.escape(word) for word in text.split())


def find(source: str, place: Place) -> Span:
    """Returns where the guard of a place is."""
    before, guard, after = re.split("[«»]", place.text if "«" in place.text else f"«{place.text}»")
    pattern = f"{words(before)}{SPACE}*(?P<guard>{words(guard)}){SPACE}*{words(after)}"
    found = [match.span("guard") for match in re.finditer(pattern, source)]
    if len(found) != 1:
        times = "not in" if not found else f"{len(found)} times in"
        raise Misplaced(f"`{place.text}` is {times} core/{place.file}")
    return found[0]


def closing(source: str, opening: int) -> int:
    """Returns the index behind the bracket that closes the one at `opening`."""
    depth, at = 0, opening
    while True:
        token = TOKENS.match(source, at)
        if token:
            at = token.end()
            continue
        depth += (source[at] in "([{") - (source[at] in ")]}")
        at += 1
        if depth == 0:
            return at


def expression(source: str, guard: Span) -> Span:
    """Returns the expression that is there twice: the guard, or the string that it is part of, with its `format!`."""
    for token in TOKENS.finditer(source):
        start, end = token.span()
        if source[start] == '"' and start < guard[0] and guard[1] < end:
            call = re.search(r"\bformat!\(\s*$", source[:start])
            return (call.start(), closing(source, source.index("(", call.start()))) if call else (start, end)
    return guard


def on_one_line(text: str) -> str:
    """Returns an expression in one line."""
    return re.sub(r"\n\s*", " ", re.sub(r"\\\n\s*", "", text))


def weaken(source: str, weakenings: list[tuple[Weakening, Place]]) -> str:
    """Returns a source in which each of these weakenings can be switched on."""
    choices: dict[Span, list[str]] = defaultdict(list)
    for weakening, place in weakenings:
        is_on = f'crate::mutants::is_off("{weakening.name}")'
        guard = find(source, place)
        start, end = expression(source, guard)
        weak = place.weak.replace("OFF", is_on)
        weak = on_one_line(source[start : guard[0]] + weak + source[guard[1] : end])
        choices[start, end].append(f"{weak} " if "OFF" in place.weak else f"if {is_on} {{ {weak} }} else ")
    last = len(source)
    for (start, end), weakened in sorted(choices.items(), reverse=True):
        if end > last:
            raise Misplaced(f"`{source[start:end]}` is part of another guard")
        strong = source[start:end]
        whole = f"({''.join(weakened)}{{ {strong} }})" if weakened[0].endswith("else ") else weakened[0]
        source, last = source[:start] + whole + source[end:], start
    return source


def misplaced(source: str, weakenings: list[tuple[Weakening, Place]]) -> list[str]:
    """Returns what is wrong with the places of these weakenings in one source."""
    try:
        weaken(source, weakenings)
    except Misplaced as error:
        return [f"{weakenings[0][0].name}: {error}"]
    return []


def check() -> list[str]:
    """Returns what is wrong with the list: each guard must be in its file, once."""
    listed = [weakening.name for weakening in WEAKENINGS]
    problems = [f"{name} is listed twice" for name in sorted({name for name in listed if listed.count(name) > 1})]
    problems += [f"{name} stands for a line of a proof and is no weakening" for name in {*PROOFS.values()} - {*listed}]
    for file, weakenings in by_file().items():
        source = (TOP / "core" / file).read_text()
        alone = [problem for one in weakenings for problem in misplaced(source, [one])]
        problems += alone or misplaced(source, weakenings)
    return problems


def by_file() -> dict[str, list[tuple[Weakening, Place]]]:
    """Returns the weakenings of each file, relative to core."""
    files = defaultdict(list)
    for weakening in WEAKENINGS:
        for place in weakening.places:
            files[place.file].append((weakening, place))
    return files


def contents() -> Iterator[tuple[Path, bytes]]:
    """Returns the files of the copy that are no links, with what they hold."""
    weakened = by_file()
    for folder in COPIED:
        for file in (TOP / folder).rglob("*"):
            if file.is_file():
                name = file.relative_to(TOP)
                content = file.read_bytes()
                if places := weakened.get(str(name).removeprefix("core/")):
                    content = weaken(content.decode(), places).encode()
                if str(name) in ROOTS:
                    content = b"#![allow(warnings)] " + content + MODULE.encode()
                yield name, content


def write() -> None:
    """Writes the copy. What has not changed keeps its time, so that Cargo compiles no more than it must."""
    for link in (COPY / name for name in LINKED):
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(os.path.relpath(TOP / link.relative_to(COPY), link.parent))
    kept = set()
    for relative, content in contents():
        file = COPY / relative
        kept.add(file)
        if not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    for folder in COPIED:
        for file in (COPY / folder).rglob("*"):
            if file.is_file() and file not in kept:
                file.unlink()
