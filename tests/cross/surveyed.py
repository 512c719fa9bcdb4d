"""A database of a real schema: its tables as information_schema lists them, and some rows in each."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg
import pymysql

INTEGERS = {"tinyint": 7, "smallint": 15, "mediumint": 23, "int": 31, "integer": 31, "bigint": 63}
ROWS = 3


@dataclass
class Column:
    """A column of a table."""

    name: str
    data_type: str
    is_filled: bool
    """The engine fills it, or it may be empty."""
    length: int | None

    def value(self, number: int) -> Any:
        """Returns a value that differs from row to row as far as the type allows it."""
        if self.data_type in INTEGERS:
            return number
        if "char" in self.data_type:
            return f"v{number}"[-(self.length or 9) :]
        return {
            "boolean": False, "uuid": str(uuid.UUID(int=number)), "json": "{}", "jsonb": "{}", "longtext": "{}",
            "date": f"2026-01-0{number}", "interval": f"{number} days", "inet": f"127.0.0.{number}",
            "time": f"10:00:0{number}", "time without time zone": f"10:00:0{number}", "text": f"v{number}",
            "datetime": f"2026-01-0{number}", "timestamp": f"2026-01-0{number}", "bytea": b"", "longblob": b"",
            "timestamp with time zone": f"2026-01-0{number}", "timestamp without time zone": f"2026-01-0{number}",
        }.get(self.data_type, number)  # fmt: skip


@dataclass
class Table:
    """A table, and its key if that is one whole number."""

    name: str
    columns: list[Column] = field(default_factory=list)
    key: str = ""
    is_counted: bool = False
    references: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Table and column that each of its foreign keys points to."""

    def type_of(self, column: str) -> str:
        """Returns the type of a column."""
        return next(one.data_type for one in self.columns if one.name == column)


class Surveyed:
    """A connection of the owner of a database."""

    def __init__(self, url: str, *, has_faults_of_restores: bool = True) -> None:
        self.url, parts = url, urlsplit(url)
        self.name = parts.path.removeprefix("/")
        self.is_mysql = parts.scheme == "mysql"
        self.has_faults_of_restores = has_faults_of_restores
        """Counters that are behind and foreign keys that are too narrow can be made here."""
        self.connection: Any
        if self.is_mysql:
            self.connection = pymysql.connect(
                host=parts.hostname, port=parts.port or 3306, user=unquote(parts.username or ""),
                password=unquote(parts.password or ""), database=self.name, autocommit=True,
            )  # fmt: skip
        else:
            self.connection = psycopg.connect(url, autocommit=True)

    def __enter__(self) -> Surveyed:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def run(self, statement: str, *values: Any) -> list[Any]:
        """Runs a statement, and returns its rows."""
        cursor = self.connection.cursor()
        cursor.execute(statement, values or None)
        return list(cursor.fetchall()) if cursor.description else []

    def quoted(self, name: str) -> str:
        """Returns a name as statements write it."""
        return f"`{name}`" if self.is_mysql else f'"{name}"'

    def reader(self) -> str:
        """Makes an account that may only read, and returns its URL."""
        name, parts = f"reader_{uuid.uuid4().hex[:8]}", urlsplit(self.url)
        if self.is_mysql:
            self.run(f"CREATE USER {name} IDENTIFIED BY 'pw'")
            self.run(f"GRANT SELECT ON `{self.name}`.* TO {name}")
        else:
            self.run(f"CREATE ROLE {name} LOGIN PASSWORD 'pw' IN ROLE pg_read_all_data")
        return f"{parts.scheme}://{name}:pw@{parts.hostname}:{parts.port}/{self.name}"

    @property
    def schema(self) -> str:
        """The schema of the tables in information_schema."""
        return self.name if self.is_mysql else "public"

    def tables(self) -> dict[str, Table]:
        """Lists the tables."""
        own = "c.extra" if self.is_mysql else "c.is_identity || c.is_generated"
        found: dict[str, Table] = {}
        for table, name, data_type, nullable, default, length, extra in self.run(
            f"SELECT c.table_name, c.column_name, c.data_type, c.is_nullable, c.column_default,"
            f" c.character_maximum_length, {own} FROM information_schema.columns c JOIN information_schema.tables t"
            " ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'"
            " WHERE c.table_schema = %s ORDER BY c.table_name, c.ordinal_position",
            self.schema,
        ):
            is_counted = "auto_increment" in extra or extra.startswith("YES") or str(default).startswith("nextval(")
            is_filled = (
                is_counted or nullable == "YES" or default is not None or "GENERATED" in extra or "ALWAYS" in extra
            )
            entry = found.setdefault(table, Table(table))
            entry.columns.append(Column(name, data_type, is_filled, length))
            entry.is_counted |= is_counted
        self.add_keys(found)
        return found

    def add_keys(self, tables: dict[str, Table]) -> None:
        """Adds the primary keys and the foreign keys of one column each."""
        if self.is_mysql:
            rows = self.run(
                "SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name"
                " FROM information_schema.key_column_usage WHERE table_schema = %s"
                " AND (constraint_name = 'PRIMARY' OR referenced_table_name IS NOT NULL)", self.schema,
            )  # fmt: skip
        else:
            rows = self.run(
                "SELECT c.relname::text, k.conname::text, a.attname::text, t.relname::text, b.attname::text"
                " FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid CROSS JOIN LATERAL unnest(k.conkey) number"
                " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = number"
                " LEFT JOIN pg_class t ON t.oid = k.confrelid"
                " LEFT JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = k.confkey[1]"
                " WHERE c.relnamespace = 'public'::regnamespace AND k.contype IN ('p', 'f')"
            )  # fmt: skip
        for table, constraint, column, target, target_column in rows:
            if target:
                tables[table].references[column] = (target, target_column)
            elif [row[:2] for row in rows].count((table, constraint)) == 1 and tables[table].type_of(
                column
            ) in INTEGERS:
                tables[table].key = column

    def unchecked(self) -> None:
        """Lets rows break foreign keys."""
        self.run("SET foreign_key_checks = 0" if self.is_mysql else "SET session_replication_role = 'replica'")

    def fill(self) -> int:
        """Inserts rows into each table that takes them, and returns the number of tables with rows."""
        self.unchecked()
        tables = self.tables()
        for table in tables.values():
            for number in range(1, ROWS + 1):
                try:
                    self.insert(table, number)
                except (pymysql.MySQLError, psycopg.Error) as error:
                    print(f"{table.name} takes no row: {error}".splitlines()[0])
        return sum(bool(self.run(f"SELECT 1 FROM {self.quoted(name)} LIMIT 1")) for name in tables)

    def insert(self, table: Table, number: int, key: int | None = None) -> None:
        """Inserts a row; the engine fills the key unless it is given."""
        values = {column.name: column.value(number) for column in table.columns if not column.is_filled}
        values |= {table.key: key} if key is not None else {}
        names = ", ".join(map(self.quoted, values))
        if values:
            marks = ", ".join(["%s"] * len(values))
            self.run(f"INSERT INTO {self.quoted(table.name)} ({names}) VALUES ({marks})", *values.values())
        else:
            self.run(f"INSERT INTO {self.quoted(table.name)} {'() VALUES ()' if self.is_mysql else 'DEFAULT VALUES'}")
