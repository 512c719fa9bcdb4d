"""The programs in Java whose starts are measured, on the class path, the module path, and with an archive of classes.

mvn -f jvm/pom.xml -Pdist -DskipTests package
"""

from __future__ import annotations

import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
LEAFMINT = TOP / "jvm/java/target/leafmint-0.1.0.jar"
SOURCES = TOP / "bench/start"
BUILT = TOP / "target/bench/start"
LIBRARIES = BUILT / "lib"
PROGRAM = BUILT / "program.jar"
MODULES = {
    "with": "module start { requires io.github.leafmint; requires java.sql; requires org.slf4j; }",
    "without": "module start {}",
}
JAVA = ["java", "-Dslf4j.internal.verbosity=ERROR"]
"""Without the warning that no logger is there."""
NATIVE_LIBRARY = "libleafmint_jni.*"


def run(*command: str | Path) -> None:
    """Runs a step of the build."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def class_path() -> str:
    """Returns the class path of all programs, with leafmint or without it."""
    return ":".join(str(each) for each in (PROGRAM, LEAFMINT, *sorted(LIBRARIES.glob("*.jar"))))


def build() -> None:
    """Fetches the libraries, and compiles the programs once as a JAR and once for each module."""
    needed = ["-DincludeArtifactIds=slf4j-api,postgresql", f"-DoutputDirectory={LIBRARIES}"]
    run("mvn", "-B", "-q", "-f", TOP / "jvm/pom.xml", "-pl", "java", "dependency:copy-dependencies", *needed)
    classes = BUILT / "classes"
    run("javac", "-cp", class_path(), "-d", classes, *SOURCES.glob("*.java"))
    run("jar", "--create", "--file", PROGRAM, "-C", classes, ".")
    for name, text in MODULES.items():
        source = BUILT / name / "module-info.java"
        source.parent.mkdir(exist_ok=True)
        source.write_text(text)
        needs = [SOURCES / f"{each}.java" for each in (["Empty", "FirstSnowflake"] if name == "with" else ["Empty"])]
        run("javac", "-p", f"{LEAFMINT}:{LIBRARIES}", "-d", BUILT / name / "classes", source, *needs)
    run("unzip", "-qoj", LEAFMINT, f"native/*/{NATIVE_LIBRARY}", "-d", BUILT)


def on_class_path(main: str, *arguments: str, options: tuple[str, ...] = ()) -> list[str]:
    """Returns the command of a program on the class path."""
    return [*JAVA, *options, "-cp", class_path(), f"start.{main}", *arguments]


def on_module_path(module: str, main: str, *arguments: str) -> list[str]:
    """Returns the command of a program on the module path."""
    path = [BUILT / module / "classes", *([LEAFMINT, LIBRARIES] if module == "with" else [])]
    return [*JAVA, "-p", ":".join(map(str, path)), "-m", f"start/start.{main}", *arguments]


def archived(main: str, url: str) -> tuple[str, ...]:
    """Archives the classes of a program, and returns the option that uses them."""
    archive = BUILT / f"{main}.jsa"
    run(*on_class_path(main, url, options=(f"-XX:ArchiveClassesAtExit={archive}",)))
    return (f"-XX:SharedArchiveFile={archive}",)


def unpacked() -> tuple[str, ...]:
    """Returns the option that loads the native library from where it was unpacked."""
    (library,) = BUILT.glob(NATIVE_LIBRARY)
    return (f"-Dleafmint.native.path={library}",)
