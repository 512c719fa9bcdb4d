"""Checks the files of Python without running them: tags, libraries, metadata, sizes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from zipfile import ZipFile

from commands import ARTEFACTS, TOOLS, TOP, run
from limits import check_library, check_size
from report import Report, Row, check, say

TAGS = {"x86_64": "manylinux_2_17_x86_64", "aarch64": "manylinux_2_17_aarch64"}
FILES = ["leafmint/py.typed", "leafmint/_core.pyi", "leafmint/files/page.html", "leafmint_pytest/__init__.py"]


def wheel_of(architecture: str) -> Path:
    """Returns the wheel for Linux with glibc on an architecture."""
    found = sorted(ARTEFACTS.glob(f"leafmint-*-cp310-abi3-*manylinux*_{architecture}.whl"))
    check(len(found) == 1, f"{len(found)} wheels for {architecture} in {ARTEFACTS}: run `make dist` first")
    return found[0]


def check_wheel(report: Report, wheel: Path, architecture: str) -> Row:
    """Checks a wheel, and returns its row."""
    say(f"{wheel.name}: auditwheel, abi3audit, twine, sizes")
    row = report.row("wheel", f"linux-{architecture}")
    check_size(row, wheel, "wheel")
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        (library,) = (name for name in names if name.endswith(".so"))
        check_library(row, f"{library} in {wheel.name}", archive.read(library), architecture)
        for name in ("LICENSE", "THIRD-PARTY-NOTICES.txt"):
            (licence,) = (one for one in names if one.endswith(f".dist-info/licenses/{name}"))
            check(archive.read(licence) == (TOP / name).read_bytes(), f"{wheel.name} has another {name}")
        stub = archive.read("leafmint/_core.pyi").decode()
        check(">>> import leafmint" in stub, f"{wheel.name} has a stub without docstrings")
    check(not set(FILES) - set(names), f"{wheel.name} lacks {set(FILES) - set(names)}")
    with tempfile.TemporaryDirectory() as folder:
        shown = run([TOOLS / "auditwheel", "show", wheel], Path(folder))
        tag = TAGS[architecture]
        check(f'platform tag: "{tag}"' in " ".join(shown.split()), f"auditwheel does not say {tag}: {shown}")
        run([TOOLS / "abi3audit", "--strict", wheel], Path(folder))
        run([TOOLS / "twine", "check", "--strict", wheel], Path(folder))
    row.done.append("auditwheel, abi3audit, twine")
    return row
