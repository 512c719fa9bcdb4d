"""docs/from-django.md: each way in and back, by the page's own commands, while old and new processes insert."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django_projects import BIG, CREATE, Project, empty_database, save_rows
from sqlalchemy import Engine, create_engine, text

PAGE = Path(__file__).parents[2] / "docs/from-django.md"

APPS = ["django.contrib.contenttypes", "leafmint.django", "shop"]

ON_SQLITE = {"DATABASE": "default", "SNOWFLAKE_URL": "local:workers"}

SEQUENCE = {"DATABASE": "default", "OPTIONS": {"sequence": "{tag}_id_seq"}}

DRIVERS = {"mysql": "mysql+pymysql", "postgresql": "postgresql+psycopg"}

WRITER = """
import json, select, sys, uuid
from django.db import Error
from shop.models import Item
print("writing", flush=True)
keys, failures = [], []
while not select.select([sys.stdin], [], [], 0)[0]:
    try:
        keys.append(Item.objects.create(name=uuid.uuid4().hex[:20]).pk)
    except Error as error:
        failures.append(str(error))
print(json.dumps([keys, failures]))
"""

STATEMENT = """
from django.db import OperationalError, connection
with connection.cursor() as cursor:
    for statement in filter(None, map(str.strip, {!r}.split(";"))):
        while True:
            try:
                cursor.execute(statement)
                break
            except OperationalError as error:
                assert error.args[0] == 1205, error  # a lock wait timeout: nothing has changed
