"""Faults that an audit has to find, planted on tables that are chosen by a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from functools import partial

import leafmint
from surveyed import INTEGERS, Surveyed, Table

Finding = tuple[str, str, str, str]
"""Kind, severity, table and column."""

LAYOUT = leafmint.Layout()
EXACT = 2**53


class Planter:
    """Plants faults, each on a table of its own, and lists what an audit must find."""

    def __init__(self, database: Surveyed, seed: int) -> None:
        self.database, self.chance = database, random.Random(seed)
        self.expected: set[Finding] = set()
        self.with_layout: set[Finding] = set()
        """What is found only if a layout is given."""
        self.tables = database.tables()
        targets = {target for table in self.tables.values() for target, _ in table.references.values()}
        own = [table for name, table in self.tables.items() if name not in targets and not name.startswith("leaf")]
        self.free = [table for table in own if self.is_free(table) and self.highest(table) >= 2]
        self.chance.shuffle(self.free)

    @staticmethod
    def is_free(table: Table) -> bool:
        """Returns whether a table has a key that can be made wider, or is as wide as can be."""
        return bool(table.key) and (table.key not in table.references or table.type_of(table.key) == "bigint")

    def highest(self, table: Table) -> int:
        """Returns the highest key of a table."""
        quoted = self.database.quoted
        return int(self.database.run(f"SELECT COALESCE(MAX({quoted(table.key)}), 0) FROM {quoted(table.name)}")[0][0])

    def plant(self) -> int:
        """Plants each kind on one table, as long as there are tables, and returns the number of kinds."""
        kinds: list[tuple[Callable[[Table], None], bool]] = [
            (partial(self.runs_out, "problem", 90), False), (partial(self.runs_out, "note", 60), True),
            (self.tag_behind, False), (self.rounded, False), (self.clock_ahead, False), (self.mixed_layouts, False),
        ]  # fmt: skip
        if self.database.has_faults_of_restores:
            self.narrow_reference()
            kinds.append((self.counter_behind, True))
        self.chance.shuffle(kinds)
        return sum(self.takes(plant, counted=counted) for plant, counted in kinds)

    def takes(self, plant: Callable[[Table], None], *, counted: bool) -> bool:
        """Plants on a table, if one is left."""
        table = next((one for one in self.free if one.is_counted or not counted), None)
        if table:
            self.free.remove(table)
            plant(table)
        return table is not None

    def widen(self, table: Table) -> None:
        """Makes a key BIGINT, unless it is one."""
        if table.type_of(table.key) == "bigint":
            return
        name, key, run = self.database.quoted(table.name), self.database.quoted(table.key), self.database.run
        if self.database.is_mysql:
            run(f"ALTER TABLE {name} MODIFY {key} BIGINT NOT NULL{' AUTO_INCREMENT' * table.is_counted}")
        else:
            run(f"ALTER TABLE {name} ALTER {key} TYPE bigint")
            if table.is_counted:
                sequence = run(f"SELECT pg_get_serial_sequence('{name}', '{table.key}')")[0][0]
                run(f"ALTER SEQUENCE {sequence} AS bigint")

    def count_to(self, table: Table, last: int) -> None:
        """Makes the engine give the number after this one next."""
        name = self.database.quoted(table.name)
        if self.database.is_mysql:
            self.database.run(f"ALTER TABLE {name} AUTO_INCREMENT = {last + 1}")
        else:
            self.database.run(f"SELECT setval(pg_get_serial_sequence('{name}', '{table.key}'), {last})")

    def insert(self, table: Table, *keys: int) -> None:
        """Inserts rows with these keys, and takes the counter along."""
        for number, key in enumerate(keys, 5):
            self.database.insert(table, number, key)
        if table.is_counted:
            self.count_to(table, max(keys))

    def expect(self, kind: str, severity: str, table: Table) -> None:
        """Notes what must be found of the key of a table."""
        self.expected.add((kind, severity, table.name, table.key))

    def runs_out(self, severity: str, percent: int, table: Table) -> None:
        """Uses up a key."""
        bits = INTEGERS[table.type_of(table.key)]
        last = (2**bits - 1) // 100 * percent
        self.expect("runs_out", severity, table)
        if table.is_counted:
            self.count_to(table, last)
            return
        self.insert(table, last)
        if last > EXACT:
            self.expect("rounded_in_json", "note", table)
            self.with_layout.add(("mixed_layouts", "note", table.name, table.key))

    def tag_behind(self, table: Table) -> None:
        """Makes a tag that leases numbers which the table has."""
        with leafmint.SegmentGenerator(self.database.url) as ids:
            ids.init_schema()
            ids.create_tag(table.name, start=1)
        self.expect("tag_behind", "problem", table)

    def rounded(self, table: Table) -> None:
        """Inserts a number that JavaScript rounds."""
        self.widen(table)
        self.insert(table, EXACT + 5)
        self.expect("rounded_in_json", "note", table)
        self.with_layout.add(("mixed_layouts", "note", table.name, table.key))

    def clock_ahead(self, table: Table) -> None:
        """Inserts a snowflake of a clock that is ahead."""
        now = datetime.now(timezone.utc)
        self.widen(table)
        self.database.run(f"DELETE FROM {self.database.quoted(table.name)}")
        self.insert(table, LAYOUT.min_id(now - timedelta(days=1)), LAYOUT.min_id(now + timedelta(hours=1)))
        self.expect("rounded_in_json", "note", table)
        self.with_layout.add(("clock_ahead", "problem", table.name, table.key))

    def mixed_layouts(self, table: Table) -> None:
        """Inserts a snowflake next to plain numbers."""
        self.widen(table)
        self.insert(table, LAYOUT.min_id(datetime.now(timezone.utc) - timedelta(hours=1)))
        self.expect("rounded_in_json", "note", table)
        self.with_layout.add(("mixed_layouts", "note", table.name, table.key))

    def counter_behind(self, table: Table) -> None:
        """Makes a counter give a number that has a row: by a restore, or by a cascade, which MariaDB does not count."""
        name, key, run = self.database.quoted(table.name), self.database.quoted(table.key), self.database.run
        if self.database.is_mysql:
            data_type = table.type_of(table.key)
            run("SET foreign_key_checks = 1")
            run(f"CREATE TABLE planted (id {data_type} PRIMARY KEY) SELECT {key} AS id FROM {name}")
            foreign = f"FOREIGN KEY ({key}) REFERENCES planted (id) ON UPDATE CASCADE"
            run(f"ALTER TABLE {name} ADD CONSTRAINT cascade_of_{table.key} {foreign}")
            run(f"UPDATE planted SET id = 5000 WHERE id = {self.highest(table)}")
            run(f"ALTER TABLE {name} DROP FOREIGN KEY cascade_of_{table.key}")
            run("DROP TABLE planted")
            self.database.unchecked()
        else:
            run(f"SELECT setval(pg_get_serial_sequence('{name}', '{table.key}'), 1, false)")
        self.expect("counter_behind", "problem", table)

    def narrow_reference(self) -> None:
        """Makes a foreign key narrower than what it points to."""
        candidates = [
            (table, column, target)
            for table in self.tables.values()
            for column, (target, _) in table.references.items()
            if table.type_of(column) in ("int", "integer", "bigint") and target != table.name
        ]
        table, column, target = self.chance.choice(candidates)
        self.free = [one for one in self.free if one.name not in (table.name, target)]
        narrow = "int" if table.type_of(column) == "bigint" else "smallint"
        if self.database.is_mysql:
            self.restore_narrow(table, column, target, narrow)
        else:
            quoted = self.database.quoted
            self.database.run(f"ALTER TABLE {quoted(table.name)} ALTER {quoted(column)} TYPE {narrow}")
        self.expected.add(("narrow_reference", "note", table.name, column))

    def restore_narrow(self, table: Table, column: str, target: str, narrow: str) -> None:
        """Makes the target anew behind its foreign key, as a restore does: MariaDB compares no types then."""
        quoted, run = self.database.quoted, self.database.run
        name, into = quoted(table.name), quoted(target)
        for (constraint,) in run(
            "SELECT constraint_name FROM information_schema.key_column_usage WHERE table_schema = DATABASE()"
            " AND table_name = %s AND column_name = %s AND referenced_table_name = %s", table.name, column, target,
        ):  # fmt: skip
            run(f"ALTER TABLE {name} DROP FOREIGN KEY {quoted(constraint)}")
        run(f"ALTER TABLE {name} MODIFY {quoted(column)} {narrow}")
        made = run(f"SHOW CREATE TABLE {into}")[0][1]
        run(f"CREATE TABLE planted AS SELECT * FROM {into}")
        run(f"DROP TABLE {into}")
        key = table.references[column][1]
        foreign = f"FOREIGN KEY ({quoted(column)}) REFERENCES {into} ({quoted(key)})"
        run(f"ALTER TABLE {name} ADD CONSTRAINT narrow_{column} {foreign}")
        run(made)
        run(f"INSERT INTO {into} SELECT * FROM planted")
        run("DROP TABLE planted")
