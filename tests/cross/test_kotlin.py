"""Programs in Kotlin: the example of the page runs, and what must not be null does not compile."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from programs import JAVA, TOP, jar

SAMPLE = TOP / "tests/lint/typed/Sample.kt"
CLASS_PATH = TOP / "tests/apps/kotlin/target/class-path.txt"
EXAMPLE = re.compile(r"^```kotlin\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NULLS = """\
import io.github.leafmint.*
import java.time.Duration

fun nulls(ids: SegmentGenerator, flakes: SnowflakeGenerator, builder: SegmentGeneratorBuilder, later: IdSource) {
    ids.tag(null)
    ids.onTag(null)
    ids.setTag("order").description(null as String?).apply()
    builder.timeout(null)
    builder.option("timeout", null)
    builder.credentials { null }
    later.nextIdAsync(null)
    Credentials(null, "password")
    val error: String = ids.tag("order").stats().lastError()
    val supply: Duration = ids.stats().tags()["order"]!!.supply()
    val description: String = ids.listTags()[0].description()
    val worker: Long = flakes.stats().workerId()
    val skew: Duration = flakes.check().clockSkew()
}
"""

TYPED_ID = """\
import io.github.leafmint.ids.*

@IdForm(prefix = "order")
class OrderId(value: Long) : TypedId(value)

fun main() {
    val ids = TypedIds.of(IdKeys.of(IdKeys.generate(1)))
    val id: OrderId = ids.parse(OrderId::class.java, ids.text(OrderId(42)))
    println(id == OrderId(42) && id.value() == 42L && id < OrderId(43))
}
"""

pytestmark = pytest.mark.long


def class_path() -> str:
    """Returns the class path of programs and of the compiler."""
    assert CLASS_PATH.exists(), f"{CLASS_PATH} is missing: run `make jars DEPTH=all` first"
    return os.pathsep.join([str(jar()), CLASS_PATH.read_text().strip()])


def compile_kotlin(text: str, scratch: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Compiles a program to the directory `classes`."""
    source = scratch / "Program.kt"
    source.write_text(text)
    compiler = ["java", "-cp", class_path(), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect"]
    target = ["-jvm-target", "17", "-cp", class_path(), "-d", str(scratch / "classes"), str(source)]
    return subprocess.run([*compiler, *options, *target], capture_output=True, text=True)


def output(text: str, scratch: Path) -> list[str]:
    """Compiles and runs a program, and returns the lines that it prints."""
    compiled = compile_kotlin(text, scratch)
    assert compiled.returncode == 0, compiled.stderr
    path = f"{scratch / 'classes'}{os.pathsep}{class_path()}"
    run = subprocess.run([*JAVA, "-cp", path, "ProgramKt"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_the_example_of_the_page_prints_what_it_says(tmp_path: Path) -> None:
    (example,) = EXAMPLE.findall((TOP / "docs/java.md").read_text())
    assert output(example, tmp_path) == re.findall(r"// prints (.*)", example)


def test_a_class_of_kotlin_is_a_typed_id(tmp_path: Path) -> None:
    assert output(TYPED_ID, tmp_path) == ["true"]


def test_all_that_an_application_calls_compiles_without_a_warning(tmp_path: Path) -> None:
    compiled = compile_kotlin(SAMPLE.read_text(), tmp_path, "-Werror")
    assert compiled.returncode == 0, compiled.stderr


def test_each_null_that_is_not_allowed_is_an_error_of_the_compiler(tmp_path: Path) -> None:
    compiled = compile_kotlin(NULLS, tmp_path)
    refused = {int(line) for line in re.findall(r"Program\.kt:(\d+):\d+: error", compiled.stderr)}
    first, last = 5, NULLS.count("\n") - 1
    assert refused == set(range(first, last + 1)), compiled.stderr