"""


def commands(section: str) -> list[list[str]]:
    """Return the commands of a section of the page, without `python manage.py`."""
    [found] = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    return [shlex.split(line)[2:] for line in re.findall(r"^ *python manage\.py .*$", found, re.MULTILINE)]


class Writer:
    """A process that saves rows until it is stopped."""

    def __init__(self, project: Project) -> None:
        self.process = project.start(WRITER)
        assert self.process.stdout
        assert self.process.stdout.readline() == "writing\n", self.process.communicate()

    def stop(self) -> list[int]:
        """Stop it as a deployment does. Return the keys of its rows; none of its inserts failed."""
        output, errors = self.process.communicate("", timeout=120)
        assert self.process.returncode == 0, errors
        keys, failures = json.loads(output)
        assert failures == [], (len(failures), len(keys), failures[0])
        return list(map(int, keys))


class Shop:
    """A project whose keys the database counts, and its operator, who does what the page says."""

    def __init__(self, project: Project, engine: Engine) -> None:
        self.project, self.engine = project, engine
        self.new = project.settings
        self.old = {**self.new, **BIG}
        self.running: list[Writer] = []
        self.keys: list[int] = []
        (project.folder / "shop/migrations/0001_initial.py").unlink()
        self.project.settings = self.old
        project.migrate()
        assert project.run(CREATE.format(3)) == ["[1, 2, 3]"]

    def deploy(self, settings: dict[str, Any]) -> None:
        """Start a process with this code next to one that runs, and end that when there are rows of both."""
        before = self.running
        self.start(settings)
        self.stop(before)

    def start(self, *codes: dict[str, Any]) -> None:
        """Start processes."""
        self.running = []
        for self.project.settings in codes:
            self.running.append(Writer(self.project))
        self.wait_for_rows()

    def stop(self, writers: list[Writer]) -> None:
        """End processes."""
        for writer in writers:
            self.keys += writer.stop()

    def rows(self) -> list[int]:
        """Return the keys of the table."""
        with self.engine.connect() as connection:
            return list(connection.execute(text("SELECT id FROM shop_item")).scalars())

    def tag(self) -> int:
        """Return the next number that the tag leases."""
        with self.engine.connect() as connection:
            return int(
                connection.execute(text("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'shop_item'")).scalar_one()
            )

    def wait_for_rows(self) -> None:
        """Wait until there are more rows."""
        until = len(self.rows()) + 100
        while len(self.rows()) < until:
            assert all(writer.process.poll() is None for writer in self.running)

    def manage(self, *command: str) -> str:
        """Run a command of `manage.py` with the new code."""
        self.project.settings = self.new
        said = self.project.manage(*command)
        if self.running:
            self.wait_for_rows()
        return said

    def make_room(self, plan: list[str]) -> None:
        """Do what the plan says."""
        for command in json.loads(self.manage(*plan, "--json"))["to_run"]:
            if command["place"] == "shell":
                self.type(command["text"])
            else:
                self.project.run(STATEMENT.format(command["text"]))

    def type(self, text: str) -> str:
        """Run a printed command."""
        python, program, *words = shlex.split(text)
        assert (python, program) == ("python", "manage.py")
        return self.manage(*words)

    def assert_whole(self) -> None:
        """Check that each row that was committed is there, once."""
        self.stop(self.running)
        assert len(self.keys) == len(set(self.keys))
        assert set(self.keys) <= set(self.rows())


def make_shop(project: Project, url: str, leafmint: dict[str, Any]) -> Iterator[Shop]:
    """Give a shop on an empty database."""
    with empty_database(url) as database:
        project.settings = {"INSTALLED_APPS": APPS, "DATABASES": {"default": database}, "ROOT_URLCONF": ""}
        project.settings |= {"LEAFMINT": leafmint}
        scheme, rest = url.split("://")
        engine = create_engine(f"{DRIVERS[scheme]}://{rest.rsplit('/', 1)[0]}/{database['NAME']}")
        shop = Shop(project, engine)
        yield shop
        for writer in shop.running:
            writer.process.kill()
            writer.process.communicate()
        engine.dispose()


LONGER = [pytest.param(kind, marks=pytest.mark.long) for kind in ("sqlite", "mysql_url")]


@pytest.fixture(params=["postgres_url", *LONGER])
def stopped(request: pytest.FixtureRequest, project: Project) -> Iterator[Shop]:
    """Return a shop whose keys a database of each kind counts."""
    if request.param == "sqlite":
        (project.folder / "app.sqlite3").unlink(missing_ok=True)
        project.settings = {"INSTALLED_APPS": APPS, "ROOT_URLCONF": "", "LEAFMINT": ON_SQLITE}
        yield Shop(project, create_engine(f"sqlite:///{project.folder}/app.sqlite3"))
    else:
        yield from make_shop(project, request.getfixturevalue(request.param), {"DATABASE": "default"})


@pytest.fixture
def counted(project: Project, mysql_url: str) -> Iterator[Shop]:
    """Return a shop whose keys AUTO_INCREMENT counts."""
    yield from make_shop(project, mysql_url, {"DATABASE": "default"})


@pytest.fixture
def sequenced(project: Project, postgres_url: str) -> Iterator[Shop]:
    """Return a shop whose keys an identity counts."""
    yield from make_shop(project, postgres_url, SEQUENCE)


def test_a_tag_with_room_below_a_counter_is_left_alone_by_migrate_and_raise_tags(counted: Shop) -> None:
    plan, check, *_ = commands("Live, below the counter")
    counted.make_room(plan)
    counted.start(counted.old, counted.new)
    counted.manage("migrate", "-v0")
    left = counted.manage("leafmint_raise_tags")
    assert "shop_item: left in its room below the AUTO_INCREMENT" in left
    assert "there is a row" in counted.type(left.partition("see how to raise it: ")[2])
    counted.manage("migrate", "-v0")
    counted.manage(*check)
    counted.assert_whole()


def test_a_migration_of_the_state_alone_leaves_counter_and_room_to_old_and_new_code(counted: Shop) -> None:
    plan, check, *_ = commands("Live, below the counter")
    counted.make_room(plan)
    counted.manage("makemigrations", "shop", "--name=state")
    migration = counted.project.folder / "shop/migrations/0002_state.py"
    wrapped = "operations = [migrations.SeparateDatabaseAndState(state_operations=["
    written = migration.read_text().replace("operations = [", wrapped)
    migration.write_text(written.rstrip().removesuffix("]") + "])]\n")
    save_rows(counted.project, 3, "0002_state")
    counted.start(counted.old, counted.new)
    counted.manage("makemigrations", "--check", "--dry-run", "shop")
    counted.manage("migrate", "-v0")
    counted.manage(*check)
    assert counted.tag() < 10**9, "the rows of the migration took ids of the room"
    counted.assert_whole()


def test_a_table_that_is_locked_is_no_reason_to_raise_its_tag(counted: Shop) -> None:
    counted.make_room(commands("Live, below the counter")[0])
    counted.project.settings = counted.new | {"LEAFMINT": {**counted.new["LEAFMINT"], "OPTIONS": {"timeout": "1s"}}}
    with counted.engine.connect() as connection:
        connection.execute(text("LOCK TABLES shop_item WRITE"))
        [said] = counted.project.run(
            """
            from leafmint.django.auto_increment.table_ids import has_room
            from shop.models import Item
            try:
                print(has_room(Item._meta.pk.late_tag, "shop_item", "default"))
            except leafmint.StoreUnavailableError as error:
                print(error)
            """
        )
        connection.execute(text("UNLOCK TABLES"))
    assert "shop_item" in said


@pytest.mark.long
def test_a_live_move_below_the_counter_and_back_from_each_end_fails_no_insert(counted: Shop) -> None:
    plan, check, after, make, migrate, reverse = commands("Live, below the counter")
    counted.deploy(counted.old)
    counted.make_room(plan)
    counted.manage(*check)
    counted.deploy(counted.new)
    counted.deploy(counted.old)  # back from step 3
    counted.deploy(counted.new)
    counted.manage(*after[:-1], "0")
    counted.manage(*make)
    counted.manage(*migrate)
    highest = max(counted.rows())
    counted.wait_for_rows()
    assert counted.tag() > highest > 10**9, "the tag goes on above the rows of the old code"
    counted.manage(*reverse)
    counted.make_room(plan)
    counted.manage(*check)
    counted.deploy(counted.old)  # back from step 5
    counted.assert_whole()


def test_a_live_move_on_the_sequence_and_back_fails_no_insert(sequenced: Shop) -> None:
    make, migrate, reverse = commands("Live, on the sequence")
    sequenced.deploy(sequenced.old)
    sequenced.manage(*make)
    sequenced.manage(*migrate)
    sequenced.deploy(sequenced.new)
    sequenced.deploy(sequenced.old)  # back without a migration
    sequenced.deploy(sequenced.new)
    sequenced.manage(*reverse)
    sequenced.deploy(sequenced.old)
    sequenced.assert_whole()


def test_a_move_in_one_deploy_and_back_goes_on_above_all_rows(stopped: Shop) -> None:
    make, migrate = commands("In one deploy")
    stopped.manage(*make)
    stopped.manage(*migrate)
    create = CREATE.replace("str(n)", "str({} + n)")
    assert stopped.project.run(create.format(10, 3)) == ["[4, 5, 6]"]
    stopped.new = stopped.old  # the field is restored
    stopped.manage(*make[:-1], "back")
    stopped.manage(*migrate)
    keys = json.loads(stopped.project.run(create.format(20, 3))[0])
    assert min(keys) > 6
    assert len(stopped.rows()) == 9
    stopped.engine.dispose()
