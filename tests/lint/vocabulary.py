"""Checks that what repeats options, events and meters is as this program writes it, or writes it, with `--write`.

The core declares each option once, in core/leafmint/src/config/options.rs, and each event in
core/engine/src/runtime/events/kind.rs; meters are in py/python/leafmint/_internal/meters.py. Written from there: the
keywords of the generators in Python, the methods of the builders in Java, the properties of the Spring Boot starter,
the vector of the meters, and the tables of the pages. The Python binding must be built.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import leafmint
from leafmint import _core
from leafmint._internal.meters import METERS, Meter

TOP = Path(__file__).parents[2]
COMMAND = "tests/lint/vocabulary.py"
STARTER = "jvm/spring-boot-starter/src/main"
CORE_OF_JAVA = "jvm/java/src/main/java/io/github/leafmint"
MODES = {"segment": leafmint.SEGMENT_OPTIONS, "snowflake": leafmint.SNOWFLAKE_OPTIONS}

DURATION, COLLECTION = "_Duration", "str | Sequence[str] | AbstractSet[str]"
PYTHON = {
    "duration": DURATION,
    "count": "int",
    "time": "_Epoch",
    "boolean": "bool",
    "list": COLLECTION,
    "map": COLLECTION,
}
PYTHON |= {"choice": "str", "text": "str", "path": "str | PathLike[str]"}
WORKERS = "int | str"
"""The type of `workers`: one worker id is an int."""

JAVA = {"duration": "Duration", "count": "long", "time": "Instant", "boolean": "boolean", "map": "Map<String, Long>"}
JAVA |= {"text": "String", "path": "String", "list": "String..."}
ENUMS = {"clock": "SnowflakeClock"}
"""The enums of Java whose names are not those of their options: `Clock` is java.time's."""


def camel(name: str) -> str:
    """Returns a name in camel case."""
    return re.sub(r"_(\w)", lambda letter: letter[1].upper(), name)


def java(it: leafmint.OptionSpec) -> str:
    """Returns the type of an option in Java. The enums are written by hand, since each constant has a comment."""
    return JAVA[it.shape] if it.shape != "choice" else ENUMS.get(it.name) or camel(f"_{it.name}")


def kebab(name: str) -> str:
    """Returns a name with hyphens."""
    return name.replace("_", "-")


def sentence(text: str) -> str:
    """Returns a phrase as a sentence."""
    return f"{text[0].upper()}{text[1:]}."


def comment(indent: str, *paragraphs: str) -> str:
    """Returns a comment of Java, in lines of at most 120 characters."""
    start = f"{indent} * "
    lines: list[str] = []
    for paragraph in paragraphs:
        later = start + ("    " if paragraph.startswith("@") else "")
        # A line does not end inside {@code …}.
        text = re.sub(r"\{@\w+ ", lambda tag: tag[0].replace(" ", "\0"), paragraph)
        wrapped = textwrap.wrap(text, 120, initial_indent=start, subsequent_indent=later, break_on_hyphens=False)
        lines += wrapped or [start.rstrip()]
    return "\n".join([f"{indent}/**", *lines, f"{indent} */"]).replace("\0", " ")


# Python


def keywords(mode: str) -> str:
    """Returns the keywords of a generator in the stub."""
    return "".join(f"        {it.name}: {python_type(it)} | None = None,\n" for it in MODES[mode])


def python_type(it: leafmint.OptionSpec) -> str:
    """Returns the type of an option in the stub."""
    if it.shape == "choice":
        return f"Literal[{', '.join(json.dumps(word) for word in it.values.split(', '))}]"
    return WORKERS if it.name == "workers" else PYTHON[it.shape]


def signature(mode: str) -> str:
    """Returns the text of the signature of a generator, as a literal of Rust."""
    names = [f"{it.name}=None" for it in MODES[mode]]
    text = f'text_signature = "(url, *, {", ".join([*names, "credentials=None"])})")]'
    lines = textwrap.wrap(text, 95, break_on_hyphens=False)
    return f" \\\n{29 * ' '}".join(lines)


