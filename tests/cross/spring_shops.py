"""The sample application on Spring Boot: how it is started on each version, and what its actuator reports."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from pathlib import Path

from id_texts import ENVIRONMENT, number_of
from mariadb import MariaDb
from shops import APPS, Site

BOOTS = ["3.5", "4.0", "4.1"]
TAG = "shop_order"


class SpringShop(Site):
    """One running sample application on a version of Spring Boot."""

    metrics = "/actuator/prometheus"

    def __init__(self, boot: str, server: MariaDb, scratch: Path) -> None:
        super().__init__(f"boot-{boot}", scratch / f"boot-{boot}.log")
        jar = APPS / f"spring_shop/{self.name}/target/spring-shop.jar"
        assert jar.exists(), f"{jar} is missing: run `make jars` first"
        environment = {
            **os.environ,
            **ENVIRONMENT,
            "SERVER_PORT": str(self.port),
            "SPRING_DATASOURCE_URL": f"jdbc:mariadb://127.0.0.1:{server.port}/leafmint",
            "SPRING_DATASOURCE_USERNAME": "root",
            "LEAFMINT_AUDIT_MAXAGE": "0s",
        }
        self.launch(["java", "-XX:TieredStopAtLevel=1", "-jar", str(jar)], scratch, environment)

    def health(self) -> tuple[str, str]:
        """Returns the status of leafmint's health, and the page that has it."""
        try:
            page = self.get("/actuator/health/leafmint")
        except urllib.error.HTTPError as error:
            page = error.read().decode()
        return json.loads(page)["status"], page

    def of_tag(self, name: str) -> float:
        """Returns the value of a metric of the tag of the orders."""
        [[value]] = self.figures(f'{name}{{.*tag="{TAG}".*}}')
        return value

    def batch(self, count: int) -> list[int]:
        """Mints ids without rows."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/batches?count={count}", b"")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return [number_of(id) for id in json.loads(answer.read())]
