"""No files of a crate know each other, and what is public is used. Cargo checks the arrows between crates."""

from __future__ import annotations

from pathlib import Path

import pytest
from architecture import Arrows, arrows, between_modules, cycles, read_crate
from programs import TOP
from public_items import CRATES as CORE
from public_items import unused

CRATES = [f"core/{name}" for name in CORE] + ["py", "jvm", "tests/simulation"]


@pytest.mark.parametrize("crate", CRATES)
def test_no_files_know_each_other(crate: str) -> None:
    files = arrows(read_crate(TOP / crate / "src"))
    assert cycles(files) == []
    assert cycles(between_modules(files)) == []


@pytest.mark.parametrize("crate", CORE)
def test_the_tour_names_every_module_of_the_core(crate: str) -> None:
    tour = (TOP / "docs/dev/architecture.md").read_text()
    modules = {module[0] for module in read_crate(TOP / "core" / crate / "src") if module}
    assert [name for name in sorted(modules) if f"`{name}`" not in tour] == []


def test_what_no_other_crate_names_is_not_public() -> None:
    assert [f"{file.relative_to(TOP)}:{line}: {name}" for file, line, name in unused()] == []


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
