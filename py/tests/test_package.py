"""The package: its metadata, which an index shows, and its sources and tests."""

from importlib.metadata import metadata
from pathlib import Path

import leafmint

README = Path(__file__).parents[1] / "README.md"


def test_the_long_description_is_the_page_of_the_package() -> None:
    package = metadata("leafmint")
    assert package["Description-Content-Type"].startswith("text/markdown")
    assert str(package.json["description"]).strip() == README.read_text().strip()


def test_the_metadata_names_version_license_and_urls() -> None:
    package = metadata("leafmint")
    assert package["Version"] == leafmint.__version__
    assert package["License-Expression"] == "Apache-2.0"
    assert package["Requires-Python"] == ">=3.10"
    urls = dict(url.split(", ", 1) for url in package.get_all("Project-URL") or [])
    assert set(urls) == {"Homepage", "Documentation", "Repository", "Issues", "Changelog"}
    assert all(url.startswith("https://github.com/leafmint/leafmint") for url in urls.values())


def test_every_source_file_has_a_test_file_of_its_name() -> None:
    sources = {file.stem for file in (README.parent / "src").glob("*.rs")} - {"lib"}
    tests = [file.stem for file in Path(__file__).parent.glob("test_*.py")]
    assert {source for source in sources if not any(test.startswith(f"test_{source}") for test in tests)} == set()
