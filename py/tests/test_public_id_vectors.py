"""Public ids, scrambled numbers and the texts of typed ids, against the vectors that all languages share."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import leafmint
import pytest
from leafmint._core import _IdText
from testing import vector

Case = dict[str, Any]

VECTORS = vector("public_ids")


def cases(*lists: str) -> pytest.MarkDecorator:
    """Run a test for each case in lists of the vectors."""
    numbered = [pytest.param(case, id=f"{name}-{at}") for name in lists for at, case in enumerate(VECTORS[name])]
    assert numbered
    return pytest.mark.parametrize("case", numbered)


@contextmanager
def refusal(case: Case) -> Iterator[None]:
    """Expect the error that a case names, with its message."""
    with pytest.raises(leafmint.LeafmintError) as raised:
        yield
    assert (raised.value.code, str(raised.value)) == (case["code"], case["message"])


def public(case: Case) -> leafmint.PublicIds:
    return leafmint.PublicIds(case["name"], case["keys"], prefix=case["prefix"])


def scrambled(case: Case) -> leafmint.ScrambledNumbers:
    return leafmint.ScrambledNumbers(case["name"], case["keys"], format=case["format"], key_number=case["key_number"])


def id_text(case: Case) -> _IdText:
    return _IdText(*(case[name] for name in ("form", "name", "prefix", "format", "key_number")))


def test_this_file_reads_every_list_of_the_vectors() -> None:
    marks = [mark for test in globals().values() for mark in getattr(test, "pytestmark", [])]
    read = {parameter.id.rpartition("-")[0] for mark in marks for parameter in mark.args[1]}
    assert read == VECTORS.keys()


@cases("ids")
def test_an_id_is_written_and_read(case: Case) -> None:
    ids = public(case)
    assert (ids.encode(case["id"]), ids.decode(case["text"])) == (case["text"], case["id"])
    assert ids.encode_all([case["id"]]) == [case["text"]]
    assert ids.decode_array([case["text"]]).tolist() == [case["id"]]


@cases("old_texts")
def test_a_text_of_an_old_key_is_read(case: Case) -> None:
    ids = public(case)
    assert ids.decode(case["text"]) == case["id"]
    assert ids.encode(case["id"]) == case["new_text"]
    assert ids.decode_all([case["text"], case["new_text"]]) == [case["id"]] * 2


@cases("refused_texts")
def test_a_text_that_is_no_id_is_refused(case: Case) -> None:
    with refusal(case):
        public(case).decode(case["text"])
    with refusal(case | {"message": f"ids[0]: {case['message']}"}):
        public(case).decode_all([case["text"]])


@cases("refused_ids")
def test_what_is_no_id_is_refused(case: Case) -> None:
    with refusal(case):
        public(case).encode(case["id"])


@cases("scrambled")
def test_a_number_is_written_and_read(case: Case) -> None:
    ids = scrambled(case)
    assert (ids.encode(case["id"]), ids.decode(case["text"])) == (case["text"], case["id"])


@cases("forgiven")
def test_a_number_that_a_person_wrote_is_forgiven(case: Case) -> None:
    assert scrambled(case).decode(case["text"], forgiving=True) == case["id"]


@cases("refused_scrambled_texts")
def test_a_mistyped_number_is_refused(case: Case) -> None:
    with refusal(case):
        scrambled(case).decode(case["text"])


@cases("refused_scrambled_ids")
def test_an_id_without_a_number_is_refused(case: Case) -> None:
    with refusal(case):
        scrambled(case).encode(case["id"])


@cases("invalid_scrambled")
def test_what_makes_no_scrambled_numbers_is_refused(case: Case) -> None:
    with refusal(case):
        scrambled(case)


@cases("keys")
def test_keys_have_their_numbers(case: Case) -> None:
    leafmint.PublicIds("order", case["keys"])
    made = case | {"name": "order", "format": "{number:8}{check:damm}"}
    for number in case["numbers"]:
        scrambled(made | {"key_number": number})
    for number in {0, 1, 2, 3} - set(case["numbers"]):
        with pytest.raises(leafmint.InvalidConfigError):
            scrambled(made | {"key_number": number})


@cases("invalid_keys")
def test_keys_that_are_none_are_refused(case: Case) -> None:
    with refusal(case):
        leafmint.PublicIds("order", case["keys"])


@cases("invalid_names")
def test_what_is_no_name_or_prefix_is_refused(case: Case) -> None:
    with refusal(case):
        public(case)


@cases("texts")
def test_the_text_of_a_type_is_described(case: Case) -> None:
    text = id_text(case)
    described = {"needs_keys": text.needs_keys, "pattern": text.pattern, "example": text.example}
    assert described == {name: case[name] for name in described}
    assert set(case) == {*described, "form", "name", "prefix", "format", "key_number"}


@cases("invalid_texts")
def test_a_wrong_declaration_is_refused(case: Case) -> None:
    with refusal(case):
        id_text(case)
