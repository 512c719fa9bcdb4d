"""`leafmint.django.GaplessSequence`: numbers without gaps in Django's transactions."""

from collections.abc import Iterator
from pathlib import Path

import leafmint
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
        from leafmint.django import GaplessSequence

        invoices = GaplessSequence("invoice", period="forever")

        try:
            invoices.next()
        except leafmint.InvalidArgumentError as error:
            print("atomic" in str(error))
        with transaction.atomic():
            named = GaplessSequence("invoice", period="forever", using="default")
            credits = GaplessSequence("credit", period="forever", start=7)
            print(invoices.next().number, named.next().number, credits.next().number)
            transaction.set_rollback(True)
        with transaction.atomic():
            print(invoices.next().number)
            try:
                with transaction.atomic():
                    print(invoices.next().number)
                    raise KeyError
            except KeyError:
                print(invoices.next().number)
        """
    ) == ["True", "1 2 7", "1", "2", "2"]


def test_runs_periods_and_the_last_number(migrated_project: Project) -> None:
    assert migrated_project.run(
        """
        from copy import copy
        from datetime import date
        from django.db import transaction
        from leafmint.django import GaplessSequence

        bills = GaplessSequence(
            "bill", period="year", zone="Europe/Madrid", key="shop-7", format="{key}/{year}-{number:2}", using="default"
        )
        on, later = date(2026, 12, 31), date(2027, 1, 1)
        print(bills.last(on=on))
        with transaction.atomic():
            print(bills.next_many(0), *bills.next_many(98, on=on)[96:], bills.next(on=later), copy(bills).using)
            try:
                bills.next_many(2, on=on)
            except leafmint.IdSpaceExhaustedError as error:
                print("took none" in str(error), transaction.get_rollback())
        print(bills.last(on=on), bills.last(on=later))
        """
    ) == [
        "None",
        "[] shop-7/2026-97 shop-7/2026-98 shop-7/2027-01 default",
        "True True",
        "None None",
    ]


def test_a_number_is_not_taken_in_one_of_two_transactions_unless_it_is_named(project: Project, tmp_path: Path) -> None:
    names = ["default", "archive"]
    databases = {name: {"ENGINE": "django.db.backends.sqlite3", "NAME": str(tmp_path / name)} for name in names}
    project.settings |= {"DATABASES": databases}
    with leafmint.SegmentGenerator(f"sqlite:///{tmp_path / 'default'}") as ids:
        ids.init_schema()
    assert project.run(
        """
        from django.db import transaction
        from leafmint.django import GaplessSequence

        invoices = GaplessSequence("invoice", period="forever")

        with transaction.atomic(), transaction.atomic(using="archive"):
            try:
                invoices.next()
            except leafmint.InvalidArgumentError as error:
                print("archive and default" in str(error), "using=" in str(error))
            print(GaplessSequence("invoice", period="forever", using="default").next().number)
        with transaction.atomic():
            print(invoices.next().number)
        """
    ) == ["True True", "1", "2"]


def test_a_table_without_a_key_is_refused_and_ends_the_block(migrated_project: Project) -> None:
    assert migrated_project.run(
        """
        from django.db import connection, transaction
        from leafmint.django import GaplessSequence

        invoices = GaplessSequence("invoice", period="forever")

        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE leafmint_gapless")
            cursor.execute("CREATE TABLE leafmint_gapless AS SELECT 'invoice' AS name, 3 AS number")
        with transaction.atomic():
            try:
                invoices.next()
            except leafmint.InvalidConfigError as error:
                print("ADD UNIQUE (name)" in str(error), transaction.get_rollback())
        """
    ) == ["True True"]


def test_a_lost_conflict_has_a_name_and_ends_the_block(migrated_project: Project) -> None:
    assert migrated_project.run(
        """
        import threading
        from django.db import DatabaseError, connection, transaction
        from leafmint.django import GaplessSequence

        invoices = GaplessSequence("invoice", period="forever")

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
                    invoices.next()
                except leafmint.StoreUnavailableError as error:
                    print(error.reason, isinstance(error.__cause__, DatabaseError), transaction.get_rollback())
            print(take_again())
            connection.close()

        def take_again():
            first_has_ended.set()
            second_may_go_on.wait(10)
            with transaction.atomic():
                return invoices.next().number

        first_has_ended, second_may_go_on = threading.Event(), threading.Event()
        with transaction.atomic():
            invoices.next()
            thread = threading.Thread(target=take)
            thread.start()
            first_has_ended.wait(10)
        second_may_go_on.set()
        thread.join()
        """
    ) == ["locked True True", "2"]
