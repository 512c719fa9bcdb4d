"""The sources have no cycle, and no arrow between modules of the core that arrows.txt does not list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from architecture import Arrows, arrows, between_modules, cycles, read_crate
from programs import TOP

CRATES = ["core", "py", "jvm"]

LINES = re.findall(r"^(\w+):(.*)$", (TOP / "tests/lint/arrows.txt").read_text(), re.MULTILINE)


def listed() -> Arrows:
    """Returns the arrows that are allowed, with those to the modules that every module may know."""
    everyone = known_to_all()
    return {
        (name,): ({(known,) for known in knows.split()} | everyone) - {(name,)}
        for name, knows in LINES
        if name != "everyone"
    }


def known_to_all() -> set[tuple[str, ...]]:
    """Returns the modules that every module may know."""
    return {(known,) for known in dict(LINES)["everyone"].split()}


@pytest.mark.parametrize("crate", CRATES)
def test_no_files_know_each_other(crate: str) -> None:
    files = arrows(read_crate(TOP / crate / "src"))
    assert cycles(files) == []
    assert cycles(between_modules(files)) == []


def test_every_arrow_between_modules_of_the_core_is_listed() -> None:
    found, table = between_modules(arrows(read_crate(TOP / "core/src"))), listed()
    assert found.keys() == table.keys(), "a module without a line, or a line without a module"
    assert {module: targets - table[module] for module, targets in found.items() if targets - table[module]} == {}


def test_no_arrow_is_listed_that_is_gone() -> None:
    found, table = between_modules(arrows(read_crate(TOP / "core/src"))), listed()
    assert {module: gone for module in found if (gone := table[module] - found[module] - known_to_all())} == {}


def test_all_arrows_point_down_the_list() -> None:
    order = list(listed())
    up = [
        (module, known)
        for module, targets in listed().items()
        for known in targets
        if order.index(known) < order.index(module)
    ]
    assert [(module, known) for module, known in up if known not in known_to_all()] == []


def test_the_tour_names_every_module_of_the_core() -> None:
    tour = (TOP / "docs/architecture.md").read_text()
    assert [name for name, _ in LINES if name != "everyone" and f"`{name}`" not in tour] == []


def crate(root: Path, **files: str) -> Arrows:
    """Writes a small crate, with `__` for a slash in a file's name, and returns its arrows."""
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.rs"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return arrows(read_crate(root))


def test_a_cycle_is_found_through_an_import_a_path_and_a_public_use(tmp_path: Path) -> None:
    found = crate(
        tmp_path,
        lib="pub mod shop;\npub use shop::Order;",
        shop__mod="mod order;\nmod price;\npub use order::Order;\npub(crate) use price::{self, Price as Cost};",
        shop__order="use crate::shop::Cost;\n/// Knows [`crate::error`].\npub struct Order(Cost);",
        shop__price="pub struct Price;\nfn of(order: &super::Order) -> Price { Price }",
    )
    assert found[("shop", "order")] == {("shop", "price")}
    assert cycles(found) == [["shop::order", "shop::price"]]
    assert cycles(between_modules(found)) == []


def test_an_arrow_between_modules_is_found_and_one_of_a_test_is_not(tmp_path: Path) -> None:
    found = crate(
        tmp_path,
        lib="",
        disk="pub fn write() {}",
        shop__mod="mod order;",
        shop__order="fn save() { crate::disk::write() }\n#[cfg(test)]\nmod tests {\n    use crate::lib_test::x;\n}",
        clock_tests="use crate::disk;",
        linux='#[cfg(all(test, target_os = "linux"))]\nmod tests {\n    use crate::disk;\n}',
    )
    assert between_modules(found) == {("shop",): {("disk",)}, ("disk",): set(), ("linux",): set()}


def test_a_module_that_exports_a_file_uses_it_only_if_it_names_what_it_exports(tmp_path: Path) -> None:
    source = "mod ring;\npub use ring::Ring;\npub struct Event;\n"
    ring = "use super::Event;\npub struct Ring(Event);"
    assert cycles(crate(tmp_path / "a", events__mod=source, events__ring=ring)) == []
    assert cycles(crate(tmp_path / "b", events__mod=source + "static RING: Ring;", events__ring=ring)) == [
        ["events", "events::ring"]
    ]
