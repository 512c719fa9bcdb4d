"""Interpreters beside the main one: a clear error, and no crash."""

from testing import run_python


def test_an_import_in_a_subinterpreter_is_a_clear_error_and_the_main_one_goes_on() -> None:
    script = """
        import contextlib, importlib, leafmint
        for name in ("_xxsubinterpreters", "_interpreters"):  # the one up to Python 3.12, the other since
            with contextlib.suppress(ImportError):
                interpreters = importlib.import_module(name)
        order = leafmint.SegmentGenerator("memory:").biz_tag("order")
        order.next_id()
        beside = interpreters.create()
        program = "try: import leafmint\\nexcept ImportError as error: print(error, flush=True)"
        interpreters.run_string(beside, program)
        interpreters.destroy(beside)
        print(order.next_id())
    """
    said = run_python(script).splitlines()
    assert "does not support subinterpreters" in said[0], said
    assert said[1:] == ["2"]
