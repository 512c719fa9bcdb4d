"""The keys of public ids: the forms that they are given in, and what is refused without showing it."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import leafmint
import pytest
from testing import KEYS, SECRETS, run_python, shows_a_key

TEXT = leafmint.PublicIds("order", KEYS[:1]).encode(42)

FORMS: dict[str, Callable[[Path], Any]] = {
    "a list of texts": lambda _: KEYS,
    "a tuple": lambda _: tuple(KEYS),
    "bytes": lambda _: [key.encode() for key in KEYS],
    "texts and bytes": lambda _: [KEYS[0], KEYS[1].encode()],
    "pairs": lambda _: [(number, bytes.fromhex(secret)) for number, secret in enumerate(SECRETS)],
    "pairs with bytearrays": lambda _: [(number, bytearray.fromhex(secret)) for number, secret in enumerate(SECRETS)],
    "one text": lambda _: " , ".join(KEYS),
    "the bytes of a file": lambda file: file.read_bytes(),
    "an environment variable": lambda _: "env:SHOP_KEYS",
    "a file": lambda file: f"file:{file}",
    "a callable": lambda _: lambda: KEYS,
    "a callable that returns a place": lambda file: lambda: f"file:{file}",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file of keys."""
    file = tmp_path / "id_keys"
    file.write_text("# since November\n" + "\n".join(KEYS))
    return file


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_gives_the_same_keys(
    form: Callable[[Path], Any], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEYS", ",".join(KEYS))
    orders = leafmint.PublicIds("order", form(file))
    assert orders.encode(42) == TEXT
    assert orders.decode(leafmint.PublicIds("order", KEYS[1:]).encode(7)) == 7


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_file_may_be_a_pipe_from_another_thread(tmp_path: Path) -> None:
    script = """
        import os, sys, threading, leafmint
        pipe = sys.argv[1]
        os.mkfifo(pipe)
        threading.Thread(target=lambda: open(pipe, "w").write(sys.argv[2]), daemon=True).start()
        print(leafmint.PublicIds("order", f"file:{pipe}").encode(42))
    """
    assert run_python(script, str(tmp_path / "pipe"), KEYS[0], seconds=20).strip() == TEXT


def test_the_first_key_encodes_and_all_decode() -> None:
    both = leafmint.PublicIds("order", KEYS[::-1])
    assert both.encode(42) == leafmint.PublicIds("order", KEYS[1:]).encode(42) != TEXT
    assert both.decode(TEXT) == 42


def test_a_supplier_is_called_once_and_not_kept() -> None:
    calls: list[int] = []

    def supplier() -> list[str]:
        calls.append(1)
        return KEYS

    orders = leafmint.PublicIds("order", supplier)
    assert orders.decode(orders.encode(1)) == 1
    assert len(calls) == 1


def test_the_failure_of_a_supplier_is_the_cause_and_not_in_the_message() -> None:
    def supplier() -> list[str]:
        raise ValueError(KEYS[0])

    with pytest.raises(
        leafmint.InvalidConfigError, match=r"supplier of public ids' keys failed: ValueError$"
    ) as raised:
        leafmint.PublicIds("order", supplier)
    assert isinstance(raised.value.__cause__, ValueError)


def test_a_supplier_that_is_interrupted_raises_what_it_raised() -> None:
    def supplier() -> list[str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leafmint.PublicIds("order", supplier)


BAD: list[tuple[Any, str]] = [
    ([], "there is no key"),
    ("", "there is no key"),
    (lambda: (), "there is no key"),
    ([KEYS[0][:-1]], "key 1: it is not lmk, a number from 0 to 3"),
    ([KEYS[0], SECRETS[1]], "key 2: it is not lmk"),
    ([KEYS[0][:-2]], "a secret has 32 to 64 bytes, not 31"),
    ([f"lmk4_{SECRETS[0]}"], r"the number 4 is out of range \(0 to 3\)"),
    ([(-1, bytes.fromhex(SECRETS[0]))], "the number -1 is out of range"),
    ([(int(SECRETS[0], 16), bytes.fromhex(SECRETS[0]))], "out of range"),
    ([KEYS[0], f"lmk0_{SECRETS[1]}"], "the number 0 is another key's too"),
    ([KEYS[0], f"lmk1_{SECRETS[0]}"], "the same secret as the key with the number 0"),
    ([(0, b"\0" * 32)], "it is not random"),
    ([KEYS[0] + "\ud800"], "key 1: it is not lmk"),
    ([KEYS[0].encode() + b"\xff"], "key 1: it is not lmk"),
    (SECRETS[0], "key 1: it is not lmk"),
    (None, "keys must be a list of texts or of pairs .* not NoneType"),
    (7, "not int"),
    (set(KEYS), "not set"),
    ({0: SECRETS[0]}, "not dict"),
    (lambda: None, "what the supplier of the keys returned must be .* not NoneType"),
    (lambda: lambda: KEYS, "not function"),
    ([KEYS[0], (1, bytes.fromhex(SECRETS[1]))], "key 1 must be a text or a pair .* as all others, not str"),
    ([(0, SECRETS[0])], "not tuple"),
    ([(True, bytes.fromhex(SECRETS[0]))], "not tuple"),
    ([(SECRETS[0], bytes.fromhex(SECRETS[0]))], "not tuple"),
    ([(0, bytes.fromhex(SECRETS[0]), 1)], "not tuple"),
    ([None], "not NoneType"),
    ("env:LEAFMINT_NO_SUCH", 'the environment variable "LEAFMINT_NO_SUCH", .* is not set'),
    ("env:", 'the environment variable "", .* is not set'),
    ("env:A=\0", "is not set"),
    (f"env:{KEYS[0]}", "looks like a key.* is not set"),
    ("file:/no/such", r'file of public ids\' keys "/no/such" cannot be read: No such file'),
    (f"file:{KEYS[0]}", "looks like a key.* cannot be read"),
    (f"file:{KEYS[0][:-5]}", "looks like a key"),
    (f"file:/run/{SECRETS[0]}", "looks like a key"),
    ("file:/\0", "cannot be read"),
    ("file:", "cannot be read"),
    (f"file:{os.devnull}", "there is no key"),
]


@pytest.mark.parametrize(("keys", "problem"), BAD)
def test_keys_that_are_none_are_refused_by_a_message_without_them(keys: Any, problem: str) -> None:
    with pytest.raises(leafmint.InvalidConfigError, match=problem) as raised:
        leafmint.PublicIds("order", keys)
    assert not shows_a_key(f"{raised.value} {raised.value!r} {raised.value.args}")


def test_a_coroutine_is_no_supplier() -> None:
    async def supplier() -> list[str]:
        await asyncio.sleep(0)
        return KEYS

    coroutines: list[Any] = []

    def ask() -> Any:
        coroutines.append(supplier())
        return coroutines[0]

    with pytest.raises(leafmint.InvalidConfigError, match="not coroutine"):
        leafmint.PublicIds("order", ask)
    coroutines[0].close()
