"""The commands `decode` and `parse`."""

import json

import pytest
from command import LEAFMINT, MODULE, leafmint

DECODED = """\
id                   timestamp                 worker_id  sequence
2116681624581074986  2026-11-01T00:00:00.000Z          7        42
"""


@pytest.mark.parametrize("command", [LEAFMINT, MODULE], ids=["leafmint", "python -m leafmint"])
def test_an_id_is_taken_apart(command: list[str]) -> None:
    assert leafmint("decode", "2116681624581074986", command=command) == (0, DECODED, "")


def test_ids_come_from_the_standard_input_and_a_wrong_one_is_named_by_its_line() -> None:
    ran = leafmint("decode", "--json", stdin="2116681624581074986\n\nx\n 0 \n-1\n")
    parts = [json.loads(line) for line in ran.lines]
    assert [part["id"] for part in parts] == ["2116681624581074986", "0"]
    assert parts[0] == {
        "id": "2116681624581074986",
        "timestamp": "2026-11-01T00:00:00.000Z",
        "worker_id": 7,
        "sequence": 42,
    }
    assert ran.code == 2
    assert [line.split(": ")[1:3] for line in ran.err.splitlines()] == [
        ["line 3", "invalid_id"],
        ["line 5", "invalid_id"],
    ]


def test_a_layout_an_epoch_and_a_unit_are_taken_into_account() -> None:
    layout = ["--layout", "timestamp:35,datacenter:5,worker:5,sequence:10,gene:4", "--unit", "1s"]
    ran = leafmint("decode", "1", *layout, "--epoch", "2026-01-01T00:00:00Z", "--json")
    parts = {"datacenter_id": 0, "worker_id": 0, "sequence": 0, "gene": 1}
    assert ran.json() == {"id": "1", "timestamp": "2026-01-01T00:00:00.000Z", **parts}
    assert leafmint("decode", "0", "--epoch", "0", "--unit", "10ms").lines[1].split()[1] == "1970-01-01T00:00:00.000Z"


@pytest.mark.parametrize(
    "arguments",
    [["1", "--layout", "leafy"], ["1", "--epoch", "2026-01-01"], ["9223372036854775808"], ["1", "--no-such"]],
)
def test_a_wrong_argument_ends_with_2_and_a_reason(arguments: list[str]) -> None:
    ran = leafmint("decode", *arguments)
    assert (ran.code, "Traceback" in ran.err) == (2, False)
    assert ran.err


def test_a_number_with_a_shard_suffix_is_taken_apart() -> None:
    rule = ["--business-code", "10", "--tables", "1024"]
    ran = leafmint("parse", "1017696496718608220161023", *rule)
    assert ran.lines == [
        "number                     business_code  sequence             table",
        "1017696496718608220161023  10             1769649671860822016   1023",
    ]
    ran = leafmint("parse", "--json", *rule, stdin="1070064\n1070064x\n")
    assert json.loads(ran.out) == {"number": "1070064", "business_code": "10", "sequence": "7", "table": 64}
    assert (ran.code, ran.err.split(": ")[1:3]) == (2, ["line 2", "invalid_id"])
