"""A panic is a bug in leafmint: the caller gets an exception, and the process goes on."""

import pytest
from leafmint import _core
from testing import run_python


def test_a_panic_is_an_exception_with_its_message() -> None:
    with pytest.raises(RuntimeError, match="leafmint panicked, which is a bug in it: seven") as raised:
        _core._panic("seven")  # type: ignore[attr-defined]
    assert isinstance(raised.value, Exception)


def test_a_process_survives_panics_and_prints_those_of_one_line_of_code_once() -> None:
    script = """
        import contextlib, io, os, sys, tempfile, leafmint
        from leafmint import _core
        stderr, sys.stderr = os.dup(2), None
        with tempfile.TemporaryFile() as seen:
            os.dup2(seen.fileno(), 2)
            for number in range(10):
                with contextlib.suppress(Exception):
                    _core._panic(f"number {number}")
            os.dup2(stderr, 2)
            seen.seek(0)
            print(seen.read().decode().count("panicked at"))
        print(leafmint.SegmentGenerator("memory:").tag("order").next_id())
    """
    assert run_python(script) == "1\n1\n"
