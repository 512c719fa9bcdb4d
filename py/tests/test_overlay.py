"""Worker ids on an overlay of several file systems, where a directory has another inode number after each mount."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os, sys
import leafmint

with leafmint.SnowflakeGenerator(sys.argv[1], timeout="9s") as generator:
    print(generator.decode(generator.next_id()).worker_id, os.stat(sys.argv[2]).st_ino)
"""

MOUNTS = """
set -e
lower=$1/lower upper=$1/upper merged=$1/merged
mkdir $lower $upper $merged
mount --make-rprivate / 2>/dev/null && mount -t tmpfs none $lower && mount -t tmpfs none $upper || exit 125
mkdir -p $upper/files $upper/work $lower/var/ids $lower/a $lower/b
chmod 700 $lower/var/ids
overlay() { mount -t overlay overlay -o lowerdir=$lower,upperdir=$upper/files,workdir=$upper/work,xino=off $merged; }
overlay || exit 125
start() { "$2" -c "$3" "local:$merged/var/$1?workers=5-6" $merged/var/$1/default; }
start ids "$2" "$3"
start ids "$2" "$3"
umount $merged
overlay
ls -R $merged > /dev/null
start ids "$2" "$3"
cp -a $merged/var/ids $merged/var/copied
start copied "$2" "$3" 2>&1 || true
cp -al $merged/var/ids $merged/var/linked
start linked "$2" "$3" 2>&1 || true
"""


def test_a_directory_is_known_after_a_remount_and_its_copies_are_refused(tmp_path: Path) -> None:
    command = ["unshare", "--mount", "bash", "-c", MOUNTS, "bash", str(tmp_path), sys.executable, SCRIPT]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if ended.returncode == 125 or "unshare" in ended.stderr:
        pytest.skip("needs root and overlay file systems")
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    started = [line.split() for line in lines[:3]]
    assert [worker for worker, _ in started] == ["5", "5", "5"], ended.stdout
    assert started[0][1] != started[2][1], "the situation: another inode number"
    refusals = [line for line in lines if "InvalidConfigError" in line]
    assert len(refusals) == 2, ended.stdout
    assert "copied" in refusals[0]
    assert "hard links" in refusals[1]
