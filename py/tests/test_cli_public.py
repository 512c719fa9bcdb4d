"""The commands `public encode`, `public decode` and `id-keys new`."""

import json
import re
import time
from pathlib import Path

import pytest
from command import LEAFMINT, Ran, environment, leafmint, start
from leafmint import PublicIds, ScrambledNumbers
from testing import KEYS, SECRETS, shows_a_key

ORDERS = PublicIds("order", KEYS)
TEXT = ORDERS.encode(42)
FORMAT = "M-{number:8}-{check:damm}"
ENVIRONMENT = "\n".join(KEYS)


def in_environment(variables: dict[str, str], *arguments: str) -> Ran:
    """Run a command with variables of the environment."""
    return leafmint(*arguments, command=LEAFMINT, stdin="", **variables)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file of keys."""
    file = tmp_path / "keys"
    file.write_text("# since November\n" + "\n".join(KEYS))
    return file


def test_ids_are_written_and_read() -> None:
    encoded = leafmint("public", "encode", "order", "42", "7", LEAFMINT_ID_KEYS=ENVIRONMENT)
    assert encoded.lines == [
        "id                   text",
        f"42                   {TEXT}",
        f"7                    {ORDERS.encode(7)}",
    ]
    decoded = leafmint("public", "decode", "order", TEXT, LEAFMINT_ID_KEYS=ENVIRONMENT)
    assert decoded.lines == [f"{'text':{len(TEXT)}}  id", f"{TEXT}  42"]


def test_json_has_ids_as_strings() -> None:
    encoded = leafmint("public", "encode", "order", str(2**63 - 1), "--json", LEAFMINT_ID_KEYS=ENVIRONMENT)
    shown = encoded.json()
    assert shown == {"id": str(2**63 - 1), "text": ORDERS.encode(2**63 - 1)}
    decoded = leafmint("public", "decode", "order", shown["text"], "--json", LEAFMINT_ID_KEYS=ENVIRONMENT)
    assert decoded.json() == shown


def test_texts_come_from_the_standard_input_and_a_wrong_one_is_named_by_its_line() -> None:
    given = f"{TEXT}\n\nx\n {TEXT} \n{TEXT.upper()}\n"
    ran = leafmint("public", "decode", "order", "--json", stdin=given, LEAFMINT_ID_KEYS=ENVIRONMENT)
    assert [json.loads(line)["id"] for line in ran.lines] == ["42", "42"]
    assert ran.code == 2
    assert [line.split(": ")[1:3] for line in ran.err.splitlines()] == [
        ["line 3", "invalid_id"],
        ["line 5", "invalid_id"],
    ]
    ran = leafmint("public", "encode", "order", stdin="42\n-1\n", LEAFMINT_ID_KEYS=ENVIRONMENT)
    assert (ran.code, len(ran.lines)) == (2, 2)
    assert ran.err.startswith("leafmint: line 2: invalid_id: -1 is negative")


def test_keys_come_from_a_file_too(file: Path) -> None:
    ways: list[tuple[list[str], dict[str, str]]] = [
        (["--keys-file", str(file)], {}),
        ([], {"LEAFMINT_ID_KEYS_FILE": str(file)}),
        (["--keys-file", str(file)], {"LEAFMINT_ID_KEYS": KEYS[1]}),
        ([], {"LEAFMINT_ID_KEYS": KEYS[0], "LEAFMINT_ID_KEYS_FILE": "/no/such"}),
    ]
    for arguments, variables in ways:
        assert in_environment(variables, "public", "decode", "order", TEXT, *arguments).lines[1] == f"{TEXT}  42"


def test_a_prefix_may_differ_from_the_name() -> None:
    ran = leafmint("public", "encode", "order", "42", "--prefix", "o", "--json", LEAFMINT_ID_KEYS=ENVIRONMENT)
    assert ran.json()["text"] == PublicIds("order", KEYS, prefix="o").encode(42)


def test_scrambled_numbers_have_a_format() -> None:
    arguments = ["--format", FORMAT, "--key-number", "1", "--json"]
    shown = leafmint("public", "encode", "member", "42", *arguments, LEAFMINT_ID_KEYS=ENVIRONMENT).json()
    assert shown == {"id": "42", "text": ScrambledNumbers("member", KEYS, format=FORMAT, key_number=1).encode(42)}
    assert (
        leafmint("public", "decode", "member", shown["text"], *arguments, LEAFMINT_ID_KEYS=ENVIRONMENT).json() == shown
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["public", "encode", "Order", "42"], "the name"),
        (
            ["public", "encode", "order", "42", "--keys-file", "/no/such"],
            'file of public ids\' keys "/no/such" cannot be read',
        ),
        (["public", "encode", "order", "42", "--key-number", "1"], "give their --format, too"),
        (["public", "encode", "member", "42", "--format", FORMAT], "key_number"),
        (["public", "encode", "member", "42", "--format", FORMAT, "--prefix", "m"], "have no --prefix"),
        (["id-keys", "new", "--number", "4"], "the number 4 is out of range"),
        (["id-keys", "new", "--number", "x"], "--number"),
        (["public", "encode"], "NAME"),
    ],
)
def test_a_wrong_usage_is_2_with_a_reason(arguments: list[str], problem: str) -> None:
    ran = leafmint(*arguments, LEAFMINT_ID_KEYS=ENVIRONMENT)
    assert (ran.code, ran.out, "Traceback" in ran.err) == (2, "", False)
    assert problem in ran.err


def test_without_keys_the_reason_says_how_to_give_them() -> None:
    ran = leafmint("public", "encode", "order", "42")
    assert (ran.code, ran.out) == (2, "")
    assert "LEAFMINT_ID_KEYS or LEAFMINT_ID_KEYS_FILE, or name a file by --keys-file" in ran.err


def test_a_new_key_is_random_and_can_be_used() -> None:
    keys = [leafmint("id-keys", "new").out for _ in range(2)]
    assert len(set(keys)) == 2
    assert all(re.fullmatch("lmk0_[0-9a-f]{64}\n", key) for key in keys)
    made = leafmint("id-keys", "new", "--number", "3", "--json").json()
    assert (made["number"], made["key"][:5]) == (3, "lmk3_")
    both = leafmint("public", "encode", "order", "42", "--json", LEAFMINT_ID_KEYS=made["key"] + " " + keys[0])
    assert both.json()["text"] == PublicIds("order", [made["key"]]).encode(42)


@pytest.mark.parametrize(
    "arguments",
    [
        ["public", "encode", KEYS[0], "42"],
        ["public", "encode", "order", KEYS[0]],
        ["public", "encode", "order", SECRETS[0]],
        ["public", "decode", "order", KEYS[0]],
        ["public", "encode", "order", "42", "--keys-file", KEYS[0]],
        ["public", "encode", "order", "42", "--prefix", KEYS[0]],
        ["public", "encode", "order", "42", "--key", KEYS[0]],
        ["id-keys", "new", KEYS[0]],
        ["id-keys", "new", SECRETS[0]],
        ["public", SECRETS[0]],
        ["id-keys", "new", "--number", KEYS[0]],
        ["id-keys", "new", f"--number={KEYS[0]}"],
        ["id-keys", "new", f"--number={SECRETS[0]}"],
        ["public", "encode", "order", "42", f"--json={KEYS[0]}"],
        ["public", "encode", "order", "42", "--format", KEYS[0]],
        ["public", "decode", "order", SECRETS[0], "--format", "{number:8}{check:damm}"],
    ],
)
def test_a_key_that_is_given_as_an_argument_by_mistake_is_not_repeated(arguments: list[str]) -> None:
    ran = leafmint(*arguments, LEAFMINT_ID_KEYS=KEYS[1])
    assert ran.code == 2
    assert not shows_a_key(ran.out + ran.err)


@pytest.mark.parametrize(
    "keys", [KEYS[0][:-1], SECRETS[0], KEYS[0] + KEYS[1], f"{KEYS[0]} {KEYS[0]}", "lmk0_" + "00" * 32]
)
def test_bad_keys_are_in_no_output(keys: str, tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(keys)
    for variables in ({"LEAFMINT_ID_KEYS": keys}, {"LEAFMINT_ID_KEYS_FILE": str(file)}):
        for json_too in ([], ["--json"]):
            ran = in_environment(variables, "public", "encode", "order", "42", *json_too)
            assert (ran.code, ran.out) == (2, "")
            assert "invalid_config" in ran.err
            assert not shows_a_key(ran.err)


def test_no_key_is_in_the_list_of_processes(file: Path) -> None:
    assert not shows_a_key(str(environment()))
    running = start("public", "encode", "order", LEAFMINT_ID_KEYS=ENVIRONMENT)
    assert running.stdin
    assert running.stdout
    running.stdin.write("42\n")
    running.stdin.flush()
    until = time.monotonic() + 60
    while TEXT not in running.stdout.readline():
        assert time.monotonic() < until
    process = Path(f"/proc/{running.pid}")
    shown = [(process / name).read_text(errors="replace") for name in ("cmdline", "comm", "status")]
    assert "encode" in shown[0]
    assert not [text for text in shown if shows_a_key(text)]
    running.communicate(timeout=60)
