"""A headless Chromium, which installs itself, and what it complained about and requested."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from packages import need
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
]  # fmt: skip
CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"


class Browser:
    """One window, whose size and colour scheme a test chooses."""

    def __init__(self, driver: Chrome) -> None:
        """Takes the driver of a browser."""
        self.driver = driver

    def open(self, url: str, *, width: int = 1100, height: int = 1000, scheme: str = "light") -> None:
        """Opens a page in a window of this size, and forgets what happened before."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get("about:blank")
        self.complaints()
        self.requests()
        self.driver.get(url)

    def run(self, script: str, *arguments: Any) -> Any:
        """Returns what a script returns."""
        return self.driver.execute_script(script, *arguments)

    def text(self, selector: str) -> str:
        """Returns the text of an element, as a reader sees it."""
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def texts(self, selector: str) -> list[str]:
        """Returns the texts of elements."""
        return list(self.run("return [...document.querySelectorAll(arguments[0])].map((it) => it.innerText)", selector))

    def wait_for(self, selector: str, text: str) -> None:
        """Waits until an element has this text, among others."""
        WebDriverWait(self.driver, 60).until(lambda _: any(text in found for found in self.texts(selector)), text)

    def type(self, selector: str, text: str) -> None:
        """Sets the value of a field, as typing does."""
        self.run(
            "const field = document.querySelector(arguments[0]); field.value = arguments[1];"
            "field.dispatchEvent(new Event('input', {bubbles: true}))",
            selector,
            text,
        )

    def press(self, key: str) -> None:
        """Presses a key."""
        ActionChains(self.driver).send_keys(key).perform()

    def complaints(self) -> list[str]:
        """Returns what is new in the console: errors, and violations of the content security policy."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Returns the addresses that were requested since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [it["params"]["request"]["url"] for it in events if it["method"] == "Network.requestWillBeSent"]


@contextmanager
def started(profile: Path) -> Iterator[Browser]:
    """Starts a browser with a new profile, and ends it."""
    need(["chromium", "chromedriver"], ["chromium", "chromium-driver"], "")
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS, f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
