"""The page with a document in it: no text of the document can end the element that holds it."""

import json
import re

import pytest
from leafmint._internal.page import PAGE, POLICY, page_of

ELEMENT = re.compile('<script type="application/json" id="status">(.*?)</script>', re.DOTALL)


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "<!-- <script>", "\u2028\ud800\x00\\", "&lt;"])
def test_a_document_comes_back_as_it_was_and_ends_no_element(text: str) -> None:
    status = {"tags": [{"name": text}]}
    whole = page_of(status)
    found = ELEMENT.findall(whole)
    assert [json.loads(each) for each in found] == [status]
    assert "<" not in found[0]
    assert whole.replace(found[0], '"status.json"') == PAGE


def test_a_page_without_a_document_looks_for_none() -> None:
    assert ELEMENT.findall(PAGE) == ['"status.json"']
    assert ELEMENT.findall(page_of(None)) == ["null"]


def test_the_policy_allows_the_script_and_the_style_of_the_page_and_nothing_inline_or_from_elsewhere() -> None:
    assert POLICY.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in POLICY
    assert "://" not in POLICY
