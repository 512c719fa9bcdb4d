"""Runs Waiting.java on a JDK 21 or later, if one is found; says so if there is none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
JARS = HERE.parents[1] / "jvm/java/target"
ONE_CARRIER = ["-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1"]


def version(home: Path) -> int:
    """Returns the major version of the JDK in a directory, 0 if there is none."""
    release = home / "release"
    found = re.search(r'JAVA_VERSION="(\d+)', release.read_text()) if release.exists() else None
    return int(found[1]) if found and (home / "bin/javac").exists() else 0


def main() -> int:
    """Runs the program and returns its status."""
    named = [Path(value) for name, value in os.environ.items() if name.startswith("JAVA_HOME")]
    homes = sorted({*named, *Path("/usr/lib/jvm").glob("*")}, key=version)
    if not homes or version(homes[-1]) < 21:
        print("virtual threads: no JDK 21 or later was found (set JAVA_HOME to one)")
        return 0
    jar = next(path for path in JARS.glob("leafmint-*.jar") if not path.stem.endswith(("-sources", "-javadoc")))
    with tempfile.TemporaryDirectory() as folder:
        command = [homes[-1] / "bin/java", *ONE_CARRIER, "--enable-native-access=ALL-UNNAMED", "-cp", jar]
        return subprocess.run([*command, HERE / "Waiting.java", f"{folder}/workers"]).returncode


if __name__ == "__main__":
    sys.exit(main())
