"""The platforms that leafmint is built for, and what each part of the build calls them."""

from __future__ import annotations

import platform
from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """A platform with its place in the JAR (`name`), Rust's target and the tag that its wheels claim."""

    name: str
    rust: str
    wheel_tag: str
    library: str = "libleafmint_jni.so"
    glibc: str = ""
    """The oldest glibc that it must run on; zig links against that one, whatever the building machine has."""
    debian: str = ""
    """What Debian calls the architecture."""

    @property
    def zig_target(self) -> str:
        """Rust's target with the glibc, as cargo-zigbuild writes it."""
        return f"{self.rust}.{self.glibc}" if self.glibc else self.rust


ALL = [
    Platform("linux-x86_64", "x86_64-unknown-linux-gnu", "manylinux2014", glibc="2.17", debian="amd64"),
    Platform("linux-aarch64", "aarch64-unknown-linux-gnu", "manylinux2014", glibc="2.17", debian="arm64"),
    Platform("linux-musl-x86_64", "x86_64-unknown-linux-musl", "musllinux_1_2"),
    Platform("linux-musl-aarch64", "aarch64-unknown-linux-musl", "musllinux_1_2"),
    Platform("macos-aarch64", "aarch64-apple-darwin", "", library="libleafmint_jni.dylib"),
    Platform("macos-x86_64", "x86_64-apple-darwin", "", library="libleafmint_jni.dylib"),
]
BY_NAME = {one.name: one for one in ALL}
# What one Debian machine builds. The others need machines of their own: the release workflow has them.
HERE = ["linux-x86_64", "linux-aarch64"]


def host() -> str:
    """Returns the name of the platform of this machine."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if platform.system() == "Darwin":
        return f"macos-{machine}"
    libc = "" if platform.libc_ver()[0] == "glibc" else "musl-"
    return f"{platform.system().lower()}-{libc}{machine}"
