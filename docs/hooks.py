"""Adds the pages of the top folder to the site, and turns links between both into links of the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from textwrap import indent

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

TOP = Path(__file__).parent.parent
PAGES = ["SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PAGE = "py/python/leafmint/files/page.html"
DECODER = "decoder.html"
"""The page for operators without a document: it only decodes ids."""
LANGUAGES = {"python": "Python", "java": "Java", "xml": "Maven", "sql": "SQL", "kotlin": "Kotlin"}
BLOCK = rf"^```(?:{'|'.join(LANGUAGES)})\n(?:(?!```).*\n)*```\n"
BLOCKS = re.compile(rf"{BLOCK}(?:(?:\s*<!--.*?-->)?\s*{BLOCK})+", re.MULTILINE)
PYTHON_API, JAVA_API, JAVADOC = "api/python.md", "api/java.md", "api/javadoc"
MODULES = [
    "",
    ".alembic",
    ".django",
    ".opentelemetry",
    ".prometheus",
    ".pydantic",
    ".sharding",
    ".sqlalchemy",
]
MODULES += [".testing", ".web"]
LONG_NAME = re.compile(r"(?<=<code>)[\w.-]{25,}(?=</code>)")
LINK = re.compile(r"\]\(([\w./-]+)(#[\w-]+)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages of the top folder, the decoder, and Javadoc if it was built."""
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(TOP / name)))
    place = '<script type="application/json" id="status">{}</script>'
    page = (TOP / PAGE).read_text(encoding="utf-8")
    decoder = page.replace(place.format('"status.json"'), place.format("null"))
    files.append(File.generated(config, DECODER, content=decoder))
    javadoc = Path(config.extra["javadoc"])
    for path in javadoc.rglob("*") if config.extra["javadoc"] else ():
        if path.is_file():
            name = f"{JAVADOC}/{path.relative_to(javadoc)}"
            files.append(File.generated(config, name, abs_src_path=str(path)))
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
            return (
                f"]({config.repo_url}/blob/main/{target}{link[2] or ''})"
                if config.repo_url
                else link[0]
            )
        else:
            return link[0]
        return f"]({posixpath.relpath(inside, posixpath.dirname(name) or '.')}{link[2] or ''})"

    if name == PYTHON_API:
        markdown += "".join(f"\n::: leafmint{module}\n" for module in MODULES)
    elif name == JAVA_API and config.extra["javadoc"]:
        markdown += "\n[Open the Javadoc](javadoc/index.html)\n"
    return BLOCKS.sub(in_tabs, LINK.sub(in_site, markdown))


def in_tabs(blocks: re.Match[str]) -> str:
    """Returns code in several languages as tabs, and code in one language as it was."""
    found = re.findall(BLOCK, blocks[0], re.MULTILINE)
    languages = [block.split("\n", 1)[0].removeprefix("```") for block in found]
    if len(set(languages)) < len(languages):
        return blocks[0]
    tabs = zip(languages, found, strict=True)
    return "".join(
        f'=== "{LANGUAGES[language]}"\n\n{indent(block, "    ")}\n' for language, block in tabs
    )


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lets a long name be broken after its words, so that a table of such names fits."""
    return LONG_NAME.sub(lambda name: re.sub("[_.-]", r"\g<0><wbr>", name[0]), html)
