"""Checks that leafmint.cdx.json lists every crate in the native libraries, or writes it, with `--write`.

It is a bill of materials in the form of CycloneDX, for scanners, and part of the wheel and of the JAR. It is the same
wherever and whenever it is written.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any

from third_party import TOP, cargo, linked

FILE = TOP / "leafmint.cdx.json"


def component(package: dict[str, Any], checksums: dict[tuple[str, str], str]) -> dict[str, Any]:
    """Returns the entry of a crate."""
    name, version = package["name"], package["version"]
    purl = f"pkg:cargo/{name}@{version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
        "hashes": [{"alg": "SHA-256", "content": checksums[name, version]}],
    }


def sqlite(packages: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the entry of SQLite, whose C sources are in a crate."""
    (package,) = (package for package in packages if package["name"] == "libsqlite3-sys")
    header = (Path(package["manifest_path"]).parent / "sqlite3/sqlite3.h").read_text(encoding="utf-8")
    (version,) = re.findall(r'^#define SQLITE_VERSION +"(.*)"', header, re.MULTILINE)
    return {
        "type": "library",
        "bom-ref": f"sqlite@{version}",
        "name": "sqlite",
        "version": version,
        "cpe": f"cpe:2.3:a:sqlite:sqlite:{version}:*:*:*:*:*:*:*",
        "purl": f"pkg:generic/sqlite@{version}",
        "licenses": [{"license": {"name": "Public Domain"}}],
    }


def bill() -> str:
    """Returns the text of the file."""
    lock = (TOP / "Cargo.lock").read_text(encoding="utf-8")
    entry = re.compile(r'name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"')
    checksums = {(name, version): checksum for name, version, checksum in entry.findall(lock)}
    packages = linked()
    components = [*(component(package, checksums) for package in packages), sqlite(packages)]
    metadata = json.loads(cargo("metadata", "--locked", "--no-deps", "--format-version", "1"))["packages"]
    (ours,) = (package for package in metadata if package["name"] == "leafmint")
    purl = f"pkg:cargo/leafmint@{ours['version']}"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components) + purl)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": purl,
                "name": "leafmint",
                "version": ours["version"],
                "purl": purl,
                "description": ours["description"],
                "licenses": [{"expression": ours["license"]}],
            }
        },
        "components": components,
    }
    return json.dumps(document, indent=1) + "\n"


def main() -> None:
    """Checks the file, or writes it."""
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(bill(), encoding="utf-8")
    elif not FILE.is_file() or FILE.read_text(encoding="utf-8") != bill():
        sys.exit(f"{FILE.name} is out of date: run python3 tests/lint/bill_of_materials.py --write")


if __name__ == "__main__":
    main()
