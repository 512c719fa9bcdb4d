"""`leafmint.django.gapless`: numbers without gaps in Django's transactions."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django_projects import Project, server_database
from gapless_databases import empty_database
from sqlalchemy import make_url


@pytest.fixture(params=["sqlite", "mysql", "postgres"])
def migrated_project(request: pytest.FixtureRequest, project: Project, tmp_path: Path) -> Iterator[Project]:
    """Return a project with leafmint's tables on each kind of database."""
    project.settings |= {"LEAFMINT": {"DATABASE": "default"}}
    if request.param == "sqlite":
        yield project
        return
    with empty_database(request.param, request, tmp_path) as url:
        project.settings |= {"DATABASES": {"default": server_database(url, str(make_url(url).database))}}
        project.manage("migrate", "-v0", "leafmint")
        yield project


def test_a_number_comes_back_if_its_block_or_its_savepoint_rolls_back(migrated_project: Project) -> None:
    assert migrated_project.run(
        """
        from django.db import transaction
        from leafmint.django import gapless

        try:
            gapless("invoice")
        except leafmint.InvalidArgumentError as error:
            print("atomic" in str(error))
        with transaction.atomic():
            print(gapless("invoice"), gapless("invoice", using="default"), gapless("credit", start=7))
            transaction.set_rollback(True)
        with transaction.atomic():
            print(gapless("invoice"))
            try:
                with transaction.atomic():
                    print(gapless("invoice"))
                    raise KeyError
            except KeyError:
                print(gapless("invoice"))
        """
    ) == ["True", "1 2 7", "1", "2", "2"]


def test_a_lost_conflict_has_a_name_and_ends_the_block(migrated_project: Project) -> None:
    assert migrated_project.run(
        """
        import threading
        from django.db import DatabaseError, connection, transaction
        from leafmint.django import gapless

        SHORT_WAIT = {
            "sqlite": "PRAGMA busy_timeout = 50",
            "postgresql": "SET lock_timeout = 50",
            "mysql": "SET innodb_lock_wait_timeout = 1",
        }

        def take():
            with connection.cursor() as cursor:
                cursor.execute(SHORT_WAIT[connection.vendor])
            with transaction.atomic():
                try:
                    gapless("invoice")
                except leafmint.StoreUnavailableError as error:
                    print(error.reason, isinstance(error.__cause__, DatabaseError), transaction.get_rollback())
            print(take_again())
            connection.close()

        def take_again():
            first_has_ended.set()
            second_may_go_on.wait(10)
            with transaction.atomic():
                return gapless("invoice")

        first_has_ended, second_may_go_on = threading.Event(), threading.Event()
        with transaction.atomic():
            gapless("invoice")
            thread = threading.Thread(target=take)
            thread.start()
            first_has_ended.wait(10)
        second_may_go_on.set()
        thread.join()
        """
    ) == ["locked True True", "2"]
