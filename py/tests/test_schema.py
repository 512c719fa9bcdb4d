"""The SQL of the tables."""

import leafmint
import pytest


def test_schema_sql_returns_the_tables_of_a_dialect() -> None:
    assert "ENGINE=InnoDB" in leafmint.schema_sql()
    assert leafmint.schema_sql() == leafmint.schema_sql("mysql")
    assert "WITHOUT ROWID" in leafmint.schema_sql(dialect="sqlite")


@pytest.mark.parametrize("dialect", ["oracle", "", "\ud800"])
def test_an_unknown_dialect_is_an_invalid_argument(dialect: str) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="dialect"):
        leafmint.schema_sql(dialect)  # type: ignore[arg-type]
