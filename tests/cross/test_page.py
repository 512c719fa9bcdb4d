"""The page in a browser: what it shows of a status document, what it decodes, and that no text becomes code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import leafmint
import pytest
from browser import Browser, started
from leafmint._internal.page import page_of
from leafmint.web import make_wsgi_app
from programs import TOP
from selenium.webdriver.common.keys import Keys

EXAMPLE: dict[str, Any] = json.loads((TOP / "tests/vectors/status.json").read_text())
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!-- <script>",
    "<img src=https://example.org/x onerror=alert(3)>",
    "a\u202eb\u0000\u200b",
    "x" * 128,
    "\ud800",
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests of this file."""
    with started(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


def document(**parts: Any) -> dict[str, Any]:
    """Returns the example of a status document with other parts."""
    return {**EXAMPLE, **parts}


def tag(name: str, **figures: Any) -> dict[str, Any]:
    """Returns a tag of a status document."""
    return {**EXAMPLE["tags"][0], "name": name, **figures}


def opened(browser: Browser, folder: Path, status: dict[str, Any] | None, **window: Any) -> Browser:
    """Opens a report of a document, and checks that the browser has nothing to complain about."""
    file = folder / "report.html"
    file.write_text(page_of(status), encoding="utf-8")
    browser.open(file.as_uri(), **window)
    assert browser.complaints() == []
    assert browser.requests() == [file.as_uri()]
    return browser


def test_a_tag_that_is_called_like_markup_is_text(browser: Browser, tmp_path: Path) -> None:
    tags = [tag(name, description=name, problem=name) for name in HOSTILE]
    opened(browser, tmp_path, document(tags=tags, store={**EXAMPLE["store"], "scope": HOSTILE[1]}))
    names = browser.texts("#tags tbody td:first-child")
    assert names == [*HOSTILE[:4], "a\\u{202e}b\\u{0}\\u{200b}", "x" * 128, "\\u{d800}"]
    assert browser.run("return document.querySelectorAll('script, img').length") == 2
    assert browser.run("return document.title") == f"leafmint: {HOSTILE[1]}"


def test_ten_thousand_tags_can_be_filtered(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, document(tags=[tag(f"tag-{number}") for number in range(10_000)]))
    assert len(browser.texts("#tags tbody tr")) == 100
    assert "2 tags of series not shown: see Series." in browser.texts("#tags p")
    assert browser.text("#tags > p") == "The first 100 rows; 9,900 more: filter them."
    browser.type("#tags-filter", "TAG-9999")
    assert browser.texts("#tags tbody td:first-child") == ["tag-9999"]
    browser.type("#tags-filter", "no such")
    assert browser.text("#tags > p") == "No row has this text."


DECODER = """
const byId = (id) => document.getElementById(id);
const texts = (selector) => [...document.querySelectorAll(selector)].map((it) => it.textContent);
const set = (id, value) => {
  byId(id).value = value;
  byId(id).dispatchEvent(new Event("input", {bubbles: true}));
};
const presets = [...byId("layout").options].map((option) => option.value);
return arguments[0].map(([layout, epoch, unit, ids]) => {
  set("ids", "");
  set("layout", presets.includes(layout) ? layout : "");
  for (const [id, value] of Object.entries({bits: layout, epoch, unit, ids})) set(id, value);
  return {refusal: byId("refusal").textContent, titles: texts("#decoded th"), cells: texts("#decoded td")};
});
"""


def decoded(browser: Browser, cases: list[tuple[str, Any, str, Any]]) -> list[dict[str, Any]]:
    """Returns what the decoder shows for layouts, epochs, units and ids."""
    texts = [[layout, "" if epoch is None else str(epoch), unit, str(id)] for layout, epoch, unit, id in cases]
    shown: list[dict[str, Any]] = browser.run(DECODER, texts)
    return shown


def vectors(name: str) -> dict[str, list[dict[str, Any]]]:
    """Returns the cases of all languages."""
    found: dict[str, list[dict[str, Any]]] = json.loads((TOP / f"tests/vectors/{name}.json").read_text())
    return found


def test_the_decoder_answers_as_every_language_does(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, None)
    cases = [*vectors("decode")["ids"], *vectors("decode")["invalid_ids"]]
    shown = decoded(browser, [(case["layout"], case["epoch"], "", case["id"]) for case in cases])
    for case, found in zip(cases, shown, strict=True):
        assert found["refusal"] == ""
        parts = dict(zip(found["titles"], found["cells"], strict=True))
        if "code" in case:
            assert "is not an id" in parts["note"], case
            continue
        assert parts.pop("id") == str(case["id"])
        assert parts.pop("timestamp") == iso(case["timestamp"]), case
        expected = {"datacenter_id": case["datacenter"], **case}
        assert parts == {name: str(expected[name]) for name in parts}, case
        assert set(parts) >= {"worker_id", "sequence"}


def iso(millis: int) -> str:
    """Returns Unix milliseconds as the page writes them."""
    at = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=millis)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.mark.long
