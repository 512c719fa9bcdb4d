"""How far the keys of a database are used, without writing to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ._core import Layout, _audit
from .records import AuditReport


def audit(
    url: str,
    *,
    tables: Iterable[str] = (),
    tags: Mapping[str, str] | None = None,
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
        layout: The layout of snowflakes. With it, keys above 2**53 are decoded.
        since: An earlier report. The growth since then gives the days that are left.
        **options: Options of a segment generator, such as `connect_timeout`, the longest wait for one statement.

    Raises:
        InvalidConfigError: The URL or an option is wrong.
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
    return _audit(url, options, list(tables), list((tags or {}).items()), layout, earlier)


def unix_millis(report: AuditReport) -> int:
    """Returns when a report was read."""
    return int(report.read_at.timestamp() * 1000)
