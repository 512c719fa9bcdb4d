"""No variable of a frame of leafmint has a password: reporters of errors show the variables of every frame."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import leafmint
import pytest
from django_projects import Project
from leafmint import late_binding
from testing import SENTINEL

PACKAGE = str(Path(leafmint.__file__).parent)
WRONG_URL = f"mysql://root:{SENTINEL}@host/db?no_such=1"


def variables_of(error: BaseException | None) -> Iterator[tuple[str, str, str]]:
    """Yield function, name and text of each variable of leafmint's frames, of an error and of those behind it."""
    while error is not None:
        trace: TracebackType | None = error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename.startswith(PACKAGE):
                yield code.co_name, "", ""
                yield from ((code.co_name, name, repr(value)) for name, value in trace.tb_frame.f_locals.items())
            trace = trace.tb_next
        error = error.__context__


def leaks(error: BaseException) -> list[tuple[str, str]]:
    """Return the function and the name of each variable that has the password."""
    found = list(variables_of(error))
    assert found, "no frame of leafmint"
    return [(function, name) for function, name, text in found if SENTINEL in text]


@pytest.fixture(autouse=True)
def unbound() -> Iterator[None]:
    """Bind nothing afterwards."""
    yield
    late_binding._replace(late_binding.Binding())


@pytest.mark.parametrize(
    "mint",
    [
        lambda: leafmint.tag("order").next_id(),
        lambda: leafmint.tag("order")(),
        lambda: leafmint.snowflake().next_ids(2),
        lambda: leafmint.segment_generator(),
    ],
)
@pytest.mark.parametrize(
    ("url", "options"), [(WRONG_URL, {}), ("mysql://host/db", {"password": SENTINEL, "no_such": 1})]
)
def test_a_late_bound_call_leaks_no_password(mint: Callable[[], object], url: str, options: dict[str, Any]) -> None:
    leafmint.configure(url, options=options, snowflake_options=options)
    with pytest.raises(leafmint.InvalidConfigError) as raised:
        mint()
    assert leaks(raised.value) == []


def test_the_variables_of_the_environment_are_in_no_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAFMINT_URL", WRONG_URL)
    for mint in (leafmint.tag("order").next_id, leafmint.snowflake().next_id):
        with pytest.raises(leafmint.InvalidConfigError) as raised:
            mint()
        assert leaks(raised.value) == []


def test_a_close_that_fails_leaks_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object) -> None:
        raise leafmint.StoreUnavailableError("of a close")

    monkeypatch.setattr(late_binding.Binding, "close", fail)
    with pytest.raises(leafmint.StoreUnavailableError) as raised:
        leafmint.configure(WRONG_URL, snowflake_url=WRONG_URL, options={"password": SENTINEL})
    assert leaks(raised.value) == []
    monkeypatch.undo()


DJANGO = f"""
import sys

sys.path.insert(0, {str(Path(__file__).parent)!r})
from django.conf import settings
from leafmint.django import configuration
from leafmint.django.database import DjangoDatabase
from leafmint.django.management.commands import leafmint as command
from test_secrets_in_frames import SENTINEL, WRONG_URL, leaks


def configured(call, **setting):
    settings.LEAFMINT = {{"URL": WRONG_URL, "OPTIONS": {{"password": SENTINEL}}}} | setting
    return call()


for call in (
    lambda: DjangoDatabase("other").lent(),
    lambda: DjangoDatabase("gone").connect(),
    lambda: configured(configuration.configure, OPTIONS=7),
    lambda: (configured(configuration.configure), configuration.open_store()),
    lambda: (configured(configuration.configure, URL=7), command.run(["tags", "list"])),
):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, leaks(error))
"""


def test_no_variable_of_the_django_integration_has_a_password(project: Project) -> None:
    account = {"PASSWORD": SENTINEL, "OPTIONS": {"password": SENTINEL}}
    project.settings["DATABASES"] = {
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "app.sqlite3"},
        "other": {"ENGINE": "django.db.backends.dummy", **account},
        "gone": {"ENGINE": "django.db.backends.postgresql", "NAME": "shop", "HOST": "/nowhere", **account},
    }
    errors = ["InvalidConfigError", "OperationalError", "TypeError", "InvalidConfigError", "TypeError"]
    assert project.run(DJANGO) == [f"{error} []" for error in errors]


def test_a_page_about_an_error_shows_no_password_that_is_an_option(project: Project) -> None:
    (project.folder / "urls.py").write_text(
        "from django.urls import path\nfrom shop.models import Item\n"
        "urlpatterns = [path('broken/', lambda request: Item.objects.create())]\n"
    )
    wrong = {"URL": "mysql://app@host/ids?no_such=1", "OPTIONS": {"password": SENTINEL}}
    project.settings = {"LEAFMINT": wrong, "DEBUG": True, "LOGGING_CONFIG": None, "ALLOWED_HOSTS": ["*"]}
    assert project.run(
        """
        from django.test import Client

        answer = Client(raise_request_exception=False).get("/broken/")
        print(answer.status_code, "LEAFMINT" in answer.text, "no_such" in answer.text, "s3ntinel" in answer.text)
        """
    ) == ["500 True True False"]


def test_a_password_in_a_url_of_the_setting_is_warned_of(project: Project) -> None:
    urls = ["mysql://app:s3ntinel@host/ids", "jdbc:mysql://host/ids?user=app&password=s3ntinel", "mysql://app@host/ids"]
    assert project.run(
        f"""
        from django.conf import settings
        from leafmint.django.checks.settings import check_passwords

        for url in {urls}:
            settings.LEAFMINT = {{"URL": url, "SNOWFLAKE_URL": url}}
            print([(found.id, "s3ntinel" in found.msg + found.hint) for found in check_passwords()])
        """
    ) == ["[('leafmint.W002', False), ('leafmint.W002', False)]"] * 2 + ["[]"]
