"""The command `migrate-from-leaf check`, which reads the table of a running Leaf and writes nothing."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import InvalidConfigError, SegmentGenerator
from .failure import USAGE
from .output import counted, printable, write_json, write_line, write_table
from .parser import Commands, add_command, add_group, unicode
from .stores import add_store, option_values, url_of
from .tags import as_document, time_of

if TYPE_CHECKING:
    from .. import TagInfo

LARGE_STEP = 100_000
"""A step from here on was set for a whole fleet: with leafmint every process leases it."""
INT_END = 2**31
INT_NEAR = 1_500_000_000
JAVASCRIPT_END = 2**53

SEGMENTS = [
    "Give the service an account of its own: GRANT SELECT (biz_tag, max_id, step), UPDATE (max_id) ON {table}",
    'Replace GET /api/segment/get/{tag} by biz_tag("{tag}").next_id() in Python, bizTag("{tag}").nextId() in Java',
    "Deploy service by service: Leaf and leafmint lease from the same rows, and no id repeats",
    "Stop the Leaf servers when the last caller is gone",
]
SNOWFLAKES = (
    "Leaf's snowflakes: leafmint does not read its ZooKeeper tree. Give leafmint worker ids that no Leaf server has "
    "(option workers), or stop the Leaf servers first"
)


def add(commands: Commands) -> None:
    """Adds the command."""
    group = add_group(commands, "migrate-from-leaf", "prepare the move from a running Leaf")
    check = add_command(
        group, "check", run, "say for each tag of a Leaf whether leafmint can take over; writes nothing",
        "leafmint migrate-from-leaf check --properties leaf.properties",
    )  # fmt: skip
    check.add_argument("leaf_url", metavar="URL", nargs="?", type=unicode, help="Leaf's database, as --url")
    check.add_argument("--properties", type=Path, metavar="FILE", help="Leaf's leaf.properties, with URL and password")
    add_store(check)


def run(args: Namespace) -> int:
    """Prints what leafmint finds, and what to do."""
    properties = read_properties(args.properties) if args.properties else {}
    with open_leaf(args, properties) as ids:
        tags, scope = ids.list_tags(), ids.scope
    to_do = to_do_list(tags, properties, option_values(args).get("table", "leaf_alloc"))
    if args.json:
        document = [{**as_document(tag), "advice": advice(tag)} for tag in tags]
        write_json({"scope": scope, "ready": ready(tags), "tags": document, "to_do": to_do})
    else:
        show(scope, tags, to_do)
    return 0 if ready(tags) else USAGE


def read_properties(path: Path) -> dict[str, str]:
    """Reads the settings of a Leaf server."""
    properties = {}
    for line in path.read_text(errors="replace").splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.lstrip().startswith(("#", "!")):
            properties[name.strip()] = value.strip().replace("\\:", ":").replace("\\=", "=")
    return properties


def open_leaf(args: Namespace, properties: dict[str, str]) -> SegmentGenerator:
    """Opens the table of the Leaf that the arguments or its properties name."""
    login = {"user": properties.get("leaf.jdbc.username"), "password": properties.get("leaf.jdbc.password")}
    if args.properties and "leaf.jdbc.url" not in properties:
        raise InvalidConfigError(f"{args.properties} has no leaf.jdbc.url: Leaf's segment mode is not in use there")
    url = url_of(args.leaf_url or args.url or properties.get("leaf.jdbc.url"), "LEAFMINT_URL")
    return SegmentGenerator(url, **{**login, **option_values(args)})


def ready(tags: list[TagInfo]) -> bool:
    """Returns whether leafmint can mint from every tag as it is."""
    return not any(tag.problem for tag in tags)


def advice(tag: TagInfo) -> list[str]:
    """Returns what to know about a tag that can be taken over."""
    found = []
    if tag.gene_bits:
        found.append("it has gene bits, which Leaf does not know: no Leaf server may use it")
    if tag.step is not None and tag.step >= LARGE_STEP:
        found.append(
            f"every process leases {tag.step:,} ids at once: lower the step if it was set for a few Leaf servers"
        )
    if tag.max_id is not None and INT_NEAR <= tag.max_id < INT_END:
        found.append("it nears 2^31: max_id, and every column that stores its ids, must be BIGINT")
    if tag.max_id is not None and tag.max_id >= JAVASCRIPT_END:
        found.append("its ids are above 2^53, which JavaScript rounds: send them as strings")
    return found


def to_do_list(tags: list[TagInfo], properties: dict[str, str], table: str) -> list[str]:
    """Returns the steps of the move."""
    steps = [f"Mend {tag.biz_tag}: {tag.problem}" for tag in tags if tag.problem]
    example = next((tag.biz_tag for tag in tags if not tag.problem), "order")
    steps += [step.format(table=table, tag=example) for step in SEGMENTS]
    return [*steps, SNOWFLAKES] if properties.get("leaf.snowflake.enable", "").lower() == "true" else steps


def show(scope: str, tags: list[TagInfo], to_do: list[str]) -> None:
    """Prints the findings for people."""
    write_line(f"{scope}\n")
    rows = [(tag.biz_tag, tag.max_id, tag.step, time_of(tag), "no" if tag.problem else "yes") for tag in tags]
    write_table(["tag", "max_id", "step", "update_time", "leafmint can take over"], rows, right=(1, 2))
    for tag in tags:
        for text in advice(tag):
            write_line(f"\n{printable(tag.biz_tag)}: {text}")
    broken = sum(tag.problem is not None for tag in tags)
    write_line(f"\n{counted(len(tags), 'tag')}, {broken} to mend. Nothing was written. What to do:")
    for number, step in enumerate(to_do, 1):
        write_line(f"{number}. {printable(step)}")
