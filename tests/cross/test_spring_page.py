"""The first application of the page "Spring Boot" runs as it is shown, on Spring Boot 4.1."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.request
from pathlib import Path

from kiosks import KIOSK, QUICK, Kiosk
from programs import TOP

PAGE = (TOP / "docs/spring-boot.md").read_text()
FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_first_application_stores_purchases_with_ids_that_count_up(database: str, tmp_path: Path) -> None:
    files = dict(FILE.findall(PAGE))
    assert set(files) == {"application.yaml", "ShopApplication.java"}
    # Apart from the log: devtools start the application anew if a file of its class path changes.
    classes = tmp_path / "classes"
    classes.mkdir()
    for name, text in files.items():
        (classes / name).write_text(text)
    libraries = (KIOSK / "boot-4.1/target/class-path.txt").read_text().strip()
    source = str(classes / "ShopApplication.java")
    subprocess.run(["javac", "-proc:none", "-cp", libraries, "-d", str(classes), source], check=True)
    path = f"{classes}{os.pathsep}{libraries}"
    shop = Kiosk(["java", *QUICK, "-cp", path, "shop.ShopApplication"], database, tmp_path)
    try:
        answers = [
            urllib.request.urlopen(f"http://127.0.0.1:{shop.port}/purchases", b"", timeout=60).read().decode()
            for _ in range(2)
        ]
    finally:
        shop.stop()
    assert answers == ["purchase 1", "purchase 2"]
