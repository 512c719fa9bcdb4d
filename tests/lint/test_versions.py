"""leafmint has one version, in all of its files; a release with another tag is refused."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import TOP

VERSION = subprocess.run(
    [sys.executable, TOP / "tests/lint/versions.py"], check=True, capture_output=True, text=True
).stdout.strip()
FILES = [
    "Cargo.toml",
    "Cargo.lock",
    "pyproject.toml",
    "*.md",
    "docs/**/*.md",
    "jvm/**/pom.xml",
    "tests/apps/**/pom.xml",
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Returns a copy of all files that name the version."""
    for file in (file for pattern in FILES for file in TOP.glob(pattern)):
        (tmp_path / file.relative_to(TOP)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, tmp_path / file.relative_to(TOP))
    return tmp_path


def check(top: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the check on a checkout."""
    command = [sys.executable, TOP / "tests/lint/versions.py", "--top", top, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(
    "file", ["Cargo.lock", "jvm/java/pom.xml", "jvm/bom/pom.xml", "docs/quickstart-java.md", "README.md"]
)
def test_another_version_in_one_file_is_named(checkout: Path, file: str) -> None:
    assert check(checkout).stdout.strip() == VERSION
    text = (checkout / file).read_text()
    at = text.index(f"<version>{VERSION}<") if file != "Cargo.lock" else text.index("version", text.index('"leafmint"'))
    (checkout / file).write_text(text[:at] + text[at:].replace(VERSION, "99.0.0", 1))
    run = check(checkout)
    assert run.returncode == 1
    assert file in run.stderr
    assert "says 99.0.0" in run.stderr


def test_a_version_of_its_own_in_pyproject_is_refused(checkout: Path) -> None:
    text = (checkout / "pyproject.toml").read_text()
    (checkout / "pyproject.toml").write_text(text.replace('dynamic = ["version"]', f'version = "{VERSION}"'))
    assert "pyproject.toml says" in check(checkout).stderr


def test_a_tag_needs_its_version_a_section_of_the_changelog_and_true_install_lines(checkout: Path) -> None:
    run = check(checkout, "--ref", "refs/tags/v99.0.0")
    assert run.returncode == 1
    assert "the ref is refs/tags/v99.0.0" in run.stderr
    (checkout / "CHANGELOG.md").write_text(f"## [{VERSION}] - 2026-12-01\n")
    for page in ("README.md", "README.zh-CN.md"):
        (checkout / page).write_text("# leafmint\n")
    assert check(checkout, "--ref", f"refs/tags/v{VERSION}").returncode == 0
    branch = check(checkout, "--ref", f"refs/heads/v{VERSION}")
    assert (branch.returncode, f"the ref is refs/heads/v{VERSION}" in branch.stderr) == (1, True)
    (checkout / "README.md").write_text("leafmint is not published yet.\n")
    assert "README.md says not published yet" in check(checkout, "--ref", f"refs/tags/v{VERSION}").stderr


def test_the_page_of_a_release_has_its_section_of_the_changelog(tmp_path: Path) -> None:
    shutil.copytree(TOP / "dist", tmp_path / "dist")
    (tmp_path / "CHANGELOG.md").write_text(
        "# C\n\n## [0.2.0] - 2026-12-02\n\nSecond.\n\n## [0.1.0] - 2026-12-01\n\nFirst.\n"
    )
    command = [sys.executable, tmp_path / "dist/release_notes.py"]
    assert subprocess.run([*command, "v0.2.0"], check=True, capture_output=True, text=True).stdout == "Second.\n"
    missing = subprocess.run([*command, "v0.3.0"], capture_output=True, text=True)
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr == "CHANGELOG.md has no section of 0.3.0: it has 0.2.0, 0.1.0\n"
