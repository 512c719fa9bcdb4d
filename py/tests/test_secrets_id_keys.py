"""No key of public ids is in a message, a repr, a log, or a variable of a frame of leafmint."""

import logging
import pickle
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import leafmint
import pytest
from leafmint import late_binding
from testing import KEYS, SECRETS, run_python, shows_a_key

PACKAGE = str(Path(leafmint.__file__).parent)


class OrderId(leafmint.TypedId, prefix="order"):
    """A public id."""


class MemberId(leafmint.TypedId, form="scrambled", name="member", format="M-{number:8}-{check:damm}"):
    """A scrambled number, for which two keys are one too many."""


def raises(error: Exception) -> Callable[[], Any]:
    """Return a supplier that fails."""

    def supplier() -> Any:
        raise error

    return supplier


BYTES = [bytes.fromhex(secret) for secret in SECRETS]

GOOD: dict[str, Any] = {
    "texts": KEYS,
    "bytes": [key.encode() for key in KEYS],
    "pairs": list(enumerate(BYTES)),
    "one text": " ".join(KEYS),
    "a callable": lambda: KEYS,
    "a variable": "env:SHOP_KEYS",
}

BAD: dict[str, Any] = {
    "a text that is cut off": [KEYS[0][:-1]],
    "a text without its number": [SECRETS[0]],
    "a number twice": [KEYS[0], f"lmk0_{SECRETS[1]}"],
    "a secret twice": [KEYS[0], f"lmk1_{SECRETS[0]}"],
    "a large number": [(9, BYTES[0])],
    "a secret for a number": [(int(SECRETS[0], 16), BYTES[0])],
    "a text in a pair": [(0, SECRETS[0])],
    "a pair turned around": [(BYTES[0], 0)],
    "texts and pairs": [KEYS[0], (1, BYTES[1])],
    "a surrogate": [KEYS[0] + "\ud800"],
    "a dict": {0: BYTES[0]},
    "a set": set(KEYS),
    "bytes without a number": BYTES,
    "a key for a variable": f"env:{KEYS[0]}",
    "a secret for a variable": f"env:{SECRETS[0]}",
    "a key for a file": f"file:{KEYS[0]}",
    "a bad variable": "env:SHOP_BAD",
    "a callable that raises it": raises(ValueError(KEYS[0])),
    "a callable that returns it cut off": lambda: KEYS[0][:-1],
    "a callable that returns a dict": lambda: {0: KEYS[0]},
    "a callable that returns a callable": lambda: lambda: KEYS,
}


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set variables of the environment, and bind nothing afterwards."""
    monkeypatch.setenv("SHOP_KEYS", " ".join(KEYS))
    monkeypatch.setenv("SHOP_BAD", KEYS[0] + KEYS[1])
    yield
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


def frames_of(error: BaseException) -> Iterator[FrameType]:
    """Yield leafmint's frames of an error and of those behind it."""
    for trace in iter_errors(error):
        for frame, _ in traceback.walk_tb(trace.__traceback__):
            if frame.f_code.co_filename.startswith(PACKAGE):
                yield frame


