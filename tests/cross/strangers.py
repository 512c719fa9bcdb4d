"""What strangers see of the sample applications: texts in place of ids, and no number of a row."""

from __future__ import annotations

import json
import re
import urllib.error
from collections.abc import Iterable

from id_texts import TYPES
from shops import Site

FIRST_ID = 734_000_000_000_000
"""First id of the tags whose ids are looked for: no other number of a page begins like it."""
RAW = re.compile(str(FIRST_ID)[:6] + r"\d{9}")


class Crawler:
    """Walks the pages of a site, beginning with answers that a customer has got, and keeps what it read."""

    def __init__(self, site: Site, openapi: str | None, answers: Iterable[str]) -> None:
        self.site = site
        self.read = dict(enumerate(answers))
        self.pages: dict[str, str] = {}
        self.templates = self.described(openapi) if openapi else set()

    def described(self, openapi: str) -> set[str]:
        """Returns the pages that the site's own description has."""
        page = self.get(openapi)
        assert page is not None, f"{self.site.name} has no {openapi}"
        return {path for path, methods in json.loads(page)["paths"].items() if "get" in methods}

    def get(self, path: str) -> str | None:
        """Reads a page once. One that the site does not have is read as well: errors show values too."""
        if path in self.pages:
            return None
        try:
            self.pages[path] = self.site.get(path)
        except urllib.error.HTTPError as error:
            self.pages[path] = error.read().decode()
        return self.pages[path]

    def walk(self, templates: Iterable[str] = ()) -> None:
        """Reads the described pages, and those at `templates`, for each id that a page or an answer shows."""
        unread = list(self.read.values())
        self.templates |= set(templates)
        while unread:
            texts = {text for page in unread for text in self.ids_on(page)}
            paths = {re.sub(r"\{\w+\}", text, path) for path in self.templates for text in texts}
            unread = [page for path in sorted(paths) if (page := self.get(path)) is not None]

    def ids_on(self, page: str) -> set[str]:
        """Returns the texts of ids on a page."""
        return set(re.findall(rf"\b(?:{'|'.join(TYPES)})_[0-9a-z]{{26}}\b", page))

    def check(self) -> None:
        """Checks that nothing that was read has the number of a row."""
        for where, page in [*self.read.items(), *self.pages.items()]:
            assert not RAW.search(page), f"{self.site.name} {where}: {page}"
        print(f"{self.site.name}: {len(self.pages)} pages and {len(self.read)} answers without a number")