# Java


def in_javadoc(it: leafmint.OptionSpec) -> str:
    """Returns what is said of an option in front of its method."""
    default = f"{{@code {it.default}}}" if it.default == it.default_words else it.default_words
    meaning = it.meaning.replace("@", "{@literal @}")
    return f"Sets {{@code {it.name}}}: {meaning}. Default: {default}."


def method(builder: str, it: leafmint.OptionSpec) -> str:
    """Returns the method of a builder that sets an option."""
    name, kind = camel(it.name), java(it)
    values = {"text": "the text", "list": "texts, which may contain commas", "time": "1970 or later"}
    of = values.get(it.shape, it.values)
    value = name if kind in ("long", "boolean") else f'requireNonNull({name}, "{name}")'
    return (
        f"{comment('    ', in_javadoc(it), '', f'@param {name} {of}', '@return this builder')}\n"
        f"    public {builder} {name}({kind} {name}) {{\n"
        f'        return option("{it.name}", {value});\n'
        f"    }}\n"
    )


def methods(mode: str) -> str:
    """Returns the methods of a builder."""
    return "\n".join(method(f"{mode.capitalize()}GeneratorBuilder", it) for it in MODES[mode])


# Spring Boot


class Property(NamedTuple):
    """A property of the starter."""

    name: str
    kind: str
    value: str
    default: str
    words: str
    meaning: str
    option: str | None = None

    def described(self) -> str:
        """Returns its description for IDEs."""
        return self.meaning + (f" Default: {self.words}." if self.words and self.words != self.default else "")


def switch(name: str, default: str, words: str, meaning: str) -> Property:
    """Returns a property that is true or false and not an option."""
    kind = f'@DefaultValue("{default}") boolean' if default else "Boolean"
    return Property(name, kind, "true or false", default, words or default, meaning)


ACCOUNT = [
    Property("username", "String", "text", "", "the one in the URL", "Account of the URL."),
    Property("password", "String", "text", "", "the one in the URL", "Password of the account."),
]
NAMED = "Bean to lease through, or target of a DataSource that routes."
TAGS = Property("tags", "@DefaultValue Map<String, Tag>", "map", "", "none", "Tags, by name.")
SERIES = Property("series", "@DefaultValue Map<String, NumberSeries>", "map", "", "none", "Series of numbers, by name.")
OWN = {
    "segment": [
        switch("enabled", "true", "", "Whether a segment generator is configured."),
        Property("url", "String", "text", "", "none: the data source", "Store of the ids."),
        Property("data_source", "String", "text", "", "the only or primary one", NAMED),
        *ACCOUNT,
        switch("init_schema", "false", "", "Whether missing tables are created at start, after Flyway and Liquibase."),
        TAGS,
        SERIES,
    ],
    "snowflake": [
        switch(
            "enabled", "", "true if a URL or a data source is named", "Whether a snowflake generator is configured."
        ),
        Property("url", "String", "text", "", "that of the segments", "Holder of the worker ids."),
        Property("data_source", "String", "text", "", "that of the segments", NAMED),
        *ACCOUNT,
    ],
}
NO_PROPERTIES = {"username", "password", "eager_tags", "close_at_exit"}
"""The options that the starter sets by other means."""


def of_option(it: leafmint.OptionSpec) -> Property:
    """Returns the property of an option."""
    boxes = {"long": "Long", "boolean": "Boolean"}
    kind = boxes.get(java(it), java(it))

    def renamed(text: str) -> str:
        options = {*leafmint.SEGMENT_OPTIONS, *leafmint.SNOWFLAKE_OPTIONS}
        choices = {word for other in options if other.shape == "choice" for word in other.values.split(", ")}
        for word in {other.name for other in options} | choices:
            text = re.sub(rf"\b{word}\b", kebab(word), text)
        return text

    words = renamed(it.default_words)
    return Property(it.name, kind, value_cell(it, kebab), it.default, words, sentence(renamed(it.meaning)), it.name)