def iter_errors(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those behind it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def leaks(error: BaseException) -> list[str]:
    """Return what shows a key: leafmint's texts, and the variables that reporters of errors show."""
    found = [f"{error} {error!r} {error.args}"]
    found += [
        f"{frame.f_code.co_name}: {name} = {value!r}"
        for frame in frames_of(error)
        for name, value in frame.f_locals.items()
    ]
    shown = traceback.TracebackException.from_exception(error, capture_locals=True)
    of_leafmint = [line for line in shown.stack if line.filename.startswith(PACKAGE)]
    found += [f"{line.name}: {line.locals}" for line in of_leafmint]
    return [text for text in found if shows_a_key(text)]


@pytest.mark.parametrize("keys", BAD.values(), ids=BAD)
def test_no_message_about_bad_keys_shows_one(keys: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: leafmint.PublicIds("order", keys),
        lambda: leafmint.ScrambledNumbers("order", keys, format="{number:8}{check:damm}"),
    ]
    for call in calls:
        with pytest.raises(leafmint.InvalidConfigError) as raised:
            call()
        assert leaks(raised.value) == []


@pytest.mark.parametrize("keys", BAD.values(), ids=BAD)
def test_no_variable_of_a_late_bound_call_has_a_bad_key(keys: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    leafmint.configure(id_keys=keys)
    calls = (lambda: str(OrderId(42)), lambda: OrderId.parse("order_x"), lambda: f"{OrderId(42)}")
    for call in calls:
        with pytest.raises(leafmint.InvalidConfigError) as raised:
            call()
        assert list(frames_of(raised.value))
        assert leaks(raised.value) == []
    assert repr(OrderId(42)) == "<OrderId without a text: InvalidConfigError>"
    assert not shows_a_key(caplog.text)


@pytest.mark.parametrize("keys", GOOD.values(), ids=GOOD)
def test_no_variable_of_a_late_bound_call_has_a_good_key(keys: Any) -> None:
    leafmint.configure(id_keys=keys)
    assert OrderId.parse(str(OrderId(42))) == OrderId(42)
    failures: list[tuple[Callable[[], object], type[Exception]]] = [
        (lambda: OrderId.parse("order_x"), leafmint.InvalidIdError),
        (lambda: str(MemberId(42)), leafmint.InvalidConfigError),
        (lambda: pickle.dumps(late_binding.current().keys), TypeError),
    ]
    for call, error in failures:
        with pytest.raises(error) as raised:
            call()
        assert leaks(raised.value) == []


def test_a_configuration_that_fails_leaks_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object) -> None:
        raise leafmint.StoreUnavailableError("of a close")

    monkeypatch.setattr(late_binding.Binding, "close", fail)
    with pytest.raises(leafmint.StoreUnavailableError) as raised:
        leafmint.configure(id_keys=KEYS)
    assert list(frames_of(raised.value))
    assert leaks(raised.value) == []
    monkeypatch.undo()


def test_options_of_a_wrong_type_leak_no_key() -> None:
    wrong: Any = 5
    for options in ({"options": wrong}, {"snowflake_options": wrong}):
        with pytest.raises(TypeError) as raised:
            leafmint.configure(id_keys=KEYS, **options)
        assert list(frames_of(raised.value))
        assert leaks(raised.value) == []


@pytest.mark.parametrize("misplaced", [KEYS[0], SECRETS[0], "M-" + SECRETS[0], "000000" + SECRETS[0]])
def test_a_key_in_the_place_of_a_format_or_of_a_number_is_not_shown(misplaced: str) -> None:
    members = leafmint.ScrambledNumbers("member", KEYS[:1], format="{number:6}{check:damm}")
    calls: list[tuple[Callable[[], object], type[Exception]]] = [
        (lambda: leafmint.ScrambledNumbers("member", KEYS[:1], format=misplaced), leafmint.InvalidConfigError),
        (
            lambda: leafmint.ScrambledNumbers("member", KEYS[:1], format="{number:8}{" + misplaced),
            leafmint.InvalidConfigError,
        ),
        (lambda: type("Id", (leafmint.TypedId,), {}, form="formatted", format=misplaced), leafmint.InvalidConfigError),
        (lambda: members.decode(misplaced), leafmint.InvalidIdError),
        (lambda: members.decode(misplaced, forgiving=True), leafmint.InvalidIdError),
    ]
    for call, error in calls:
        with pytest.raises(error) as raised:
            call()
        assert not shows_a_key(str(raised.value))
        assert SECRETS[0][10:30] not in str(raised.value)


def test_the_variable_of_the_environment_is_in_no_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAFMINT_ID_KEYS", KEYS[0] + KEYS[1])
    with pytest.raises(leafmint.InvalidConfigError) as raised:
        str(OrderId(42))
    assert leaks(raised.value) == []


def test_no_text_of_an_object_shows_a_key() -> None:
    leafmint.configure(id_keys=KEYS)
    str(OrderId(42))
    shown = [
        leafmint.PublicIds("order", KEYS),
        leafmint.ScrambledNumbers("order", KEYS[:1], format="{number:8}{check:damm}"),
        OrderId(42),
        OrderId._bound,
        late_binding.current(),
        late_binding.current().keys,
    ]
    assert not [value for value in shown if shows_a_key(f"{value!r} {value}")]


def test_an_uncaught_error_prints_no_key() -> None:
    script = """
        import subprocess, sys
        program = "import sys, leafmint; leafmint.PublicIds('order', sys.stdin.read())"
        command = [sys.executable, "-X", "dev", "-c", program]
        ran = subprocess.run(command, input=sys.argv[1][:-1], capture_output=True, text=True)
        print(ran.returncode, ran.stderr)
    """
    printed = run_python(script, KEYS[0])
    assert "InvalidConfigError: the keys of public ids: key 1" in printed
    assert not shows_a_key(printed)
