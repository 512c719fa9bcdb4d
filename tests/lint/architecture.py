"""Reads which source files use which others, out of the `use` lines and paths of a Rust crate."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

Module = tuple[str, ...]
"""The path of a module: `("segment", "buffer")`; the crate's root is empty."""

Arrows = dict[Module, set[Module]]


@dataclass
class Source:
    """One source file."""

    module: Module
    code: str
    """The text without comments, tests and `use` lines."""
    imports: list[list[str]] = field(default_factory=list)
    """The paths of its private `use` lines."""
    exports: dict[str, list[str]] = field(default_factory=dict)
    """The paths of its public `use` lines, by the name that they give."""


def read_crate(root: Path) -> dict[Module, Source]:
    """Reads all files below the folder `src` of a crate, except those that hold tests alone."""
    sources = {}
    for path in sorted(root.rglob("*.rs")):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[0] == "fuzz" or parts[-1].endswith("tests"):
            continue
        module = parts[:-1] if parts[-1] in ("mod", "lib") else parts
        sources[module] = read_source(module, path.read_text())
    return sources


def read_source(module: Module, text: str) -> Source:
    """Reads one file. Its tests are expected at its end."""
    text = re.sub(r"//.*", "", text)
    text = re.sub(r"#\[cfg\((all\()?test\b[^]]*\]\s*mod \w+ \{.*", "", text, flags=re.DOTALL)
    source = Source(module, re.sub(r"\buse [^;]+;", "", text))
    for public, tree in re.findall(r"^\s*(pub(?:\([\w\s]+\))? )?use ([^;]+);", text, flags=re.MULTILINE):
        for path, name in leaves(re.sub(r"\s+", " ", tree)):
            if public:
                source.exports[name] = path
            else:
                source.imports.append(path)
    return source


def leaves(tree: str) -> list[tuple[list[str], str]]:
    """Takes a `use` tree apart, as in `a::{b, c::{self, d as e}}`: the paths, and the name that each gives."""
    tree = tree.strip()
    if not tree.endswith("}"):
        path, _, alias = tree.partition(" as ")
        segments = path.split("::")
        if segments[-1] == "self" and len(segments) > 1:
            segments.pop()
        return [(segments, alias or segments[-1])]
    prefix, _, inner = tree.partition("{")
    items, depth = [""], 0
    for letter in inner[:-1]:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            items.append("")
        else:
            items[-1] += letter
    return [leaf for item in items if item.strip() for leaf in leaves(prefix + item.strip())]


def arrows(sources: dict[Module, Source]) -> Arrows:
    """Returns the files that each file uses. A `pub use` of a file below counts only if the code uses the name too."""
    found: Arrows = {}
    for module, source in sources.items():
        paths = list(source.imports)
        for name, path in source.exports.items():
            target = resolve(sources, module, path)
            if target is not None and (target[: len(module)] != module or re.search(rf"\b{name}\b", source.code)):
                paths.append(path)
        paths += [match.split("::") for match in re.findall(r"(?<![\w:])\w+(?:::\w+)+", source.code)]
        targets = {resolve(sources, module, path) for path in paths}
        found[module] = {target for target in targets if target is not None and target != module}
    return found


def resolve(sources: dict[Module, Source], module: Module, path: list[str]) -> Module | None:
    """Returns the file that a path in a file leads to; `None` if it is not of this crate."""
    first, *rest = path
    if first == "crate":
        return follow(sources, (), rest)
    if first == "self":
        return follow(sources, module, rest)
    if first == "super":
        return follow(sources, module[:-1], rest) if rest[0] != "super" else resolve(sources, module[:-1], rest)
    return follow(sources, module, path) if (*module, first) in sources else None


def follow(sources: dict[Module, Source], start: Module, path: list[str]) -> Module:
    """Returns the file in which a path ends that begins in the module `start`, through whatever `pub use` it meets."""
    for at, segment in enumerate(path):
        if (*start, segment) in sources:
            start = (*start, segment)
        elif segment in sources[start].exports:
            target = resolve(sources, start, sources[start].exports[segment])
            return start if target is None else follow(sources, target, path[at + 1 :])
        else:
            break
    return start


def between_modules(files: Arrows) -> Arrows:
    """Returns the arrows between the crate's top-level modules."""
    found: Arrows = {module[:1]: set() for module in files if module}
    for module, targets in files.items():
        if module:
            found[module[:1]] |= {target[:1] for target in targets if target and target[0] != module[0]}
    return found


def cycles(graph: Arrows) -> list[list[str]]:
    """Returns the groups of modules of which each one reaches each other one."""
    reached = {module: reachable(graph, module) for module in graph}
    groups = {frozenset(other for other in reached[module] if module in reached[other]) for module in graph}
    return sorted(sorted(map("::".join, group)) for group in groups if len(group) > 1)


def reachable(graph: Arrows, start: Module) -> set[Module]:
    """Returns every module that can be reached from this one over at least one arrow."""
    found: set[Module] = set()
    left = list(graph[start])
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            left += graph[module]
    return found
