"""A panic is a bug in leafmint, and an exception of the caller: never the end of the process."""

import leafmint
import pytest
from leafmint import _core
from testing import in_threads, run_python

PANICS = "leafmint panics"
"""The first leases of this tag of a memory store do."""


def test_a_panic_is_an_exception_with_its_message() -> None:
    with pytest.raises(RuntimeError, match="leafmint panicked, which is a bug in it: seven") as raised:
        _core._panic("seven")  # type: ignore[attr-defined]
    assert isinstance(raised.value, Exception)


def test_a_process_lives_on_after_panics_and_prints_each_place_in_the_code_once() -> None:
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
        print(leafmint.SegmentGenerator("memory:").biz_tag("order").next_id())
    """
    assert run_python(script) == "1\n1\n"


def test_a_caller_who_waits_for_a_refill_that_panics_is_told_and_a_later_call_works() -> None:
    with leafmint.SegmentGenerator("memory://panics") as ids:
        tag = ids.biz_tag(PANICS)
        with pytest.raises(leafmint.SegmentUnavailableError, match="leafmint panicked, which is a bug in it: a lease of"):
            tag.next_id(timeout=1)
        assert ids.biz_tag("order").next_id() == 1
        drawn = in_threads(4, lambda: tag.next_id(timeout=20))
        assert len(set(drawn)) == 4
        assert ids.stats()["tags"][PANICS]["refill_failures"] >= 1
