"""Signatures: `inspect.signature` shows the parameters that the stubs list."""

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from inspect import Parameter, isclass, signature
from pathlib import Path
from typing import Any

import leafmint
import pytest
from leafmint import _core

STUB = ast.parse((Path(leafmint.__file__).parent / "_core.pyi").read_text())

POSITIONAL = Parameter.POSITIONAL_OR_KEYWORD

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
    assert str(signature(called)).replace("(self, /", "(self") == of_the_stub({**FUNCTIONS, **METHODS}[name])


GIVEN_BY_POSITION = {
    "sqlalchemy.Sharding.shard_chooser": "clause",
    "alembic.include_name": "parent_names",
    "django.ShardRouter.db_for_read": "instance",
    "django.ShardRouter.db_for_write": "instance",
    "django.ShardRouter.allow_migrate": "model_name",
    "django.ShardedQuerySet": "query, using, hints",
    "django.ShardedQuerySet.update_or_create": "create_defaults",
}
"""Parameters behind the first one that have a default, and are passed by position: the callers are libraries."""


def public_calls() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public functions, classes and methods of the package, with their names."""
    modules = ("", "testing", "sqlalchemy", "alembic", "prometheus", "opentelemetry", "sharding", "django", "web")
    for module in modules:
        package = import_module(f"leafmint.{module}".rstrip("."))
        for name in package.__all__:
            value = getattr(package, name)
            prefix = f"{module}.{name}".lstrip(".")
            if not callable(value) or (isclass(value) and not value.__module__.startswith("leafmint")):
                continue
            yield prefix, value.__init__ if isclass(value) and "__init__" in vars(value) else value
            for member in vars(value) if isclass(value) else ():
                if not member.startswith("_") and callable(getattr(value, member)):
                    yield f"{prefix}.{member}", getattr(value, member)


def test_what_has_a_default_behind_the_first_argument_is_passed_by_name() -> None:
    found: dict[str, str] = {}
    for name, called in public_calls():
        # An exception's, and a protocol's, cannot be read.
        with suppress(ValueError):
            behind = [value for key, value in signature(called).parameters.items() if key not in ("self", "cls")][1:]
            given = [value.name for value in behind if value.default is not value.empty and value.kind <= POSITIONAL]
            found |= {name: ", ".join(given)} if given else {}
    assert found == GIVEN_BY_POSITION
