"""The command `files`."""

import json
from pathlib import Path

import leafmint as package
from command import leafmint
from leafmint.cli.files import FILES

FOLDER = Path(package.__file__).parent / "files"


def test_every_file_of_the_package_is_printed() -> None:
    assert {file.name for file in FOLDER.iterdir()} == set(FILES.values())
    for name, file in FILES.items():
        text = (FOLDER / file).read_text(encoding="utf-8")
        assert leafmint("files", name) == (0, text, "")
        assert json.loads(leafmint("files", name, "--json").out) == {"file": file, "text": text}


def test_the_page_needs_nothing_from_elsewhere_and_is_small() -> None:
    text = (FOLDER / "page.html").read_text(encoding="utf-8")
    assert len(text.encode()) < 40_000
    assert "://" not in text
    assert not any(word in text for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("))