def properties(mode: str) -> list[Property]:
    """Returns the properties of a generator."""
    return OWN[mode] + [of_option(it) for it in MODES[mode] if it.name not in NO_PROPERTIES]


def record(mode: str) -> str:
    """Returns the beginning of the record of the properties, with the method that passes them on."""
    of = properties(mode)
    about = [f"@param {camel(it.name)} {it.described()}" for it in of]
    components = ",\n".join(f"            {it.kind} {camel(it.name)}" for it in of)
    set_all = "\n                    ".join(f'.set("{it.option}", {camel(it.name)})' for it in of if it.option)
    return (
        f"{comment('    ', f'The properties {{@code leafmint.{mode}.*}}.', '', *about)}\n"
        f"    public record {mode.capitalize()}(\n{components}) {{\n"
        f"        /** Passes on the options whose properties are set. */\n"
        f"        void passTo(OptionSetter options) {{\n"
        f"            options{set_all};\n"
        f"        }}\n"
    )


def metadata(text: str) -> str:
    """Returns the metadata for IDEs with the defaults of the options."""
    parts = json.loads(text)
    prefixes = tuple(f"leafmint.{mode}." for mode in MODES)
    others = [it for it in parts["properties"] if not it["name"].startswith(prefixes)]
    defaults = [
        {
            "name": f"leafmint.{mode}.{kebab(it.name)}",
            "defaultValue": json.loads(it.default) if it.kind in ("Boolean", "Long") else it.default,
        }
        for mode in MODES
        for it in properties(mode)
        if it.option and it.default
    ]
    return json.dumps(parts | {"properties": defaults + others}, indent=2) + "\n"


# Pages


def value_cell(it: leafmint.OptionSpec, spell: Callable[[str], str] = str) -> str:
    """Returns the cell of a table that says which values an option takes."""
    if it.shape == "choice":
        return ", ".join(f"`{spell(word)}`" for word in it.values.split(", "))
    return it.values if it.shape in ("count", "boolean") else it.shape


def row(name: str, value: str, default: str, words: str, *meaning: str) -> str:
    """Returns a row of a table."""
    cells = [f"`{name}`", value, f"`{default}`" if default and default == words else words, *meaning]
    return f"| {' | '.join(cells)} |\n"


def option_rows(mode: str) -> str:
    """Returns the table of the options of one generator alone, or of both."""
    shared = [it for it in MODES["segment"] if it in MODES["snowflake"]]
    of = [it for it in MODES[mode] if it not in shared] if mode in MODES else shared
    rows = [row(it.name, value_cell(it), it.default, it.default_words, it.meaning) for it in of]
    return "".join(["\n| option | value | default | meaning |\n|---|---|---|---|\n", *rows, "\n"])


def event_rows() -> str:
    """Returns the table of the events."""
    rows = [f"| `{name}` | {level.lower()} | {meaning} |\n" for name, level, meaning in _core._EVENTS]
    return "".join(["\n| event | level | when |\n|---|---|---|\n", *rows, "\n"])


def prometheus(meter: Meter) -> str:
    """Returns the name of a meter in Prometheus."""
    return meter.family + ("_total" if meter.type == "counter" else "")


PARTS_OF_METERS = {"segment": ("tag",), "store": ("segments", "reason"), "read": ("holder", "key", "read")}
"""What the meters of a table are of, unless that is its name."""


def meter_rows(mode: str) -> str:
    """Returns the table of the meters of a tag, a segment generator, a snowflake generator, or what stores say."""
    of = [meter for meter in METERS if meter.of in PARTS_OF_METERS.get(mode, (mode,))]
    rows = [f"| `{prometheus(it)}` | `{it.name}` | `{it.figure}` | {it.meaning} |\n" for it in of]
    titles = "| Prometheus | OpenTelemetry, Micrometer | in `stats()` | meaning |\n|---|---|---|---|\n"
    return "".join(["\n", titles, *rows, "\n"])


