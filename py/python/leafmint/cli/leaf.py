"""The command `migrate-from-leaf check`, which looks at a running Leaf and writes nothing."""

from __future__ import annotations

import os
from argparse import Namespace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import InvalidConfigError, SegmentGenerator
from .._core import _check_leaf
from .failure import USAGE
from .output import counted, printable, time_text, write_json, write_line, write_table
from .parser import Commands, add_command, add_group, unicode
from .properties import read_properties
from .stores import add_store, as_unicode, option_values, url_of
from .tags import as_document, time_of

if TYPE_CHECKING:
    from .. import TagInfo


class Node(NamedTuple):
    """A node of a Leaf server in ZooKeeper."""

    worker_id: int | None
    name: str
    reported: datetime | None
    is_live: bool


class Finding(NamedTuple):
    """What a move would clash with, or what is worth knowing before it."""

    level: str
    """Clash or warning."""
    subject: str
    text: str


def add(commands: Commands) -> None:
    """Adds the command."""
    group = add_group(commands, "migrate-from-leaf", "prepare the move from a running Leaf")
    check = add_command(
        group, "check", run, "say what a move from a Leaf would clash with, and what to do; writes nothing",
        "leafmint migrate-from-leaf check --properties leaf.properties",
    )  # fmt: skip
    check.add_argument("leaf_url", metavar="URL", nargs="?", type=unicode, help="Leaf's database, as --url")
    check.add_argument("--properties", type=Path, metavar="FILE", help="Leaf's leaf.properties, with URL and password")
    check.add_argument(
        "--snowflake-url", type=unicode, metavar="URL",
        help="URL of the holder that leafmint is to use, with its options (default: LEAFMINT_SNOWFLAKE_URL)",
    )  # fmt: skip
    check.add_argument(
        "--zookeeper", type=unicode, metavar="URL",
        help="Leaf's tree of worker ids: zookeeper://host1,host2/leaf-name (default: as in leaf.properties)",
    )  # fmt: skip
    check.add_argument(
        "--leaf-epoch", type=int, metavar="MILLIS", help="Leaf's twepoch, if it has another one than the usual"
    )
    add_store(check)


def run(args: Namespace) -> int:
    """Prints what leafmint finds, and what to do."""
    properties = read_properties(args.properties) if args.properties else {}
    flakes, tree = snowflake_url(args), tree_url(args, properties)
    uses_snowflakes = bool(flakes or tree or has(properties, "leaf.snowflake.enable"))
    ids = open_leaf(args, properties, is_needed=not (flakes or tree))
    try:
        tags, found_nodes, found, to_do = _check_leaf(ids, flakes, None, args.leaf_epoch, tree, uses_snowflakes)
        scope = ids.scope if ids else None
    finally:
        if ids:
            ids.close()
    nodes = [Node(worker_id, name, time_from(reported), live) for worker_id, name, reported, live in found_nodes]
    findings = [Finding(*finding) for finding in found]
    is_ready = not any(finding.level == "clash" for finding in findings)
    if args.json:
        document = {
            "scope": scope,
            "ready": is_ready,
            "tags": [as_document(tag) for tag in tags],
            "nodes": [{**node._asdict(), "reported": node.reported and time_text(node.reported)} for node in nodes],
            "findings": [finding._asdict() for finding in findings],
            "to_do": to_do,
        }
        write_json(document)
    else:
        show(scope, tags, nodes, findings, to_do)
    return 0 if is_ready else USAGE


def has(properties: dict[str, str], name: str) -> bool:
    """Returns whether a setting is switched on."""
    return properties.get(name, "").lower() == "true"


def tree_url(args: Namespace, properties: dict[str, str]) -> str | None:
    """Returns the URL of Leaf's tree in ZooKeeper, if it is known."""
    if args.zookeeper:
        return str(args.zookeeper)
    hosts, name = properties.get("leaf.snowflake.zk.address", "").strip(), properties.get("leaf.name")
    return f"zookeeper://{hosts}/{name}" if hosts and name and has(properties, "leaf.snowflake.enable") else None


def time_from(millis: int | None) -> datetime | None:
    """Returns a time in Unix milliseconds that a server reported, if it is one."""
    try:
        return None if millis is None else datetime.fromtimestamp(millis / 1000, timezone.utc)
    except (OverflowError, ValueError):
        return None


def snowflake_url(args: Namespace) -> str | None:
    """Returns the URL of the holder that leafmint is to use, if there is one."""
    if args.snowflake_url:
        return str(args.snowflake_url)
    url = os.environ.get("LEAFMINT_SNOWFLAKE_URL")
    return as_unicode("LEAFMINT_SNOWFLAKE_URL", url) if url else None


def open_leaf(args: Namespace, properties: dict[str, str], *, is_needed: bool) -> SegmentGenerator | None:
    """Opens the table of the Leaf that the arguments or its properties name; None if none is named, nor needed."""
    login = {"user": properties.get("leaf.jdbc.username"), "password": properties.get("leaf.jdbc.password")}
    url = args.leaf_url or args.url or properties.get("leaf.jdbc.url", "").strip()
    if not url and not is_needed and "LEAFMINT_URL" not in os.environ:
        return None
    if not url and args.properties:
        raise InvalidConfigError(f"{args.properties} has no leaf.jdbc.url: Leaf's segment mode is not in use there")
    options: dict[str, Any] = {**login, **option_values(args)}
    return SegmentGenerator(url_of(url, "LEAFMINT_URL"), **options)


def show(scope: str | None, tags: list[TagInfo], nodes: list[Node], findings: list[Finding], to_do: list[str]) -> None:
    """Prints the findings for people."""
    clashes = {finding.subject for finding in findings if finding.level == "clash"}
    if scope:
        write_line(f"{scope}\n")
        rows = [
            (tag.biz_tag, tag.max_id, tag.step, time_of(tag), "no" if tag.biz_tag in clashes else "yes") for tag in tags
        ]
        write_table(["tag", "max_id", "step", "update_time", "leafmint can take over"], rows, right=(1, 2))
        write_line()
    if nodes:
        at = [
            (it.worker_id, "yes" if it.is_live else "no", it.reported and time_text(it.reported), it.name)
            for it in nodes
        ]
        write_table(["worker_id", "live", "reported", "node"], at, right=(0,))
        write_line()
    for finding in findings:
        write_line(f"{finding.level:7}  {printable(finding.subject)}: {printable(finding.text)}")
    number = sum(finding.level == "clash" for finding in findings)
    looked_at = f"{counted(len(tags), 'tag')}, " if scope else ""
    gap = "\n" if findings else ""
    write_line(f"{gap}{looked_at}{number} to mend. Nothing was written. What to do:")
    for index, step in enumerate(to_do, 1):
        write_line(f"{index}. {printable(step)}")
