"""What is as long as a caller chooses is allocated by core/ids/src/room.rs and py/src/list.rs only.

A vector that finds no memory ends the interpreter or the JVM that leafmint is a guest of, and a list that PyO3 makes
panics.
"""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SOURCES = ["core/ids/src", "core/engine/src/segment", "core/engine/src/snowflake", "jvm/src", "py/src"]

ALLOCATES = re.compile(
    r"with_capacity\(|vec!\[[^]]*;|\bcollect(?:::<.*?>+)?\(|\.to_vec\(|\.resize\("
    r"|Py(?:List|Bytes|ByteArray)::new\("
)

BOUNDED = {
    "core/ids/src/format/": "a format has at most 200 characters",
    "core/ids/src/room.rs": "the room itself",
    "core/ids/src/text/": "messages",
    "core/ids/src/public_id/ff1.rs": "a block of the cipher",
    "core/ids/src/public_id/keys.rs": "there are at most 4 keys",
    "core/ids/src/public_id/public_ids.rs": "one text",
    "core/engine/src/segment/close.rs": "the tags of a process",
    "core/engine/src/segment/generator.rs": "the option tags",
    "core/engine/src/segment/lifecycle.rs": "the tags of a process",
    "core/engine/src/segment/series/by_name.rs": "the series that were forgotten",
    "core/engine/src/segment/failures.rs": "the kinds of errors",
    "core/engine/src/segment/series/totals.rs": "the series of a process",
    "core/engine/src/segment/stored_tags.rs": "what the store lists",
    "core/engine/src/segment/stripes.rs": "the processors",
    "core/engine/src/segment/tags.rs": "the tags of a process",
    "core/engine/src/snowflake/leased_past.rs": "the blocks of a layout, at most 2^14",
    "jvm/src/audit.rs": "names that Java has as an array",
    "jvm/src/tag.rs": "the statistics",
    "jvm/src/errors.rs": "the options",
    "jvm/src/lending": "statements of leafmint's own, and what they read: rows of tags, series and worker ids",
    "jvm/src/logs.rs": "the events",
    "jvm/src/options.rs": "the options",
    "jvm/src/period_tables.rs": "two days",
    "jvm/src/id_keys.rs": "there are at most 4 keys",
    "jvm/src/records.rs": "what the store lists",
    "jvm/src/stats.rs": "the statistics",
    "jvm/src/waiting.rs": "the ranges of an answer, each a lease",
    "jvm/src/waking.rs": "the calls that wait",
    "py/src/at_exit.rs": "the generators of a process",
    "py/src/audit.rs": "names that Python has as a list",
    "py/src/auto_increment.rs": "what the database lists",
    "py/src/borrowed.rs": "the statements that the core sends at once",
    "py/src/logs.rs": "the events",
    "py/src/migration.rs": "what the database lists",
    "py/src/options.rs": "the options",
    "py/src/id_keys.rs": "there are at most 4 keys",
    "py/src/records.rs": "what an audit found",
}
"""The files that allocate in another way, and what bounds the length."""


def allocations(text: str) -> list[str]:
    """Return the lines that allocate by a length, without those of tests and comments."""
    product = text.split("#[cfg(test)]")[0].splitlines()
    return [line.strip() for line in product if ALLOCATES.search(line.split("//")[0])]


@cache
def sources() -> dict[str, list[str]]:
    """Return the allocations of each file that has some."""
    files = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.rs") if not path.stem.endswith("tests")]
    found = {str(path.relative_to(ROOT)): allocations(path.read_text()) for path in files}
    return {path: lines for path, lines in found.items() if lines}


def test_only_what_is_bounded_is_allocated_in_another_way() -> None:
    unbounded = {path: lines for path, lines in sources().items() if not path.startswith(tuple(BOUNDED))}
    assert not unbounded, "allocate these by leafmint's room or by py/src/list.rs, or name what bounds them"


def test_each_bounded_file_allocates() -> None:
    assert not [path for path in BOUNDED if not any(found.startswith(path) for found in sources())]


@pytest.mark.parametrize(
    "line",
    [
        "let mut ids = Vec::with_capacity(count);",
        "let mut placed = vec![0; ids.len()];",
        "moments.iter().map(|at| tick_at(*at)).collect()",
        "items.collect::<PyResult<Vec<_>>>()?",
        "PyList::new(py, ids)",
        "let column = column.to_vec();",
    ],
)
def test_an_allocation_is_found(line: str) -> None:
    assert allocations(line) == [line]


def test_an_allocation_of_a_test_is_none() -> None:
    assert not allocations("// vec![0; n]\n#[cfg(test)]\nvec![0; n]")