def test_the_decoder_refuses_what_every_language_refuses(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, None)
    valid = vectors("layouts")["valid"]
    for case, found in zip(valid, decoded(browser, [(it["text"], it["epoch"], "", 0) for it in valid]), strict=True):
        assert (found["refusal"], bool(found["cells"])) == ("", True), case
    invalid = vectors("layouts")["invalid"]
    for case, found in zip(
        invalid, decoded(browser, [(it["text"], it["epoch"], "", 0) for it in invalid]), strict=True
    ):
        # Nothing typed as bits is the preset that is chosen.
        assert found["refusal"], case
        assert found["cells"] == [], case


@pytest.mark.long
@pytest.mark.parametrize(
    ("epoch", "unit", "timestamp"),
    [
        ("2026-01-01T00:00:00Z", "", "2026-01-01T00:00:00.001Z"),
        ("2026-01-01T00:00:00.5Z", " 1ms 1ms", "2026-01-01T00:00:00.502Z"),
        ("1767225600000", "10ms", "2026-01-01T00:00:00.010Z"),
        ("", "1h", None),
        ("2026-02-30T00:00:00Z", "", None),
        ("2026-01-01", "", None),
        ("2026-01-01T00:00:00.0001Z", "", None),
        ("", "2 h", None),
        ("", "ms", None),
    ],
)
def test_the_decoder_reads_epochs_and_ticks_as_the_command_does(
    browser: Browser, tmp_path: Path, epoch: str, unit: str, timestamp: str | None
) -> None:
    opened(browser, tmp_path, None)
    (found,) = decoded(browser, [("leaf", epoch, unit, 1 << 22)])
    assert found["cells"][1:2] == ([timestamp] if timestamp else [])
    arguments = [text for name, text in (("--epoch", epoch), ("--unit", unit)) if text for text in (name, text)]
    command = [sys.executable, "-m", "leafmint", "decode", "--json", str(1 << 22), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == (0 if timestamp else 2)
    assert not timestamp or json.loads(ran.stdout)["timestamp"] == timestamp


def test_of_a_public_id_the_type_is_shown_and_no_number(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, None)
    ids = ["order_55zyq8fyn6wyk243qwa6yvbrz1", "order_55zyq8fyn6wyk243qwa6yvbrzu", "42", "x"]
    (found,) = decoded(browser, [("leaf", None, "", "\n".join(ids))])
    notes = found["cells"][len(found["titles"]) - 1 :: len(found["titles"])]
    assert notes[0] == "a public id of the type order"
    assert notes[1] == notes[3] == "is not an id: write its decimal digits"


def test_the_process_shows_outages_failed_calls_and_when_the_last_error_was(browser: Browser, tmp_path: Path) -> None:
    process = EXAMPLE["process"]
    order, flakes = process["tags"]["order"], process["snowflake"]
    refused = {"failed_calls": 7, "last_error": "refused", "last_error_code": "invalid_config"}
    refused["last_error_at"] = "2026-11-29T09:59:58.000Z"
    away = {**process, "tags": {"order": order}, "snowflake": {**flakes, "holder_up": False, **refused}}
    opened(browser, tmp_path, document(process=away))
    titles, cells = browser.texts("#process th"), browser.texts("#process tbody td")
    shown = dict(zip(titles, cells, strict=True))
    assert shown["failed calls"] == "2"
    assert shown["last error"].startswith("2026-11-29 09:59:57 UTC: store_unavailable: mysql:")
    facts = dict(zip(browser.texts("#process dt"), browser.texts("#process dd"), strict=True))
    assert (facts["its store"], facts["its holder"]) == ("down", "down")
    assert facts["failed calls of snowflakes"] == "7"
    assert facts["last error of snowflakes"].endswith(": invalid_config: refused")
    assert "09:59:58" in facts["last error of snowflakes"]
    assert len([text for text in browser.texts("#findings li") if text.startswith("this process ")]) == 2

    quiet = {**process, "store_up": True, "tags": {"order": {**order, "failed_calls": 0}}}
    opened(browser, tmp_path, document(process=quiet))
    assert "failed calls" not in browser.texts("#process th")
    facts = dict(zip(browser.texts("#process dt"), browser.texts("#process dd"), strict=True))
    assert (facts["its store"], facts["its holder"]) == ("up", "up")
    assert not any(text.startswith("this process ") for text in browser.texts("#findings li"))


def test_tags_that_were_refused_lately_are_named_first_with_the_codes_of_their_errors(
    browser: Browser, tmp_path: Path
) -> None:
    order, read = EXAMPLE["process"]["tags"]["order"], "2026-11-29T10:00:00.000Z"
    quiet = {**order, "last_error": None, "last_error_at": None}
    tags = {f"tag-{number}": quiet for number in range(200)}
    tags |= {"early": {**order, "last_error_at": "2026-11-29T09:49:59.000Z"}, "<b>": {**order, "failures_in_a_row": 0}}
    failures = {"store_unavailable": 0, "unknown_tag": 1200, "invalid_config": 1}
    opened(browser, tmp_path, document(read=read, process={**EXAMPLE["process"], "tags": tags, "failures": failures}))
    assert "leases that failed in the last 10 minutes: <b>" in browser.texts("#findings li")
    assert browser.texts("#process tbody td:first-child")[:2] == ["<b>", "early"]
    facts = dict(zip(browser.texts("#process dt"), browser.texts("#process dd"), strict=True))
    assert facts["leases that failed"] == "unknown_tag 1,200, invalid_config 1"


def test_the_hosts_of_a_list_are_shown_and_those_that_lag_or_fail_are_named(browser: Browser, tmp_path: Path) -> None:
    first, second = EXAMPLE["store"]["hosts"]
    dead = {"host": "db3:3306", "answered": None, "behind": None, "ahead": None, "problem": "refused <b>"}
    hosts = [first, {**second, "ahead": 1200}, dead]
    opened(browser, tmp_path, document(store={**EXAMPLE["store"], "hosts": hosts}))
    facts = dict(zip(browser.texts("#facts dt"), browser.texts("#facts dd"), strict=True))
    assert facts["hosts that answer"] == "2 of 3: db1:3306 in 4 ms, db2:3306 in 6 ms"
    assert [text for text in browser.texts("#findings li") if text.startswith("db")] == [
        "db2:3306: 1 tag is behind db1:3306",
        "db2:3306: 1,200 tags are ahead of db1:3306, which lacks those leases",
        "db3:3306: refused <b>",
    ]


@pytest.mark.long
def test_the_policy_stops_a_script_that_someone_else_wrote_into_the_file(browser: Browser, tmp_path: Path) -> None:
    foreign = "<script>document.title = 'foreign'</script><img src='https://example.org/x'><b onclick='alert(1)'>b</b>"
    file = tmp_path / "foreign.html"
    file.write_text(page_of(document()).replace("<main>", f"<main>{foreign}"), encoding="utf-8")
    browser.open(file.as_uri())
    assert browser.run("return document.title").startswith("leafmint")
    assert len([line for line in browser.complaints() if "Content Security Policy" in line]) == 3


CONTRASTS = """
const channel = (value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const behind = (it) => {
  for (; it; it = it.parentElement) {
    const colour = numbers(getComputedStyle(it).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
};
const hasText = (it) => [...it.childNodes].some((node) => node.nodeType === 3);
const seen = (it) => it.innerText && it.getClientRects().length && hasText(it);
return [...document.querySelectorAll("body *, input, textarea")].filter(seen).map((it) => {
  const [one, other] = [numbers(getComputedStyle(it).color), behind(it)].map(luminance);
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  return [contrast, it.innerText];
}).sort(([one], [other]) => one - other)[0];
"""


@pytest.mark.long
def test_every_text_has_enough_contrast_in_light_and_dark(browser: Browser, tmp_path: Path) -> None:
    backgrounds = set()
    for scheme in ("light", "dark"):
        opened(browser, tmp_path, document(tags=[tag("a", problem="broken")]), scheme=scheme)
        contrast, text = browser.run(CONTRASTS)
        assert contrast >= 4.5, text
        backgrounds.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
    assert backgrounds == {"rgb(255, 255, 255)", "rgb(15, 20, 25)"}


@pytest.mark.long
def test_a_phone_scrolls_in_one_direction_only(browser: Browser, tmp_path: Path) -> None:
    wide = "x" * 128
    tags = [tag(wide, description="y" * 256, problem="z" * 200), tag("a" * 60, max_id=str(2**63 - 1))]
    opened(browser, tmp_path, document(tags=tags, store={**EXAMPLE["store"], "scope": wide}), width=360, height=640)
    browser.type("#ids", "2116681624581074986 order_55zyq8fyn6wyk243qwa6yvbrz1")
    assert browser.run("return document.documentElement.scrollWidth") == 360
    rights = "[...document.querySelectorAll('td, li, p, dd, input')].map((it) => it.getBoundingClientRect().right)"
    assert browser.run(f"return Math.max(...{rights})") <= 360
    assert browser.run("return getComputedStyle(document.querySelector('#tags td'), '::before').content") == '"tag"'


@pytest.mark.long
def test_a_screen_reader_is_told_names_and_headers_and_the_keyboard_reaches_every_field(
    browser: Browser, tmp_path: Path
) -> None:
    opened(browser, tmp_path, document(tags=[tag(f"tag-{number}") for number in range(11)]))
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    fields = {name for role, name in named if role in ("searchbox", "textbox", "combobox", "checkbox")}
    assert fields == {
        "Filter tags",
        "Ids, one a line",
        "Layout",
        "Epoch: UTC, or Unix milliseconds",
        "Length of a tick",
    }
    assert {name for role, name in named if role == "table"} == {"Keys", "Series", "Worker ids", "Tags", "This process"}
    assert ("columnheader", "next to lease") in named
    assert {name for role, name in named if role == "region"} >= {"Overview", "Tags", "Decode ids"}
    reached = []
    for _ in range(5):
        browser.press(Keys.TAB)
        reached.append(browser.run("return document.activeElement.id"))
    assert reached == ["tags-filter", "ids", "layout", "epoch", "unit"]


@pytest.mark.long
def test_a_document_with_parts_that_could_not_be_read_shows_the_others(browser: Browser, tmp_path: Path) -> None:
    error = {"part": "store", "code": "store_unavailable", "message": "no <b>answer</b>"}
    away = {**EXAMPLE["store"], "answered": None, "is_new": None, "host": None, "hosts": None}
    status = document(store=away, tags=[], series=[], keys=None, findings=None, process=None, errors=[error])
    opened(browser, tmp_path, status)
    assert browser.texts("#findings li") == ["store: store_unavailable: no <b>answer</b>"]
    assert browser.texts("#workers tbody tr") != []
    hidden = browser.run("return [...document.querySelectorAll('#parts section[hidden]')].map((it) => it.id)")
    assert hidden == ["keys", "process"]
    holder = dict.fromkeys(EXAMPLE["holder"]) | {"scope": "local:workers"}
    nothing: dict[str, Any] = {part: [] for part in ("workers", "errors", "series", "tags")}
    opened(browser, tmp_path, document(store=None, holder=holder, findings=None, process=None, **nothing))
    assert browser.texts("#findings li") == ["nothing needs attention"]


class Quiet(WSGIRequestHandler):
    """Logs no request."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Does nothing."""


@pytest.mark.long
def test_a_page_that_is_served_follows_the_store_and_says_if_it_cannot(browser: Browser) -> None:
    with leafmint.SegmentGenerator("memory:") as ids:
        ids.tag("order").next_ids(3)
        server = make_server("127.0.0.1", 0, make_wsgi_app(ids), handler_class=Quiet)
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}/"
            browser.open(address)
            browser.wait_for("#process tbody td:first-child", "order")
            ids.create_tag("<b>new</b>")
            browser.wait_for("#tags tbody tr:first-child td:first-child", "<b>new</b>")
            assert browser.complaints() == []
            assert set(browser.requests()) == {address, f"{address}status.json"}
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
        browser.wait_for("#source", "status.json cannot be read")
        assert "What follows is from" in browser.text("#source")
        assert browser.texts("#process tbody td:first-child") == ["order"]
