"""Adds the pages of the top folder to the site, and turns links between both into links of the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

TOP = Path(__file__).parent.parent
PAGES = ["SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PAGE = "py/python/leafmint/files/page.html"
DECODER = "decoder.html"
"""The page for operators without a document: it only decodes ids."""
LINK = re.compile(r"\]\(([\w./-]+)(#[\w-]+)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages of the top folder, and the decoder."""
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(TOP / name)))
    place = '<script type="application/json" id="status">{}</script>'
    page = (TOP / PAGE).read_text(encoding="utf-8")
    decoder = page.replace(place.format('"status.json"'), place.format("null"))
    files.append(File.generated(config, DECODER, content=decoder))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links that hold in the repository into links that hold in the site."""
    name = page.file.src_uri
    folder = posixpath.dirname(name if name in PAGES else f"docs/{name}")

    def in_site(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[1]))
        if target in PAGES:
            inside = target
        elif target == PAGE:
            inside = DECODER
        elif target.startswith("docs/"):
            inside = target.removeprefix("docs/")
        elif (TOP / target).exists():
            return f"]({config.repo_url}/blob/main/{target}{link[2] or ''})" if config.repo_url else link[0]
        else:
            return link[0]
        return f"]({posixpath.relpath(inside, posixpath.dirname(name) or '.')}{link[2] or ''})"

    return LINK.sub(in_site, markdown)
