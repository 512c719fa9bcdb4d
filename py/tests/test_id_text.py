"""The text that a type of ids declares, as the core checks it."""

import pickle
from typing import Any

import leafmint
import pytest
from leafmint._core import _IdKeys, _IdText
from testing import KEYS


def test_a_text_is_described_without_keys_and_bound_to_them() -> None:
    text = _IdText("public", None, "order")
    assert (text.needs_keys, text.pattern) == (True, "^order_[0-9a-hjkmnp-tv-z]{26}$")
    bound = text.bind(_IdKeys(KEYS))
    assert bound.encode(42) == leafmint.PublicIds("order", KEYS).encode(42)
    assert bound.decode(bound.encode(42)) == 42
    with pytest.raises(leafmint.InvalidConfigError, match="need keys"):
        text.bind(None)


def test_forms_that_hide_nothing_need_no_keys() -> None:
    for text, written in ((_IdText("decimal"), "42"), (_IdText("formatted", format="O-{number:4}"), "O-0042")):
        assert not text.needs_keys
        assert text.bind(None).encode(42) == written
        assert text.bind(_IdKeys(KEYS)).decode(written) == 42


@pytest.mark.parametrize(
    ("arguments", "error", "problem"),
    [
        (("hex",), leafmint.InvalidConfigError, "known are public, scrambled"),
        (("public", "order\ud800"), leafmint.InvalidConfigError, "name contains a lone surrogate"),
        (("scrambled", "order", None, None, 2**70), leafmint.InvalidConfigError, "key_number=.* does not fit 64 bits"),
        ((7,), TypeError, "form must be a str, not int"),
        (("public", 7), TypeError, "name must be a str, not int"),
        (("public", None, 7), TypeError, "prefix must be a str, not int"),
        (("formatted", None, None, 7), TypeError, "format must be a str, not int"),
        (("scrambled", "order", None, "{number}", "1"), TypeError, "key_number must be an int, not str"),
    ],
)
def test_a_wrong_declaration_is_a_named_error(arguments: tuple[Any, ...], error: type[Exception], problem: str) -> None:
    with pytest.raises(error, match=problem):
        _IdText(*arguments)


def test_keys_that_were_read_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="cannot be pickled or copied, because the pickle would contain its keys"):
        pickle.dumps(_IdKeys(KEYS))
