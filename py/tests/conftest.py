"""What the tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import leafmint
import pytest


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Return the URL of a SQLite file that is not there yet."""
    return f"sqlite:///{tmp_path / 'ids.db'}"


@pytest.fixture
def ids(url: str) -> Iterator[leafmint.SegmentGenerator]:
    """Return an open generator over SQLite."""
    with leafmint.SegmentGenerator(url) as generator:
        yield generator


@pytest.fixture
def order(ids: leafmint.SegmentGenerator) -> leafmint.BizTag:
    """Return a tag of a generator over SQLite."""
    return ids.biz_tag("order")


@pytest.fixture
def mysql_url() -> str:
    """Return the URL of a MySQL or MariaDB database that tests may write to."""
    url = os.environ.get("LEAFMINT_TEST_MYSQL")
    if not url:
        pytest.fail("set LEAFMINT_TEST_MYSQL to the URL of a throwaway database, such as mysql://root@127.0.0.1:3306/leafmint")
    return url
