"""A small application on Spring Boot, packed in every way: how it is started."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from pathlib import Path

from id_texts import ENVIRONMENT, number_of
from invoices import today
from shops import APPS, Site

BOOTS = ["3.5", "4.1"]
KIOSK = APPS / "spring_kiosk"
QUICK = ["-XX:TieredStopAtLevel=1"]
START_SECONDS = 180
"""Longest start of an application on a busy machine."""
PATIENT = {"SEGMENT_TIMEOUT": "50s", "SEGMENT_CONNECTTIMEOUT": "50s", "SNOWFLAKE_TIMEOUT": "50s"}
"""Options for a busy machine: no kiosk loses its database."""


def war(boot: str) -> Path:
    """Returns the packed application."""
    path = KIOSK / f"boot-{boot}/target/spring-kiosk.war"
    assert path.exists(), f"{path} is missing: run `make jars` first"
    return path


def environment(database: str) -> dict[str, str]:
    """Returns the settings of an application with this database."""
    account, address = database.removeprefix("mysql://").split("@")
    user, _, password = account.partition(":")
    return {
        **os.environ,
        **ENVIRONMENT,
        **{f"LEAFMINT_{option}": value for option, value in PATIENT.items()},
        # Without the option, Hibernate takes the table of another kiosk's database for its own.
        "SPRING_DATASOURCE_URL": f"jdbc:mariadb://{address}?nullDatabaseMeansCurrent=true",
        "SPRING_DATASOURCE_USERNAME": user,
        "SPRING_DATASOURCE_PASSWORD": password,
    }


class Kiosk(Site):
    """One running kiosk."""

    metrics = "/actuator/health"

    def __init__(self, command: list[str], database: str, scratch: Path) -> None:
        super().__init__("kiosk", scratch / "kiosk.log")
        self.launch(command, scratch, {**environment(database), "SERVER_PORT": str(self.port)})
        self.wait(START_SECONDS)

    def sell(self) -> int:
        """Returns the id of a sale, and checks that its receipt is a snowflake, and its number one of the day."""
        since = today()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/sales", b"", timeout=60) as answer:
                sale = json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(self.output()) from error
        assert number_of(sale["receipt"]) > 2**53
        assert sale["number"].startswith((f"{since:%Y%m%d}-", f"{today():%Y%m%d}-"))
        return number_of(sale["id"])
