"""What a move from a running Leaf would clash with, as the compiled module says it."""

import leafmint
import pytest
from leafmint import _core


def findings(url: str) -> list[tuple[str, str, str]]:
    return list(_core._check_leaf(None, url, None, None, None, True)[2])


def test_another_layout_than_leafs_is_a_clash_that_names_both() -> None:
    clashes = [text for level, _, text in findings("fixed:3?layout=javascript") if level == "clash"]
    assert len(clashes) == 1
    assert "timestamp:38" in clashes[0]
    assert "timestamp:41,worker:10,sequence:12" in clashes[0]


def test_a_url_that_cannot_be_opened_is_the_error_of_a_generator() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="fixed:x"):
        findings("fixed:x")
