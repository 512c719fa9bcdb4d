"""Starts throwaway Prometheus servers for tests, which scrape processes every few seconds."""

from __future__ import annotations

import json
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import IO, Any

from packages import need
from throwaway import START_SECONDS, Throwaway


class Prometheus(Throwaway):
    """A throwaway server on a free port of 127.0.0.1 that scrapes other ports, and has the rules of a file.

    With rules it scrapes every second. A target has as long to answer, else it is down.
    """

    name = "Prometheus"

    def __init__(self, *scraped: int, rules: Path | None = None) -> None:
        need(["prometheus"], ["prometheus"], "")
        super().__init__()
        targets = [f"127.0.0.1:{port}" for port in scraped]
        config = {
            "global": {"scrape_interval": "1s" if rules else "5s", "evaluation_interval": "1s"},
            "rule_files": [str(rules)] if rules else [],
            "scrape_configs": [{"job_name": "app", "static_configs": [{"targets": targets}]}],
        }
        with self.removed_on_failure():
            (self.folder / "prometheus.yml").write_text(json.dumps(config))
            self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts the server's process."""
        command = [
            "prometheus", f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/data",
            f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn",
        ]  # fmt: skip
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def answers(self) -> bool:
        """Returns whether the server answers queries."""
        try:
            return self.ask("vector(1)") == 1
        except OSError:
            return False

    def ask(self, query: str) -> float | None:
        """Returns the number that a query gives; None if it gives none."""
        result = self.results(query)
        return float(result[0]["value"][1]) if result else None

    def results(self, query: str) -> list[dict[str, Any]]:
        """Returns each result of a query, with its labels as `metric`."""
        url = f"{self.url}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            found: list[dict[str, Any]] = json.load(answer)["data"]["result"]
        return found

    def alerts(self) -> set[str]:
        """Returns the alerts that have rung in the last hour."""
        query = 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1h]))'
        return {each["metric"]["alertname"] for each in self.results(query)}

    def wait_until(self, query: str, least: float) -> None:
        """Waits until a query gives at least this number."""
        deadline = time.monotonic() + START_SECONDS
        while (self.ask(query) or 0) < least:
            assert time.monotonic() < deadline, query
            time.sleep(0.2)
