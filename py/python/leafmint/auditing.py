"""How far the keys of a database are used, without writing to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ._core import Layout, _audit
from .errors import InvalidArgumentError
from .records import AuditReport


def audit(
    url: str,
    *,
    tables: Iterable[str] = (),
    tags: Mapping[str, str] | None = None,
    ignore: Iterable[str] = (),
    layout: Layout | None = None,
    since: AuditReport | None = None,
    **options: Any,
) -> AuditReport:
    """Reads how far the keys of a MySQL, MariaDB, PostgreSQL or SQLite database are used, and what is wrong with them.

    It writes nothing, scans no table, and needs only SELECT.

    Args:
        url: The database, as for a `SegmentGenerator`.
        tables: Patterns of the tables to look at, with * and ?; none means every table.
        tags: The tag of each table that has another name than its tag.
        ignore: Findings to leave out: patterns of tables, each of them alone or with a kind or a severity, such as
            "legacy_*", "orders:runs_out" or "*:note".
        layout: The layout of snowflakes. With it, keys above 2**53 are decoded.
        since: An earlier report. The growth since then gives the days that are left.
        **options: Options of a segment generator, such as `connect_timeout`, the longest wait for one statement.

    Raises:
        InvalidConfigError: The URL or an option is wrong.
        InvalidArgumentError: `ignore` names no kind and no severity, or a table of `tables` or `tags` does not exist.
        StoreUnavailableError: The database does not answer.

    Example:
        >>> import sqlite3, tempfile
        >>> import leafmint
        >>> file = f"{tempfile.mkdtemp()}/shop.db"
        >>> with sqlite3.connect(file) as shop:
        ...     _ = shop.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
        ...     _ = shop.execute("INSERT INTO orders VALUES (?)", (2**53 + 1,))
        >>> report = leafmint.audit(f"sqlite:///{file}")
        >>> report.ok, [(finding.kind, finding.table) for finding in report.findings]
        (True, [('rounded_in_json', 'orders')])
    """
    earlier = None
    if since is not None:
        used = [(key.table, key.column, key.used) for key in since.keys]
        earlier = (unix_millis(since), used)
    selection = (_texts("tables", tables), list((tags or {}).items()), _texts("ignore", ignore))
    return _audit(url, options, selection, layout, earlier)


def _texts(name: str, texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise InvalidArgumentError(f"{name}={texts!r} is one text: give a list of texts")
    return list(texts)


def unix_millis(report: AuditReport) -> int:
    """Returns when a report was read."""
    return int(report.read_at.timestamp() * 1000)
