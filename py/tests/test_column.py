"""The arrays of 64-bit words that ids and their parts are returned in."""

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
