"""The stubs: they list every option and every public name, and wheels add the docstrings of the compiled module."""

import ast
import doctest
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import leafmint
import pytest
from leafmint import _core

PROGRAM = Path(__file__).parents[2] / "dist/docstrings.py"
STUB = ast.parse(subprocess.run([sys.executable, PROGRAM], check=True, stdout=subprocess.PIPE, text=True).stdout)
"""The stub as wheels have it."""


def documented(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, str | None]]:
    """Yield the public classes, functions, methods and properties of the stub with their docstrings."""
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            yield prefix + node.name, ast.get_docstring(node)
            if isinstance(node, ast.ClassDef):
                yield from documented(node.body, f"{node.name}.")


DOCSTRINGS = dict(documented(STUB.body))


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_the_stub_of_a_wheel_has_the_docstring_of_the_compiled_module(name: str) -> None:
    owner, _, member = name.rpartition(".")
    compiled = inspect.getattr_static(getattr(_core, owner) if owner else _core, member)
    assert compiled.__doc__
    assert DOCSTRINGS[name] == inspect.cleandoc(compiled.__doc__)


def test_the_stub_of_a_wheel_has_the_types_of_the_sources() -> None:
    sources = ast.parse((Path(leafmint.__file__).parent / "_core.pyi").read_text())
    plain = [without_docstrings(ast.unparse(stub)) for stub in (sources, STUB)]
    assert plain[0] == plain[1]


def without_docstrings(stub: str) -> str:
    """Return a stub in which an ellipsis is the body of each function, without the docstrings of classes."""
    tree = ast.parse(stub)
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            rest = node.body[1:] if ast.get_docstring(node) else node.body
            node.body = rest or [ast.Expr(ast.Constant(...))]
    return ast.unparse(tree)


def test_the_stub_has_every_public_name_of_the_compiled_module() -> None:
    public = {name for name, value in vars(_core).items() if callable(value) and not name.startswith("_")}
    assert public == {name for name in DOCSTRINGS if "." not in name}
    for name in public:
        kind = getattr(_core, name)
        if isinstance(kind, type):
            members = {f"{name}.{member}" for member in vars(kind) if not member.startswith("_")}
            assert members == {documented for documented in DOCSTRINGS if documented.startswith(f"{name}.")}


@pytest.mark.parametrize("name", [name for name in DOCSTRINGS if name[0].isupper() and "." not in name])
def test_every_class_has_an_example(name: str) -> None:
    assert doctest.DocTestParser().get_examples(DOCSTRINGS[name] or "")


@pytest.mark.parametrize(
    "module", [leafmint, leafmint.errors, leafmint.id_source, leafmint.options, leafmint.records, leafmint.typed_ids]
)
def test_the_examples_of_a_module_and_its_classes_run(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert result.failed == 0


def test_every_exported_name_is_explained() -> None:
    for name in leafmint.__all__:
        if callable(member := getattr(leafmint, name)):
            assert member.__doc__, name
