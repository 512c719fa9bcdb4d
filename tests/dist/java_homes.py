"""Finds the JDKs of this machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

VERSIONS = ["17", "21", "25"]


def java_homes() -> dict[str, Path]:
    """Returns the JDKs that are there, by version."""
    places = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    places += [Path(value) for name, value in sorted(os.environ.items()) if re.fullmatch(r"JAVA_HOME_\d+_\w+", name)]
    places += sorted(Path("/usr/lib/jvm").glob("*"))
    found: dict[str, Path] = {}
    for place in places:
        release = place / "release"
        if (place / "bin/javac").is_file() and release.is_file():
            (version,) = re.findall(r'^JAVA_VERSION="(\d+)', release.read_text(), re.MULTILINE)
            found.setdefault(version, place)
    return {version: found[version] for version in VERSIONS if version in found}
