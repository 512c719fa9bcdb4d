"""Checks that leafmint has one version everywhere; before a release, `versions.py --ref refs/tags/v0.1.0`.

The ref must be the tag of the version, not a branch of that name. Then the changelog must have a section of that
version, and README must no longer say that there is no release.
"""

from __future__ import annotations

import argparse
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
POM = {"": "http://maven.apache.org/POM/4.0.0"}
GROUP = "io.github.leafmint"
DEPENDENCY = re.compile(rf"<groupId>{GROUP}</groupId>\s*<artifactId>([\w-]+)</artifactId>\s*<version>([^<]+)</version>")
UNRELEASED = {"README.md": "not published yet", "README.zh-CN.md": "尚未发布"}


def main() -> None:
    """Prints every place with another version, and fails if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ref", help="the Git ref of the release: refs/tags/v and the version")
    parser.add_argument("--top", type=Path, default=TOP, help="the checkout")
    options = parser.parse_args()
    (version,) = re.findall(r'^version = "(.*)"$', (options.top / "Cargo.toml").read_text(), re.MULTILINE)
    wrong = [
        *(f"{place} says {found}" for place, found in places(options.top) if found != version),
        *(of_release(options.top, version, options.ref) if options.ref else []),
    ]
    if wrong:
        sys.exit("\n".join([f"Cargo.toml says {version}, but:", *wrong]))
    print(version)


def places(top: Path) -> list[tuple[str, str]]:
    """Returns every place that names a version of leafmint, with what it says."""
    return [*in_cargo(top), *in_poms(top), *in_python(top), *in_pages(top)]


def in_cargo(top: Path) -> list[tuple[str, str]]:
    """Returns the versions of the workspace's crates in the lock file."""
    package = re.compile(r'^\[\[package\]\]\nname = "(.*)"\nversion = "(.*)"\n(?!source)', re.MULTILINE)
    return [(f"Cargo.lock: {name}", version) for name, version in package.findall((top / "Cargo.lock").read_text())]


def in_poms(top: Path) -> list[tuple[str, str]]:
    """Returns the versions of all POMs of the build, and of leafmint's own artefacts in them."""
    found = []
    for file in sorted([*top.glob("jvm/**/pom.xml"), *top.glob("tests/apps/**/pom.xml")]):
        if "target" in file.relative_to(top).parts:
            continue
        project = ElementTree.parse(file).getroot()
        for element in [project, *project.findall("parent", POM), *project.findall(".//dependency", POM)]:
            version = element.findtext("version", namespaces=POM)
            group = element.findtext("groupId", GROUP if element is project else "", POM)
            if version and group.startswith(GROUP) and not version.startswith("${"):
                found.append((str(file.relative_to(top)), version))
    return found


def in_python(top: Path) -> list[tuple[str, str]]:
    """Returns the version of pyproject.toml, which must have none: it is that of Cargo.toml."""
    project = (top / "pyproject.toml").read_text()
    is_dynamic = re.search(r'^dynamic = \["version"\]$', project, re.MULTILINE)
    is_static = re.search(r"^version =", project, re.MULTILINE)
    return [] if is_dynamic and not is_static else [("pyproject.toml", "a version of its own")]


def in_pages(top: Path) -> list[tuple[str, str]]:
    """Returns the versions that pages tell readers to depend on."""
    pages = sorted([*top.glob("*.md"), *top.glob("docs/**/*.md")])
    return [
        (str(page.relative_to(top)), version) for page in pages for _, version in DEPENDENCY.findall(page.read_text())
    ]


def of_release(top: Path, version: str, ref: str) -> list[str]:
    """Returns what must change before a release from this ref."""
    wrong = [] if ref == f"refs/tags/v{version}" else [f"the ref is {ref}"]
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$"
    if not re.search(heading, (top / "CHANGELOG.md").read_text(), re.MULTILINE):
        wrong.append(f"CHANGELOG.md has no section ## [{version}] with a date")
    wrong += [f"{name} says {text}" for name, text in UNRELEASED.items() if text in (top / name).read_text()]
    return wrong


if __name__ == "__main__":
    main()
