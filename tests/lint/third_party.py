"""Checks that THIRD-PARTY-NOTICES.txt names every crate in the native libraries, or writes it, with `--write`.

The file is part of the wheel and of the JAR. A crate that offers Apache-2.0 is named, since its licence is the one that
leafmint carries anyway; any other comes with the text of its licence. cargo-about and cargo-cyclonedx
would do this too, but compile 400 crates for what takes two seconds here.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
NOTICES = TOP / "THIRD-PARTY-NOTICES.txt"
LIBRARIES = ("leafmint-jni", "leafmint-py")
SYSTEMS = ("unknown-linux-gnu", "unknown-linux-musl", "apple-darwin")
TARGETS = tuple(f"{machine}-{system}" for machine in ("x86_64", "aarch64") for system in SYSTEMS)
RULE = "-" * 80

HEADER = """\
Third-party notices of leafmint

The native library of the Python wheel and of the JAR contains the Rust crates below, on all platforms together, and
Rust's standard library, which is used under Apache-2.0.
"""

MIT = """\
The MIT License (MIT)

Copyright (c) {holders}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def cargo(*arguments: str) -> str:
    """Runs Cargo and returns its output."""
    return subprocess.run(["cargo", *arguments], cwd=TOP, check=True, capture_output=True, text=True).stdout


def linked() -> list[dict[str, Any]]:
    """Returns the packages that are linked into a native library, sorted by name and version."""
    chosen = [f"--package={library}" for library in LIBRARIES] + [f"--target={target}" for target in TARGETS]
    tree = cargo("tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", *chosen)
    lines = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    names = {(name, version.removeprefix("v")) for name, version in lines}
    packages = json.loads(cargo("metadata", "--locked", "--format-version", "1"))["packages"]
    found = [package for package in packages if (package["name"], package["version"]) in names and package["source"]]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def licence(package: dict[str, Any]) -> str:
    """Returns the licence that leafmint uses: Apache-2.0 or MIT if one of them is offered."""
    offered = re.split(r" OR |/", package["license"])
    return next((name for name in ("Apache-2.0", "MIT") if name in offered), offered[0])


def texts(package: dict[str, Any]) -> list[str]:
    """Returns the licence texts of a package, which has none if its authors wrote none into it."""
    files = sorted(Path(package["manifest_path"]).parent.glob("LICENSE*"))
    only = [file for file in files if file.name == f"LICENSE-{licence(package)}"] or files
    found = [file.read_text(encoding="utf-8").strip() for file in only]
    if not found and licence(package) == "MIT":
        holders = ", ".join(author.split(" <")[0] for author in package["authors"])
        found = [MIT.format(holders=f"the authors of {package['name']}: {holders}").strip()]
    if not found:
        sys.exit(f"{package['name']} has no text of its licence, {package['license']}: find it, and add it here")
    return found


def notices() -> str:
    """Returns the text of the file."""
    packages = linked()
    apache = [package for package in packages if licence(package) == "Apache-2.0"]
    lines = [HEADER, "Used under Apache-2.0, whose text is in LICENSE:", ""]
    lines += [f"  {package['name']} {package['version']}" for package in apache]
    users: dict[tuple[str, str], list[str]] = {}
    for package in packages:
        if package not in apache:
            for text in texts(package):
                users.setdefault((licence(package), text), []).append(f"{package['name']} {package['version']}")
    for (name, text), crates in users.items():
        lines += ["", RULE, f"{name}: {', '.join(crates)}", "", *(line.rstrip() for line in text.splitlines())]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Checks the file, or writes it."""
    if sys.argv[1:] == ["--write"]:
        NOTICES.write_text(notices(), encoding="utf-8")
    elif not NOTICES.is_file() or NOTICES.read_text(encoding="utf-8") != notices():
        sys.exit(f"{NOTICES.name} is out of date: run python3 tests/lint/third_party.py --write")


if __name__ == "__main__":
    main()
