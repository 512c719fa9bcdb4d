"""A Debian of another architecture, unpacked from its packages, whose programs run under qemu-user.

Nothing is installed and nothing of the machine changes: the programs run in namespaces of their own, in which the
kernel knows qemu as the interpreter of that architecture (binfmt_misc in a user namespace: Linux 6.7 or later). So the
programs can start others, as many tests do.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from commands import TOP, run

sys.path.append(str(TOP / "tests/servers"))

from unpacked import unpacked

# libc-bin has the locale C.UTF-8, without which Java cannot name files in other scripts.
PACKAGES = ["python3", "openjdk-17-jre-headless", "bash", "coreutils", "util-linux", "procps", "libc-bin"]
OTHERWISE = ", or leave this part out"
# The first bytes of a program for aarch64, and which bits of them count.
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
JAVA = "/usr/lib/jvm/java-17-openjdk-arm64/bin/java"
PYTHON = "/usr/bin/python3"


class ForeignDebian:
    """An unpacked Debian for arm64, in a folder of its own that tests can write to."""

    def __init__(self, folder: Path) -> None:
        qemu = unpacked("qemu-user-static", ["qemu-user-static"], OTHERWISE)
        self.qemu = qemu / "usr/bin/qemu-aarch64-static"
        self.root = folder / "root"
        packages = unpacked("debian-arm64", PACKAGES, OTHERWISE, foreign="arm64")
        shutil.copytree(packages, self.root, symlinks=True)
        (self.root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/sh\n")
        (self.root / "etc/group").write_text("root:x:0:\nnogroup:x:65534:\n")
        (self.root / "etc/hosts").write_text("127.0.0.1 localhost\n")
        (self.root / "opt").mkdir(exist_ok=True)
        (self.root / "bin/sh").unlink(missing_ok=True)
        (self.root / "bin/sh").symlink_to("bash")

    def command(self, command: Sequence[str | Path], folder: str = "/") -> list[str]:
        """Returns the command that runs a command of the foreign Debian in one of its folders."""
        register = f":aarch64:M::{MAGIC}:{MASK}:{self.qemu}:F"
        root = shlex.quote(str(self.root))
        script = f"""
            mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
            printf %s {shlex.quote(register)} > /proc/sys/fs/binfmt_misc/register
            mkdir -p {root}/proc {root}/dev
            mount --rbind /proc {root}/proc
            mount --rbind /dev {root}/dev
            exec chroot {root} /bin/sh -c 'cd "$0" && exec "$@"' {shlex.quote(folder)} "$@"
        """
        namespaces = ["unshare", "--user", "--map-root-user", "--mount", "--propagation", "private"]
        return [*namespaces, "bash", "-euc", script, "bash", *map(str, command)]

    def run(self, command: Sequence[str | Path], folder: str = "/", **environment: str) -> str:
        """Runs a command of the foreign Debian and returns its output; ends with the output if it fails."""
        variables = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root", "LANG": "C.UTF-8", **environment}
        # The tools of this machine are looked up before the root changes.
        variables["PATH"] += os.pathsep + os.environ["PATH"]
        return run(self.command(command, folder), self.root, variables)


def works() -> str:
    """Returns why programs of another architecture cannot run here, or nothing."""
    probe = "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc"
    command = ["unshare", "--user", "--map-root-user", "--mount", "--propagation", "private", "sh", "-c", probe]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return "util-linux's unshare is missing"
    return "" if done.returncode == 0 else f"no binfmt_misc in a user namespace ({done.stderr.strip()})"
