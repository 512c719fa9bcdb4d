"""Finds the compiler for a platform: the installed Rust, or Debian's with the standard library of another platform."""

from __future__ import annotations

import os
import platform as machine
import subprocess
import sys
from pathlib import Path

from platforms import BY_NAME, Platform, host
from steps import TOP, say

sys.path.append(str(TOP / "tests/servers"))

from unpacked import unpacked

# zig, maturin and the others, next to the Python that runs this.
TOOLS = Path(sys.executable).parent


def environment(platform: Platform) -> dict[str, str]:
    """Returns the variables with which cargo compiles for a platform."""
    flags = without_paths()
    if "musl" in platform.rust:
        # A library that is loaded into a process uses the C library that is there.
        flags.append("-Ctarget-feature=-crt-static")
    variables = {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}", "RUSTFLAGS": " ".join(flags)}
    if platform.name.startswith("macos"):
        variables["MACOSX_DEPLOYMENT_TARGET"] = "11.0"
    if not has_standard_library(platform):
        variables["RUSTC"] = str(debian_rustc(platform))
    return variables


def without_paths() -> list[str]:
    """Returns the flags that keep the paths of this machine, which panics name, out of a library."""
    cargo = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    return [f"--remap-path-prefix={folder}={name}" for folder, name in ((cargo, "cargo"), (TOP, "leafmint"))]


def zig_cargo(platform: Platform) -> Path:
    """Returns a script that maturin runs in place of cargo: it adds zig and the glibc.

    maturin could add zig itself. But then the path of its linker differs from that of cargo-zigbuild, and cargo would
    compile every dependency anew for Java's library, and again for the next wheel.
    """
    script = TOP / "target/toolchains" / platform.name / "cargo"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f"""#!/bin/sh
unset CARGO
[ "$1" = rustc ] || exec cargo "$@"
for argument; do
    shift
    [ "$argument" != {platform.rust} ] || argument={platform.zig_target}
    set -- "$@" "$argument"
done
exec {TOOLS}/cargo-zigbuild "$@"
""")
    script.chmod(0o755)
    return script


def linker_arguments(platform: Platform) -> list[str]:
    """Returns the last arguments of a `cargo rustc` command, which link the system's unwinder.

    zig would put LLVM's into the library. A thread that ends inside it, as those that run Python at the exit do, is
    unwound by glibc with the system's, and crashes if the library asks another one.
    """
    return ["--", "-C", f"link-arg={libgcc(platform)}"] if platform.glibc else []


def libgcc(platform: Platform) -> Path:
    """Returns the unwinder of a platform with glibc: the installed one, or that of Debian's package."""
    if platform.name == host():
        command = [os.environ.get("CC", "gcc"), "-print-file-name=libgcc_s.so.1"]
        try:
            found = Path(subprocess.run(command, capture_output=True, text=True).stdout.strip())
        except FileNotFoundError:
            sys.exit(f"{command[0]} is not installed; CONTRIBUTING.md lists what a build needs")
        if not found.is_absolute():
            sys.exit(f"{' '.join(command)} finds no such library: install gcc, or name it with CC")
        return found.resolve()
    otherwise = f": build on {platform.name} itself"
    folder = unpacked(f"libgcc-{platform.debian}", ["libgcc-s1"], otherwise, foreign=platform.debian)
    return next(folder.rglob("libgcc_s.so.1"))


def has_standard_library(platform: Platform) -> bool:
    """Returns whether the installed Rust can compile for a platform."""
    command = ["rustc", "--print", "target-libdir", "--target", platform.rust]
    try:
        printed = subprocess.run(command, capture_output=True, text=True, cwd=TOP)
    except FileNotFoundError:
        sys.exit("rustc is not installed; CONTRIBUTING.md lists what a build needs")
    return printed.returncode == 0 and any(Path(printed.stdout.strip()).glob("libstd-*.rlib"))


def debian_rustc(platform: Platform) -> Path:
    """Returns a script that runs Debian's Rust compiler with the standard library of a foreign platform.

    The packages are unpacked, not installed: installed ones would get in the way of a Rust that is there.
    """
    here = BY_NAME.get(host())
    if not platform.debian or not here or not here.debian:
        sys.exit(f"the installed Rust has no standard library for {platform.rust}: build on {platform.name} itself")
    say(f"Rust's standard library for {platform.rust}, from Debian's packages")
    otherwise = f", or a Rust with the standard library of {platform.rust}"
    compiler = unpacked(f"rust-{here.debian}", ["rustc-web"], otherwise) / "usr"
    foreign = (
        unpacked(f"rust-std-{platform.debian}", ["libstd-rust-web-dev"], otherwise, foreign=platform.debian) / "usr"
    )
    folder = TOP / "target/toolchains" / platform.name
    check_same_version(compiler, foreign, folder)
    libraries = folder / "lib/rustlib"
    libraries.mkdir(parents=True, exist_ok=True)
    for target, unpacked_to in ((here.rust, compiler), (platform.rust, foreign)):
        link = libraries / target
        link.unlink(missing_ok=True)
        link.symlink_to(unpacked_to / "lib/rustlib" / target)
    script = folder / "rustc"
    text = f"""#!/bin/sh
LD_LIBRARY_PATH={compiler}/lib/{machine.machine()}-linux-gnu exec {compiler}/bin/rustc --sysroot {folder} "$@"
"""
    # Cargo compiles everything again if the compiler's file is newer than what it compiled.
    if not script.is_file() or script.read_text() != text:
        script.write_text(text)
        script.chmod(0o755)
    return script


def check_same_version(compiler: Path, foreign: Path, folder: Path) -> None:
    """Ends if compiler and standard library come from two versions of the packages."""
    changes = [usr / "share/doc/libstd-rust-web-dev/changelog.Debian.gz" for usr in (compiler, foreign)]
    if len({file.read_bytes() for file in changes}) != 1:
        sys.exit(f"{compiler.parent} and {foreign.parent} are of two versions: remove both, and they come anew")
