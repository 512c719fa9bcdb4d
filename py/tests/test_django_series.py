"""`leafmint.django.SeriesField`: rows with numbers of a series, whose dates the models have."""

import copy
from pathlib import Path

import pytest
from django_projects import NUMBERED, Project, add_billing

SETTINGS = {"INSTALLED_APPS": NUMBERED, "LEAFMINT": {"URL": "sqlite:///ids.sqlite3", "SNOWFLAKE_URL": "local:workers"}}


@pytest.fixture(scope="session")
def numbered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a project on SQLite with its tables, and a file of leafmint's own. Copy it."""
    project = Project(tmp_path_factory.mktemp("django") / "numbered", SETTINGS)
    add_billing(project)
    project.migrate("shop", "billing")
    return project.folder


@pytest.fixture
def billing(tmp_path: Path, numbered: Path) -> Project:
    """Return a project whose invoices and customers have numbers."""
    return Project(tmp_path / "project", copy.deepcopy(SETTINGS), numbered)


def test_a_new_row_without_a_number_gets_the_next_one_also_in_a_transaction_and_in_bulk(billing: Project) -> None:
    assert billing.run(
        """
        import asyncio
        from billing.models import Customer
        from django.db import transaction

        first = Customer(name="a")
        print(repr(first.number))
        first.save()
        with transaction.atomic():
            print(first.number, Customer.objects.create(name="b").number)
        print([it.number for it in Customer.objects.bulk_create([Customer(), Customer(number="mine"), Customer()])])
        print(asyncio.run(Customer.objects.acreate(name="c")).number)
        first.name, first.number = "d", ""
        first.save()
        print(repr(Customer.objects.get(pk=first.pk).number))
        print([tag.name for tag in leafmint.segment_generator().list_tags()])
        """
    ) == [
        "''",
        "C0001 C0002",
        "['C0003', 'mine', 'C0004']",
        "C0005",
        "''",
        "['billing_customer', 'billing_customer_number']",
    ]


def test_a_document_has_a_number_of_its_date_and_by_default_of_today(billing: Project) -> None:
    assert billing.run(
        """
        from datetime import date, datetime
        from billing.models import Invoice
        from zoneinfo import ZoneInfo

        days = [date(2019, 12, 31), "2020-01-01", date(2019, 1, 1)]
        print([Invoice.objects.create(issued_on=day).number for day in days])
        today = datetime.now(ZoneInfo("Europe/Madrid"))
        print(Invoice.objects.create().number in [f"INV-{today.year - late}-00001" for late in (0, 1)])
        """
    ) == ["['INV-2019-00001', 'INV-2020-00001', 'INV-2019-00002']", "True"]


def test_rows_of_one_bulk_take_one_batch_of_each_period_in_their_order(billing: Project) -> None:
    assert billing.run(
        """
        from datetime import date
        from unittest import mock

        from billing.models import Customer, Invoice

        days = ["2026-03-01", date(2025, 12, 31), date(2026, 1, 31), date(2025, 1, 1)]
        mint = leafmint.LateSeries.next_many
        with mock.patch.object(leafmint.LateSeries, "next_many", autospec=True, side_effect=mint) as draw:
            print([it.number for it in Invoice.objects.bulk_create([Invoice(issued_on=day) for day in days])])
            rows = [Customer(), Customer(number="mine"), Customer(), Customer()]
            print([it.number for it in Customer.objects.bulk_create(rows, batch_size=3)])
            print([call.args[1] for call in draw.mock_calls])
            try:
                Invoice.objects.bulk_create([Invoice(issued_on=date(2026, 1, 1)), Invoice(issued_on="never")])
            except Exception as error:
                print(type(error).__name__, len(draw.mock_calls))
            print(Invoice.objects.count(), Customer.objects.count())
        """
    ) == [
        "['INV-2026-00001', 'INV-2025-00001', 'INV-2026-00002', 'INV-2025-00002']",
        "['C0001', 'mine', 'C0002', 'C0003']",
        "[2, 2, 2, 1]",
        "ValidationError 4",
        "4 4",
    ]


def test_a_date_that_is_set_on_saving_is_asked_for_row_by_row(billing: Project) -> None:
    assert billing.run(
        """
        from datetime import date
        from unittest import mock

        from billing.models import Invoice

        field = Invoice._meta.get_field("issued_on")
        field.auto_now_add = True
        mint = leafmint.LateSeries.next_many
        with mock.patch.object(leafmint.LateSeries, "next_many", autospec=True, side_effect=mint) as draw:
            rows = Invoice.objects.bulk_create([Invoice(), Invoice()])
            print([it.number for it in rows] == [f"INV-{date.today().year}-0000{n}" for n in (1, 2)])
            print([call.args[1] for call in draw.mock_calls])
        """
    ) == ["True", "[1, 1]"]


def test_migrations_are_stable_and_keep_what_is_not_the_default(billing: Project) -> None:
    (migration,) = (billing.folder / "billing/migrations").glob("0001*.py")
    text = migration.read_text()
    assert (
        "leafmint.django.SeriesField(blank=True, editable=False, format='INV-{year}-{number:5}', max_length=64,"
        " on='issued_on', period='year', series='invoice', unique=True, zone='Europe/Madrid')"
    ) in text
    assert "No changes" in billing.manage("makemigrations", "--check")
    assert (
        billing.run(
            """
        from leafmint.django import SeriesField
        from zoneinfo import ZoneInfo

        format, zone = leafmint.Format("{key}{yy}{month}{day}{number:9}" + "-" * 40), ZoneInfo("Asia/Tokyo")
        own = {"unique": False, "editable": True, "blank": False}
        field = SeriesField(period="day", zone=zone, format=format, key="S7", step=9, **own)
        twin = field.clone()
        for it in (field, twin):
            print(it.unique, it.editable, it.blank, it.max_length, it.zone, it.step, it.key, it.format == field.format)
        """
        )
        == ["False True False 84 Asia/Tokyo 9 S7 True"] * 2
    )


