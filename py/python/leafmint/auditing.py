"""How far the keys of a database are used, without writing to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ._core import Layout, _audit
from ._internal.async_methods import answer
from .errors import InvalidArgumentError
from .records import AuditReport

if TYPE_CHECKING:
    from ._core import _Place


def audit(
    url: _Place,
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
        url: The database, as for a `SegmentGenerator`: a URL, or the application's engine of SQLAlchemy.
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
    return _audit(url, options, _selection(tables, tags, ignore), layout, _used(since), begins=False)


async def audit_async(
    url: _Place,
    *,
    tables: Iterable[str] = (),
    tags: Mapping[str, str] | None = None,
    ignore: Iterable[str] = (),
    layout: Layout | None = None,
    since: AuditReport | None = None,
    **options: Any,
) -> AuditReport:
    """Reads how far the keys of a database are used, as `audit` does. The event loop runs on meanwhile.

    Args:
        url: As in `audit`.
        tables: As in `audit`.
        tags: As in `audit`.
        ignore: As in `audit`.
        layout: As in `audit`.
        since: As in `audit`.
        **options: As in `audit`.

    Raises:
        LeafmintError: As in `audit`.
    """
    return await answer(_audit(url, options, _selection(tables, tags, ignore), layout, _used(since), begins=True))


def _selection(
    tables: Iterable[str], tags: Mapping[str, str] | None, ignore: Iterable[str]
) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    return _texts("tables", tables), list((tags or {}).items()), _texts("ignore", ignore)


def _used(since: AuditReport | None) -> tuple[int, list[tuple[str, str, int]]] | None:
    if since is None:
        return None
    return unix_millis(since), [(key.table, key.column, key.used) for key in since.keys]


def _texts(name: str, texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise InvalidArgumentError(f"{name}={texts!r} is one text: give a list of texts")
    return list(texts)


def unix_millis(report: AuditReport) -> int:
    """Returns when a report was read."""
    return int(report.read_at.timestamp() * 1000)
