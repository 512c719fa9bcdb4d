"""The command `report`: the page with what `status` reads."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import leafmint as library
from command import leafmint
from testing import SENTINEL, UNREACHABLE

ELEMENT = re.compile('<script type="application/json" id="status">(.*?)</script>', re.DOTALL)


def document(file: Path) -> Any:
    """Return the document that a report has."""
    (found,) = ELEMENT.findall(file.read_text(encoding="utf-8"))
    return json.loads(found)


def test_a_report_has_the_document_of_status_and_replaces_an_older_one(url: str, local: str, tmp_path: Path) -> None:
    with library.SegmentGenerator(url) as ids:
        ids.init_schema()
        ids.create_tag("</script><script>alert(1)</script>")
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        connection.executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (7)")
    file = tmp_path / "status.html"
    file.write_text("older")
    variables: dict[str, Any] = {"LEAFMINT_URL": url, "LEAFMINT_SNOWFLAKE_URL": local}
    assert leafmint("report", "--audit", "--html", str(file), **variables) == (0, f"{file}: written\n", "")
    found = document(file)
    status = leafmint("status", "--audit", "--json", **variables).json()
    assert found["tags"] == status["tags"] != []
    assert found["keys"] == status["keys"] != []
    assert found["holder"] == status["holder"]
    assert found["process"] is None
    assert list(tmp_path.glob(".*.new")) == []


def test_a_store_that_is_away_is_in_the_report_and_in_the_exit_code(tmp_path: Path) -> None:
    file = tmp_path / "status.html"
    ran = leafmint("report", "--html", str(file), "--timeout", "1s", LEAFMINT_URL=UNREACHABLE)
    assert (ran.code, ran.out) == (1, f"{file}: written\n")
    assert ran.err.startswith("leafmint: store: store_unavailable: ")
    assert [error["code"] for error in document(file)["errors"]] == ["store_unavailable"]
    assert SENTINEL not in file.read_text() + ran.err


def test_a_file_that_cannot_be_written_is_an_error_that_names_it(url: str, tmp_path: Path) -> None:
    ran = leafmint("report", "--html", str(tmp_path / "none/status.html"), "--json", LEAFMINT_URL=url)
    assert ran.code == 1
    assert "status.html" in json.loads(ran.err)["error"]["message"]