def test_forms_and_full_clean_may_leave_a_number_empty(billing: Project) -> None:
    assert billing.run(
        """
        from billing.models import Customer, Invoice
        from django.forms import modelform_factory

        new = Customer(name="Ada")
        new.full_clean()
        new.save()
        Customer._meta.get_field("number").editable = True
        form = modelform_factory(Customer, fields=["name", "number"])
        for given in ("", "C0009"):
            print(form({"name": "Bob", "number": given}).save().number, end=" ")
        print(new.number, form({"name": "Eve", "number": "C0009"}).is_valid())
        """
    ) == ["C0002 C0009 C0001 False"]


def test_a_zone_that_is_not_named_is_that_of_the_settings(billing: Project) -> None:
    assert billing.run(
        """
        from django.test import override_settings
        from leafmint.django import SeriesField

        field = SeriesField(series="order", period="month", format="{year}{month}-{number:4}")
        for zone in ("Asia/Tokyo", "Pacific/Apia"):
            with override_settings(TIME_ZONE=zone):
                print(field.late_series.zone, field.late_series is field.late_series)
        print(SeriesField(series="order", period="forever", format="{number}").late_series.zone)
        """
    ) == ["Asia/Tokyo True", "Pacific/Apia True", "None"]


def test_the_admin_shows_the_number_and_does_not_ask_for_it(billing: Project) -> None:
    assert billing.run(
        """
        from billing.models import Customer
        from django.contrib.auth.models import User
        from django.test import Client

        client = Client()
        client.force_login(User.objects.create_superuser("admin"))
        print(client.post("/admin/billing/customer/add/", {"name": "tea", "_save": ""}).status_code)
        row = Customer.objects.get()
        for page in ("", f"{row.pk}/change/"):
            print(b"C0001" in client.get(f"/admin/billing/customer/{page}").content)
        print(client.post(f"/admin/billing/customer/{row.pk}/change/", {"name": "cup", "_save": ""}).status_code)
        print(Customer.objects.values_list("name", "number").get())
        """
    ) == ["302", "True", "True", "302", "('cup', 'C0001')"]


def test_the_checks_name_what_is_wrong_with_a_field(billing: Project) -> None:
    assert billing.run(
        """
        from django.core import checks
        from django.db import models
        from leafmint.django import SeriesField

        year = {"period": "year", "format": "{year}-{number}"}
        wrong = {
            "format": {**year, "format": "{number}"},
            "zone": {**year, "zone": "Mars/Olympus"},
            "period": {**year, "period": "week"},
            "name": {**year, "series": "a@b"},
            "default": {**year, "default": "x", "db_default": "x"},
            "missing": {**year, "on": "no_such"},
            "time": {**year, "on": "at"},
            "later": {**year, "on": "day"},
            "never": {"period": "forever", "format": "{number}", "on": "day"},
            "taken": {"period": "forever", "format": "{number}", "series": "order"},
        }
        fields = {name: SeriesField(**given) for name, given in wrong.items()}
        fields |= {"at": models.DateTimeField(), "day": models.DateField(auto_now_add=True)}
        fields |= {"right": SeriesField(**year, on="day")}
        Meta = type("Meta", (), {"app_label": "billing"})
        type("Wrong", (models.Model,), {**fields, "__module__": "billing.models", "Meta": Meta})
        found = [(error.obj.name, error.id) for error in checks.run_checks()]
        for code in ("E101", "E104", "E105", "E106", "W003"):
            print(code, *(name for name, id in found if id == f"leafmint.{code}"))
        """
    ) == [
        "E101 default default",
        "E104 format zone period name",
        "E105 missing time later never",
        "E106 taken",
        "W003",
    ]


def test_the_checks_ask_for_a_store_and_warn_of_the_file_that_transactions_lock(billing: Project) -> None:
    assert billing.run(
        """
        from django.core import checks
        from django.test import override_settings

        from django.conf import settings

        file = f"sqlite:///{settings.DATABASES['default']['NAME']}"
        for setting in ({}, {"URL": "memory:"}, {"DATABASE": "default"}, {"URL": file + "?timeout=5s"}):
            with override_settings(LEAFMINT={**setting, "SNOWFLAKE_URL": "local:workers"}):
                found = checks.run_checks(include_deployment_checks=True)
                print(*(f"{error.id} {error.obj}" for error in found if error.id.startswith("leafmint.")))
        """
    ) == [
        "leafmint.E003 None",
        "",
        "leafmint.W003 billing.Invoice.number leafmint.W003 billing.Customer.number",
        "leafmint.W003 billing.Invoice.number leafmint.W003 billing.Customer.number",
    ]


def test_the_test_runner_mints_from_its_own_store_in_memory(billing: Project) -> None:
    (billing.folder / "billing/tests.py").write_text(
        """
from django.test import TestCase

from .models import Customer


class Numbered(TestCase):
    def test_a_number_within_a_transaction(self):
        self.assertEqual([Customer.objects.create().number for _ in range(3)], ["C0001", "C0002", "C0003"])
"""
    )
    billing.settings["LEAFMINT"] = {"DATABASE": "default", "SNOWFLAKE_URL": "local:workers"}
    assert "OK" in billing.manage("test", "billing")
