"""The metadata of the installed package: what an index shows about it."""

from importlib.metadata import metadata
from pathlib import Path

import leafmint

README = Path(__file__).parents[2] / "README.md"


def test_the_long_description_is_the_readme() -> None:
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
