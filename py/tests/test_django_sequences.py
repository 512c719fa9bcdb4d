"""`leafmint.django` on PostgreSQL, with ids leased from the sequences of the columns themselves."""

from collections.abc import Iterator

import pytest
from django_projects import BIG, CREATE, Project, empty_database

APPS = ["django.contrib.auth", "django.contrib.contenttypes", "leafmint.django", "shop"]

OWN = {"DATABASE": "default", "OPTIONS": {"sequence": "{tag}_id_seq"}}

IDENTITY = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT is_identity FROM information_schema.columns WHERE table_name = 'shop_item' "
                   "AND column_name = 'id'")
    print(cursor.fetchone()[0])
"""


@pytest.fixture
def old(project: Project, postgres_url: str) -> Iterator[Project]:
    """Return a project whose keys are Django's own, with rows."""
    with empty_database(postgres_url) as database:
        project.settings = {"INSTALLED_APPS": APPS, "DATABASES": {"default": database}, "ROOT_URLCONF": "", **BIG}
        (project.folder / "shop/migrations/0001_initial.py").unlink()
        project.migrate()
        assert project.run(CREATE.format(3)) == ["[1, 2, 3]"]
        yield project


def test_a_switch_to_minted_keys_keeps_the_identity_so_that_old_code_goes_on(old: Project) -> None:
    before = old.settings
    old.settings = {**before, "LEAFMINT": OWN}
    del old.settings["DEFAULT_AUTO_FIELD"]
    new = old.settings
    old.manage("makemigrations", "shop", "-v0", "--name=switch")
    old.manage("migrate", "-v0")
    assert old.run(IDENTITY) == ["YES"]
    assert old.run(CREATE.format("4, 7")) == ["[4, 5, 6]"]
    old.settings = before
    [theirs] = old.run(CREATE.format("7, 8"))
    assert int(theirs[1:-1]) > 6
    old.settings = new
    assert old.run(CREATE.format("8, 10")) > [theirs]
    assert "No changes" in old.manage("makemigrations", "--check", "shop")


def test_the_way_back_is_a_deploy_too(old: Project) -> None:
    before = old.settings
    old.settings = {**before, "LEAFMINT": OWN}
    del old.settings["DEFAULT_AUTO_FIELD"]
    old.manage("makemigrations", "shop", "-v0", "--name=switch")
    old.manage("migrate", "-v0")
    old.run(CREATE.format("4, 7"))
    old.settings = {**before, "LEAFMINT": OWN}
    old.manage("makemigrations", "shop", "-v0", "--name=back")
    old.manage("migrate", "-v0")
    assert old.run(IDENTITY) == ["YES"]
    assert int(old.run(CREATE.format("7, 8"))[0][1:-1]) > 6
