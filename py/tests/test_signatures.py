"""Signatures: `inspect.signature` shows the parameters that the stubs list."""

import ast
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import leafmint
import pytest
from leafmint import _core

STUB = ast.parse((Path(leafmint.__file__).parent / "_core.pyi").read_text())

FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"}

METHODS = {
    f"{kind.name}.{node.name}": node
    for kind in STUB.body
    if isinstance(kind, ast.ClassDef) and hasattr(leafmint, kind.name)
    for node in kind.body
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    and not node.decorator_list
    and (not node.name.startswith("_") or node.name in ("__new__", "__exit__"))
}


def of_the_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the parameters of a function of the stub, with their defaults and without types."""
    for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        argument.annotation = None
    return f"({ast.unparse(node.args)})".replace("(cls, ", "(")


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS])
def test_the_signature_at_run_time_is_that_of_the_stub(name: str) -> None:
    owner, _, member = name.rpartition(".")
    called: Callable[..., Any]
    if member == "__new__":
        called = getattr(_core, owner)
    else:
        called = getattr(getattr(_core, owner) if owner else _core, member)
    # PyO3 marks self as positional.
    assert str(inspect.signature(called)).replace("(self, /", "(self") == of_the_stub({**FUNCTIONS, **METHODS}[name])
