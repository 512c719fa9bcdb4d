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
LINK = re.compile(r"\]\(([\w./-]+)(#[\w-]+)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages of the top folder."""
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(TOP / name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links that hold in the repository into links that hold in the site."""
    name = page.file.src_uri
    folder = posixpath.dirname(name if name in PAGES else f"docs/{name}")

    def in_site(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[1]))
        if target in PAGES:
            inside = target
        elif target.startswith("docs/"):
            inside = target.removeprefix("docs/")
        elif (TOP / target).exists():
            return f"]({config.repo_url}/blob/main/{target}{link[2] or ''})" if config.repo_url else link[0]
        else:
            return link[0]
        return f"]({posixpath.relpath(inside, posixpath.dirname(name) or '.')}{link[2] or ''})"

    return LINK.sub(in_site, markdown)
