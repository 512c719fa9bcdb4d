"""docs/coming-from.md: a table with UUID keys gets numbers, and goes back, by the page's own statements."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

import leafmint
import psycopg
import pytest
from programs import TOP

PAGE = (TOP / "docs/coming-from.md").read_text()


def statements() -> list[list[str]]:
    """Returns the statements of the steps that have some, and those of the way back."""
    section = PAGE[PAGE.index("## UUID keys") : PAGE.index("## CosId")]
    blocks = re.findall(r"```sql\n(.*?)```", section, re.DOTALL)
    return [[line.strip() for line in block.strip().splitlines()] for block in blocks]


class Shop:
    """A table whose keys are UUIDs, and the code of both releases."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url, autocommit=True)
        self.ids = leafmint.SegmentGenerator(url, auto_create=True)
        self.ids.init_schema()
        self.orders = self.ids.tag("orders")
        self.saved = 0
        self.connection.execute("CREATE TABLE orders (uuid uuid PRIMARY KEY, created timestamptz DEFAULT now())")

    def run(self, *statements: str) -> None:
        """Runs statements of the page."""
        for statement in statements:
            self.connection.execute(statement)

    def save(self, *releases: str) -> None:
        """Lets the code of releases save, by turns."""
        for release in releases * 3:
            values = {"uuid": uuid.uuid4()} | ({"id": self.orders.next_id()} if release == "new" else {})
            places = ", ".join(["%s"] * len(values))
            self.connection.execute(f"INSERT INTO orders ({', '.join(values)}) VALUES ({places})", [*values.values()])
            self.saved += 1

    def fill(self) -> None:
        """Gives old rows a number."""
        for (row,) in self.connection.execute("SELECT uuid FROM orders WHERE id IS NULL ORDER BY created").fetchall():
            self.connection.execute("UPDATE orders SET id = %s WHERE uuid = %s", [self.orders.next_id(), row])


@pytest.fixture
def shop(postgres_database: str) -> Iterator[Shop]:
    """A shop with rows of the old code."""
    shop = Shop(postgres_database)
    shop.save("old")
    yield shop
    shop.ids.close()
    shop.connection.close()


@pytest.mark.parametrize("until", [2, 3, 4])
def test_uuids_become_numbers_and_the_way_back_is_open_from_each_step(shop: Shop, until: int) -> None:
    add, keys, primary, back = statements()
    shop.run(*add)
    shop.save("old", "new")
    shop.fill()
    if until >= 3:
        shop.run(*keys)
        shop.save("new")
    if until >= 4:
        shop.run(*primary)
        shop.save("new")
    primary_again, null_again, drop = back
    shop.run(*[primary_again] * (until >= 4), *[null_again] * (until >= 3))
    shop.save("old", "new")
    found = shop.connection.execute("SELECT count(*), count(DISTINCT uuid), count(id), count(DISTINCT id) FROM orders")
    rows, uuids, numbers, different = found.fetchone() or ()
    assert rows == uuids == shop.saved
    assert numbers == different == shop.saved - 3, "the last rows of the old code have no number yet"
    shop.run(drop)
    shop.save("old")


def test_old_code_fails_loudly_once_a_row_needs_its_number(shop: Shop) -> None:
    add, keys, *_ = statements()
    shop.run(*add)
    shop.fill()
    shop.run(*keys)
    with pytest.raises(psycopg.errors.NotNullViolation):
        shop.save("old")
