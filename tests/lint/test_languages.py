"""The Chinese pages say the same as the English ones: code, names, numbers and links."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import NamedTuple

import pytest
from programs import TOP


class Pair(NamedTuple):
    """A Chinese page, and the English pages that it follows: the whole of one, or parts of several."""

    chinese: str
    english: tuple[str, ...]
    whole: bool = True


WHOLE = ("quickstart-python", "quickstart-java", "spring-boot", "from-leaf", "comparison")
PAIRS = [
    Pair("README.zh-CN.md", ("README.md",)),
    *(Pair(f"docs/zh/{page}.md", (f"docs/{page}.md",)) for page in WHOLE),
    Pair(
        "docs/zh/mybatis-plus.md",
        ("docs/persistence.md", "docs/spring-boot.md", "docs/quickstart-java.md"),
        whole=False,
    ),
]
WORDS = {"续租": "租取", "解析一次": "获取一次", "虚拟机": "JVM"}
"""Words that mislead, and what to write."""

IN_ENGLISH = {pair.chinese: pair.english[0] for pair in PAIRS}
TRANSLATED = {pair.english[0] for pair in PAIRS if pair.whole}
BLOCK = re.compile(r"^( *)```\w*\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"\s*(?:(?:#|//) (?!prints )|<!--).*")
SPAN = re.compile(r"`[^`]+`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
MONTH = re.compile(r"November (\d{4})")
NUMBER = re.compile(r"(?<![A-Za-z0-9_.-])(\d+(?:[.,]\d+)*)(?:[ \n-]*(\w+|%))?")
UNITS = {
    "MB": ("MB",),
    "ns": ("ns",),
    "%": ("%",),
    "毫秒": ("ms", "milliseconds"),
    "秒": ("s", "seconds"),
    "分钟": ("minutes",),
    "小时": ("hours",),
    "倍": ("times",),
    "位": ("bit", "bits", "digits"),
    "字节": ("bytes",),
}
UNIT = {name: unit for unit, names in UNITS.items() for name in names}


def prose(text: str) -> str:
    """Returns a page without its blocks of code."""
    return BLOCK.sub("", text)


def code(page: str, text: str) -> Counter[str]:
    """Returns the lines of code, without comments other than what they print."""
    return Counter(COMMENT.sub("", line) for block in BLOCK.finditer(text) for line in block[2].splitlines())


def names(page: str, text: str) -> Counter[str]:
    """Returns what is written as code within sentences."""
    return Counter(re.sub(r"\s+", " ", span) for span in SPAN.findall(prose(text)))


def numbers(page: str, text: str) -> Counter[str]:
    """Returns the numbers outside of code, with their units."""
    plain = LINK.sub("]", SPAN.sub("", re.sub(r"<[^>]*>", "", prose(text))))

    def unit(after: str) -> str:
        return UNIT.get(after) or next((unit for unit in UNITS if after.startswith(unit)), "")

    found = NUMBER.findall(MONTH.sub(r"\1 年 11 月", plain))
    return Counter(f"{number} {unit(after)}".strip() for number, after in found)


def links(page: str, text: str) -> Counter[str]:
    """Returns the targets of links, each once, as the English page has them.

    A link to the page in the other language is none of them.
    """
    found = set()
    for target in LINK.findall(prose(text)):
        file, hash_, anchor = target.partition("#")
        if ":" not in file:
            file = posixpath.normpath(posixpath.join(posixpath.dirname(page), file)) if file else page
        if file == IN_ENGLISH.get(page) or (page not in IN_ENGLISH and file in IN_ENGLISH):
            continue
        other = " (there is a Chinese page)" if page in IN_ENGLISH and file in TRANSLATED else ""
        found.add(IN_ENGLISH.get(file, file) + hash_ + anchor + other)
    return Counter(found)


def differences(pair: Pair, chinese: str) -> list[str]:
    """Returns what a Chinese page with this text has and the English ones lack, and the other way round.

    A page that follows parts of English ones may leave out and repeat what they have.
    """
    found = []
    for fact in (code, names, numbers, links):
        here = fact(pair.chinese, chinese)
        there = Counter[str]()
        for page in pair.english:
            there += fact(page, (TOP / page).read_text())
        extra = here - there if pair.whole else Counter(here.keys() - there.keys())
        found += [f"{fact.__name__}: only in Chinese: {item}" for item in extra]
        found += [f"{fact.__name__}: only in English: {item}" for item in there - here if pair.whole]
    return found


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.chinese)
def test_the_page_says_the_same_in_both_languages(pair: Pair) -> None:
    assert differences(pair, (TOP / pair.chinese).read_text()) == []


@pytest.mark.parametrize(
    ("page", "right", "wrong", "found"),
    [
        ("README.zh-CN.md", "最多 10 分钟", "最多 20 分钟", "numbers: only in Chinese: 20 分钟"),
        ("README.zh-CN.md", "5 秒", "5 分钟", "numbers: only in Chinese: 5 分钟"),
        ("README.zh-CN.md", "Rust 1.95", "Rust 1.85", "numbers: only in Chinese: 1.85"),
        ("docs/zh/comparison.md", "0.5 秒", "", "numbers: only in English: 0.5 秒"),
        ("docs/zh/comparison.md", "2.5 ", "9.3 ", "numbers: only in Chinese: 9.3"),
        ("docs/zh/quickstart-python.md", "step=1000", "step=100", "code: only in English: "),
        ("docs/zh/quickstart-python.md", "# prints True", "# prints False", "code: only in Chinese: # prints False"),
        (
            "docs/zh/spring-boot.md",
            "`leafmint.segment.eager=true`",
            "`leafmint.eager=true`",
            "names: only in Chinese: ",
        ),
        (
            "docs/zh/spring-boot.md",
            "../numbers.md#width",
            "../numbers.md",
            "links: only in English: docs/numbers.md#width",
        ),
        ("docs/zh/spring-boot.md", "(from-leaf.md#", "(../from-leaf.md#", "links: only in Chinese: docs/from-leaf.md#"),
        ("docs/zh/mybatis-plus.md", "ASSIGN_ID)", "ASSIGN_UUID)", "code: only in Chinese: "),
        ("docs/zh/mybatis-plus.md", "`ASSIGN_UUID`", "`INPUT`", "names: only in Chinese: `INPUT`"),
        ("docs/zh/mybatis-plus.md", "MyBatis-Plus 3.5", "MyBatis-Plus 3.6", "numbers: only in Chinese: 3.6"),
    ],
)
def test_a_changed_fact_is_found(page: str, right: str, wrong: str, found: str) -> None:
    [pair] = [pair for pair in PAIRS if pair.chinese == page]
    text = (TOP / page).read_text()
    assert right in text
    assert [line for line in differences(pair, text.replace(right, wrong, 1)) if line.startswith(found)] != []


def test_a_comment_of_code_may_be_translated() -> None:
    assert code("", "```py\nstep()  # five\n# prints 5\n```") == code("", "```py\nstep()  # 五\n# prints 5\n```")


def test_every_chinese_page_is_compared() -> None:
    pages = {str(page.relative_to(TOP)) for page in [*TOP.glob("docs/zh/*.md"), *TOP.glob("README.zh*.md")]}
    assert {pair.chinese for pair in PAIRS} == pages


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.chinese)
def test_the_pages_link_to_each_other_at_the_top(pair: Pair) -> None:
    def top(page: str) -> set[str]:
        text = (TOP / page).read_text().split("\n## ")[0]
        return {posixpath.normpath(posixpath.join(posixpath.dirname(page), link)) for link in LINK.findall(text)}

    assert pair.english[0] in top(pair.chinese)
    assert pair.chinese in top(pair.english[0])


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.chinese)
def test_no_chinese_word_misleads(pair: Pair) -> None:
    text = (TOP / pair.chinese).read_text()
    assert [f"{word}: write {better}" for word, better in WORDS.items() if word in text] == []
