"""The arrays of 64-bit words that ids and their parts are returned in."""

from pathlib import Path

from testing import run_python


def test_without_numpy_the_columns_are_arrays_of_the_standard_library() -> None:
    script = """
        import sys
        sys.modules["numpy"] = None
        import array, leafmint
        columns = leafmint.Layout("leaf").decode_array(array.array("q", [2116681624581074986]))
        types = {type(column) for column in columns.values()}
        print({name: column.tolist() for name, column in columns.items()}, types == {array.array})
    """
    expected = {"timestamp": [1793491200000], "datacenter_id": [0], "worker_id": [7], "sequence": [42], "gene": [0]}
    assert run_python(script) == f"{expected} True\n"


def test_a_child_that_was_forked_during_the_import_of_numpy_makes_arrays(tmp_path: Path) -> None:
    script = """
        import os, signal, sys, threading
        import leafmint
        with leafmint.SnowflakeGenerator("local:" + sys.argv[1], timeout="60s") as generator:
            generator.next_id()
            first = threading.Thread(target=generator.next_array, args=(3,))
            first.start()
            while "numpy" not in sys.modules:
                pass
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                os._exit(0 if len(generator.next_array(3)) == 3 else 1)
            assert os.waitpid(child, 0)[1] == 0, "the child hung"
            first.join()
        print("done")
    """
    assert run_python(script, str(tmp_path)) == "done\n"
