"""The command `migrate leaf check`, which looks at a running Leaf and writes nothing."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from .. import InvalidConfigError, SegmentGenerator
from .._core import _check_leaf
from .._internal.json_records import tag_record, time_text
from .failure import FINDINGS
from .hosts import chosen, heading
from .output import counted, printable, write_json, write_line, write_table
from .parser import Commands, add_command, add_group, unicode
from .properties import read_properties
from .stores import Place, add_store, is_named, option_values, place_of

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
    group = add_group(commands, "leaf", "prepare the move from a running Leaf")
    check = add_command(
        group, "check", run, "say what a move from a Leaf would clash with, and what to do; writes nothing",
        "leafmint migrate leaf check --properties leaf.properties",
    )  # fmt: skip
    check.add_argument("--properties", type=Path, metavar="FILE", help="Leaf's leaf.properties, with URL and password")
    check.add_argument(
        "--snowflake-url", type=unicode, metavar="URL",
        help="URL of leafmint's holder, with its options (default: LEAFMINT_SNOWFLAKE_URL)",
    )  # fmt: skip
    check.add_argument(
        "--zookeeper", type=unicode, metavar="URL",
        help="Leaf's tree of worker ids: zookeeper://host1,host2/leaf-name (default: as in leaf.properties)",
    )  # fmt: skip
    check.add_argument("--leaf-epoch", metavar="TIME", help="Leaf's twepoch, if it is not the usual one")
    add_store(check)


def run(args: Namespace) -> int:
    """Prints what leafmint finds, and what to do."""
    properties = read_properties(args.properties) if args.properties else {}
    flakes, tree = holder_of(args), tree_url(args, properties)
    uses_snowflakes = bool(flakes or tree or has(properties, "leaf.snowflake.enable"))
    ids = open_leaf(args, properties, is_needed=not (flakes or tree))
    try:
        tags, found_nodes, found, to_do = _check_leaf(
            ids, *arguments_of(flakes), args.leaf_epoch, tree, uses_snowflakes
        )
        scope, host, head = (ids.scope, ids.stats().host, heading(ids)) if ids else (None, None, None)
    finally:
        if ids:
            ids.close()
    nodes = [Node(worker_id, name, time_from(reported), live) for worker_id, name, reported, live in found_nodes]
    findings = [Finding(*finding) for finding in found]
    is_ready = not any(finding.level == "clash" for finding in findings)
    if args.json:
        document = {
            "scope": scope,
            "host": host,
            "ready": is_ready,
            "tags": [tag_record(tag) for tag in tags],
            "nodes": [{**node._asdict(), "reported": node.reported and time_text(node.reported)} for node in nodes],
            "findings": [finding._asdict() for finding in findings],
            "to_do": to_do,
        }
        write_json(document)
    else:
        show(head, tags, nodes, findings, to_do)
    return 0 if is_ready else FINDINGS


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


def holder_of(args: Namespace) -> Place | None:
    """Returns the holder that leafmint is to use, if there is one."""
    if not args.snowflake_url and not is_named(args, "LEAFMINT_SNOWFLAKE_URL"):
        return None
    return place_of(args, args.snowflake_url, "LEAFMINT_SNOWFLAKE_URL")


def arguments_of(holder: Place | None) -> tuple[Any, dict[str, Any] | None]:
    """Returns what names a holder and its options."""
    return (holder.source, dict(holder.snowflake_options)) if holder else (None, None)


def open_leaf(args: Namespace, properties: dict[str, str], *, is_needed: bool) -> SegmentGenerator | None:
    """Opens the table of the Leaf that the arguments or its properties name; None if none is named, nor needed."""
    login = {"username": properties.get("leaf.jdbc.username"), "password": properties.get("leaf.jdbc.password")}
    url = args.url or properties.get("leaf.jdbc.url", "").strip()
    if not url and not is_needed and not is_named(args, "LEAFMINT_URL"):
        return None
    if not url and args.properties:
        raise InvalidConfigError(f"{args.properties} has no leaf.jdbc.url: Leaf's segment mode is not in use there")
    place = chosen(args, place_of(args, url, "LEAFMINT_URL"))
    return SegmentGenerator(source_of(place), **{**login, **place.options, **option_values(args)})


def source_of(place: Place) -> Any:
    """Returns what a place names, a URL as leafmint reads it."""
    return native_url(place.source) if isinstance(place.source, str) else place.source


def native_url(url: str) -> str:
    """Returns the URL of Leaf's JDBC driver as leafmint reads it.

    What the driver is told besides log-in and encryption changes nothing for a look at the table.
    """
    if not url.startswith("jdbc:"):
        return url
    location, _, query = url.removeprefix("jdbc:").partition("?")
    told = {name.lower(): value for name, value in parse_qsl(query)}
    is_true = {name for name, value in told.items() if value.lower() == "true"}
    mode = told.get("sslmode") or ("required" if is_true & {"usessl", "requiressl"} else None)
    if "verifyservercertificate" in is_true and (mode or "required").lower() == "required":
        mode = "verify_ca"
    kept = {"username": told.get("user"), "password": told.get("password"), "ssl-mode": mode}
    text = urlencode({name: value for name, value in kept.items() if value is not None}, quote_via=quote)
    return f"{location}?{text}" if text else location


def show(head: str | None, tags: list[TagInfo], nodes: list[Node], findings: list[Finding], to_do: list[str]) -> None:
    """Prints the findings for people."""
    clashes = {finding.subject for finding in findings if finding.level == "clash"}
    if head:
        write_line(f"{head}\n")
        changed = [tag_record(tag)["update_time"] for tag in tags]
        rows = [
            (tag.name, tag.max_id, tag.step, at, "no" if tag.name in clashes else "yes")
            for tag, at in zip(tags, changed, strict=True)
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
    looked_at = f"{counted(len(tags), 'tag')}, " if head else ""
    gap = "\n" if findings else ""
    write_line(f"{gap}{looked_at}{number} to fix. Nothing was written. What to do:")
    for index, step in enumerate(to_do, 1):
        write_line(f"{index}. {printable(step)}")
