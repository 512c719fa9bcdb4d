"""`leafmint.alembic`: a real migration makes the tables, and autogenerate leaves them alone."""

from datetime import date
from pathlib import Path

import leafmint
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from leafmint.alembic import TABLES, include_name, schema_statements
from sqlalchemy import Column, Integer, MetaData, Table, create_engine, inspect

ENV = """
from alembic import context
from leafmint.alembic import include_name
from sqlalchemy import create_engine

url = context.config.get_main_option("sqlalchemy.url")
if context.is_offline_mode():
    context.configure(url=url, include_name=include_name)
    with context.begin_transaction():
        context.run_migrations()
else:
    engine = create_engine(url)
    with engine.connect() as connection:
        context.configure(connection=connection, include_name=include_name)
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()
    engine.dispose()
"""
MIGRATION = """
from alembic import op
from leafmint.alembic import create_tables, drop_tables

revision, down_revision = "1", None


def upgrade():
    create_tables(op)


def downgrade():
    drop_tables(op)
"""

MODELS = """
import leafmint
from leafmint.alembic import render_item
from leafmint.sqlalchemy import TypedIdType, id_column
from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class OrderId(leafmint.TypedId, prefix="order"): ...


class Base(DeclarativeBase): ...


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[OrderId] = id_column("order", type=OrderId)
    replaces: Mapped[OrderId | None] = mapped_column(TypedIdType(OrderId))


class Line(Base):
    __tablename__ = "lines"
    id: Mapped[int] = id_column("line")
    order_id: Mapped[OrderId] = mapped_column(ForeignKey("orders.id"))

"""
TEMPLATE = """
import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision, down_revision = ${repr(up_revision)}, ${repr(down_revision)}


def upgrade():
    ${upgrades if upgrades else "pass"}


def downgrade():
    ${downgrades if downgrades else "pass"}
"""


def project(folder: Path, url: str, env: str = ENV) -> Config:
    """Return a project with one migration."""
    (folder / "versions").mkdir(parents=True)
    (folder / "env.py").write_text(env)
    (folder / "script.py.mako").write_text(TEMPLATE)
    (folder / "versions" / "1_leafmint.py").write_text(MIGRATION)
    config = Config()
    config.set_main_option("script_location", str(folder))
    config.set_main_option("path_separator", "os")
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def test_a_migration_makes_tables_that_leafmint_uses_as_they_are(application_url: str, tmp_path: Path) -> None:
    config = project(tmp_path / "alembic", application_url)
    engine = create_engine(application_url)
    command.upgrade(config, "head")
    with leafmint.SegmentGenerator(engine, auto_create=False) as ids:
        ids.create_tag("order")
        assert ids.tag("order").next_id() == 1
        assert ids.series("invoice", period="year", zone="UTC").next(on=date(2026, 11, 25)).number == 1
    assert {"leaf_alloc", "leafmint_gene", "leafmint_series"} <= TABLES & set(inspect(engine).get_table_names())
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": include_name})
        own = MetaData()
        Table("alembic_version", own, Column("version_num", Integer))
        assert [change for change in compare_metadata(context, own) if change[0] == "remove_table"] == []
    command.downgrade(config, "base")
    assert not TABLES & set(inspect(engine).get_table_names())
    engine.dispose()


def test_autogenerate_writes_a_bigint_for_typed_ids_and_finds_no_change_afterwards(
    application_url: str, tmp_path: Path
) -> None:
    options = "include_name=include_name, render_item=render_item, target_metadata=Base.metadata"
    config = project(tmp_path / "alembic", application_url, MODELS + ENV.replace("include_name=include_name", options))
    command.upgrade(config, "head")
    command.revision(config, autogenerate=True, rev_id="2")
    [migration] = [file.read_text() for file in (tmp_path / "alembic/versions").glob("2_*")]
    assert migration.count("sa.BigInteger()") == 4
    assert "OrderId" not in migration
    assert "leafmint" not in migration
    command.upgrade(config, "head")
    command.check(config)


@pytest.mark.parametrize("dialect", ["mysql", "mariadb", "postgresql", "sqlite"])
def test_each_statement_is_one_that_drivers_accept(dialect: str) -> None:
    statements = schema_statements(dialect)
    assert len(statements) > 1
    assert all(";" not in statement for statement in statements)


def test_a_migration_can_be_written_to_a_file_without_a_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command.upgrade(project(tmp_path / "alembic", "mysql+pymysql://user@host/shop"), "head", sql=True)
    assert "CREATE TABLE IF NOT EXISTS `leaf_alloc`" in capsys.readouterr().out


def test_only_leafmints_tables_are_left_out() -> None:
    assert not include_name("leaf_alloc", "table", {})
    assert include_name("leaf_alloc", "column", {})
    assert include_name("orders", "table", {"schema_name": None})
