"""Passwords never appear in messages, texts of objects or statistics."""

from typing import Any

import leafmint
import pytest
from testing import SENTINEL, UNREACHABLE


def texts_of(error: BaseException) -> str:
    return f"{error} {error!r} {error.args} {error.__cause__} {error.__context__}"


def test_no_text_of_a_generator_contains_the_password() -> None:
    with leafmint.SegmentGenerator(UNREACHABLE, password=SENTINEL, timeout=0.3, connect_timeout=0.2) as ids:
        order = ids.tag("order")
        with pytest.raises(leafmint.SegmentUnavailableError) as first:
            order.next_id()
        with pytest.raises(leafmint.StoreUnavailableError) as second:
            ids.create_tag("order")
        stats = ids.stats()
        assert stats.tags["order"].last_error
        texts = [repr(ids), str(ids), repr(order), str(order), repr(stats), ids.scope]
        texts += [texts_of(first.value), texts_of(second.value)]
    assert not [text for text in texts if SENTINEL in text]


@pytest.mark.parametrize(
    ("url", "options"),
    [
        (f"mysql://root:{SENTINEL}@host/db?no_such=1", {}),
        (f"mysql://root:{SENTINEL}@host:x/db", {}),
        (f"mysql://root:{SENTINEL}%4@host/db", {}),
        (f"mysql://root:{SENTINEL}/x@host/db", {}),
        (f"mysql://root:{SENTINEL}?x@host/db", {}),
        (f"mysql://root:{SENTINEL}#x@host/db", {}),
        (f"mysql://host/db?password={SENTINEL}@x", {}),
        (f"mysql://host/db?password=x&{SENTINEL}", {}),
        (f"mysql://host/db?pasword={SENTINEL}", {}),
        (f"jdbc:mysql://host/db?password={SENTINEL}@x", {}),
        (f"mysql:///root:{SENTINEL}", {}),
        ("mysql://host/db", {"pasword": SENTINEL}),
        (f"mysql://root:{SENTINEL}", {}),
        (f"mysql:root:{SENTINEL}@host", {}),
        (f"oracle://root:{SENTINEL}@host/db", {}),
        (f"mysql://host/db?password={SENTINEL}&eager=x", {}),
        (f"mysql://root:{SENTINEL}\ud800@host/db", {}),
        ("mysql://host/db", {"password": SENTINEL, "timeout": -1}),
        ("mysql://host/db", {"password": SENTINEL + "\ud800"}),
        ("mysql://host/db", {"password": SENTINEL.encode()}),
        ("mysql://host/db", {"password": [SENTINEL]}),
    ],
)
def test_no_message_about_a_bad_configuration_contains_the_password(url: str, options: dict[str, Any]) -> None:
    with pytest.raises(leafmint.InvalidConfigError) as raised:
        leafmint.SegmentGenerator(url, **options)
    assert SENTINEL not in texts_of(raised.value)
