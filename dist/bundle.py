"""Signs the files of a Maven repository in a folder, and packs them for Maven Central: `bundle.py FOLDER BUNDLE`.

gpg signs, with the only secret key that it has. `SIGNING_PASSPHRASE` is the passphrase.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

CHECKSUMS = {".md5", ".sha1", ".sha256", ".sha512"}


def sign(file: Path) -> Path:
    """Writes a detached signature next to a file."""
    signature = file.with_name(file.name + ".asc")
    command = ["gpg", "--batch", "--yes", "--armor", "--pinentry-mode", "loopback", "--passphrase-fd", "0"]
    passphrase = os.environ.get("SIGNING_PASSPHRASE", "")
    subprocess.run([*command, "--output", signature, "--detach-sign", file], input=passphrase, text=True, check=True)
    subprocess.run(["gpg", "--batch", "--quiet", "--verify", signature, file], check=True, stderr=subprocess.DEVNULL)
    return signature


def main() -> None:
    """Signs and packs."""
    folder, bundle = Path(sys.argv[1]), Path(sys.argv[2])
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and "maven-metadata" not in file.name]
    published = [file for file in files if file.suffix not in {*CHECKSUMS, ".asc"}]
    if not published:
        sys.exit(f"there is nothing to publish in {folder}")
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_STORED) as archive:
        for file in published:
            for one in (file, sign(file), *(file.with_name(file.name + sum) for sum in (".md5", ".sha1"))):
                archive.write(one, one.relative_to(folder))
    print(f"{bundle}: {len(published)} files, with signatures and checksums")


if __name__ == "__main__":
    main()
