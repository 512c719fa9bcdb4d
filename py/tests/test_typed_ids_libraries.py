"""What libraries that know nothing of leafmint make of typed ids."""

import json
from collections.abc import Iterator

import leafmint
import pytest
from gallery import TYPED_IDS, loud, row
from leafmint import late_binding
from testing import KEYS


class OrderId(leafmint.TypedId, prefix="order"):
    """A public id."""


@pytest.fixture(autouse=True)
def configured() -> Iterator[None]:
    """Configure keys for each test."""
    late_binding._replace(late_binding.Binding(public_keys=KEYS), even_if_equal=True)
    yield
    late_binding._replace(late_binding.Binding(), even_if_equal=True)


@row(TYPED_IDS, "json", "`dumps`", loud, "`TypeError` names `OrderId`; `default=str` gives the text", match="OrderId")
def test_json() -> None:
    json.dumps({"id": OrderId(42)})
