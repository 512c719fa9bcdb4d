"""A second interpreter of the process gets a clear error, and no crash."""

import re

from testing import run_python


def test_an_import_in_a_subinterpreter_is_a_clear_error_and_the_main_one_keeps_minting() -> None:
    script = """
        import contextlib, importlib, leafmint
        for name in ("_xxsubinterpreters", "_interpreters"):  # up to Python 3.12, and since
            with contextlib.suppress(ImportError):
                interpreters = importlib.import_module(name)
        order = leafmint.SegmentGenerator("memory:").tag("order")
        order.next_id()
        second = interpreters.create()
        program = "try: import leafmint\\nexcept ImportError as error: print(error, flush=True)"
        interpreters.run_string(second, program)
        interpreters.destroy(second)
        print(order.next_id())
    """
    lines = run_python(script).splitlines()
    # From 3.12 on CPython itself refuses, in its own words.
    assert re.search("does not support (loading in )?subinterpreters", lines[0]), lines
    assert lines[1:] == ["2"]