def meter_vector(_: str) -> str:
    """Returns the vector of the meters, which Java and the dashboards are tested against."""
    keys = ("type", "unit", "labels", "of", "figure", "meaning")
    of = [{"name": it.name, "prometheus": prometheus(it)} | {key: getattr(it, key) for key in keys} for it in METERS]
    return "[\n" + ",\n".join(f"  {json.dumps(it)}" for it in of) + "\n]\n"


def property_rows(mode: str) -> str:
    """Returns the table of the starter's own properties of a generator, and the names of those that are options."""
    name = f"leafmint.{mode}."
    titles = "| property | value | default | meaning |\n|---|---|---|---|\n"
    rows = [row(name + kebab(it.name), it.value, it.default, it.words, it.meaning) for it in OWN[mode]]
    options = ",\n".join(f"`{name}{kebab(it.name)}`" for it in properties(mode) if it.option)
    said = f"The others are the [options](options.md#options-of-a-{mode}-generator) of these names:"
    return f"\n{titles}{''.join(rows)}\n{said}\n{options}.\n\n"


# Files


def replaced(text: str, name: str, content: str) -> str:
    """Returns the text with what stands between the marks of this name and of the end."""
    begin, end = f"{COMMAND}: {name}", "End of what is generated"
    marked = re.compile(rf"(?<=\n)([^\n]*{re.escape(begin)}[^\n]*\n).*?(\n?[^\n]*{end})", re.DOTALL)
    new, count = marked.subn(lambda found: f"{found[1]}{content}{found[2].removeprefix(chr(10))}", text)
    if count != 1:
        sys.exit(f"{count} places are marked with {begin!r}")
    return new


def generated() -> dict[Path, str]:
    """Returns the content of each file."""
    files: dict[Path, str] = {}

    def edit(path: str, change: Callable[[str], str]) -> None:
        file = TOP / path
        files[file] = change(files.get(file) or file.read_text(encoding="utf-8"))

    def write(path: str, mode: str, content: Callable[[str], str], what: str = "options") -> None:
        edit(path, lambda text: replaced(text, f"{mode} {what}", content(mode)))

    for mode in MODES:
        write("py/python/leafmint/_core.pyi", mode, keywords)
        write(f"{CORE_OF_JAVA}/{mode.capitalize()}GeneratorBuilder.java", mode, methods)
        write(f"{STARTER}/java/io/github/leafmint/spring/boot/LeafmintProperties.java", mode, record)
        write("docs/reference/spring-properties.md", mode, property_rows)
        write("docs/reference/metrics.md", mode, meter_rows, "meters")
        literal = re.compile(r'text_signature = "\(url, \*, .*?credentials=None\)"\)\]', re.DOTALL)
        edit(f"py/src/{mode}.rs", lambda text, mode=mode, it=literal: it.sub(lambda _: signature(mode), text))
    for mode in ("shared", *MODES):
        write("docs/reference/options.md", mode, option_rows)
    for mode in ("store", "read"):
        write("docs/reference/metrics.md", mode, meter_rows, "meters")
    edit("docs/reference/events.md", lambda text: replaced(text, "events", event_rows()))
    edit("tests/vectors/meters.json", meter_vector)
    edit(f"{STARTER}/resources/META-INF/additional-spring-configuration-metadata.json", metadata)
    return files


def main() -> None:
    """Checks the files, or writes them."""
    wrong = {file: text for file, text in generated().items() if file.read_text(encoding="utf-8") != text}
    if sys.argv[1:] == ["--write"]:
        for file, text in wrong.items():
            file.write_text(text, encoding="utf-8")
    elif wrong:
        names = ", ".join(str(file.relative_to(TOP)) for file in wrong)
        sys.exit(f"{names}: out of date; run .venv/bin/python {COMMAND} --write")


if __name__ == "__main__":
    main()
