"""The stubs say what the compiled module has."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import leafmint


def test_the_stubs_are_complete() -> None:
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "leafmint"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_knows_every_option() -> None:
    stub = ast.parse((Path(leafmint.__file__).parent / "_core.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    for name, options in (("SegmentGenerator", leafmint.OPTIONS), ("SnowflakeGenerator", leafmint.SNOWFLAKE_OPTIONS)):
        new = next(node for node in classes[name].body if isinstance(node, ast.FunctionDef) and node.name == "__new__")
        assert [argument.arg for argument in new.args.kwonlyargs] == [option.name for option in options]


def test_the_example_in_the_docs_runs() -> None:
    assert doctest.testmod(leafmint) == doctest.TestResults(failed=0, attempted=8)


def test_everything_public_is_exported_and_explained() -> None:
    for name in leafmint.__all__:
        assert hasattr(leafmint, name)
        if callable(member := getattr(leafmint, name)):
            assert member.__doc__, name
    for kind in vars(leafmint._core).values():
        if isinstance(kind, type):
            assert kind.__doc__
            for name, member in vars(kind).items():
                assert name.startswith("_") or member.__doc__, f"{kind}.{name}"
