"""The ways to pack a Spring Boot application: ahead of time, layers, a WAR in Tomcat, and devtools."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from id_texts import number_of
from kiosks import BOOTS, KIOSK, QUICK, START_SECONDS, Kiosk, environment, war

EACH_BOOT = [pytest.param(boot, marks=[] if boot == BOOTS[-1] else pytest.mark.long) for boot in BOOTS]


@pytest.fixture
def start(database: str, tmp_path: Path) -> Iterator[Callable[[list[str]], Kiosk]]:
    """Starts a kiosk, and kills it after the test."""
    kiosks: list[Kiosk] = []

    def start(command: list[str]) -> Kiosk:
        kiosks.append(Kiosk(command, database, tmp_path))
        return kiosks[-1]

    yield start
    for kiosk in kiosks:
        for process in kiosk.processes:
            process.kill()
            process.wait()


@pytest.mark.parametrize("boot", EACH_BOOT)
def test_an_application_compiled_ahead_of_time_mints_from_its_layers(
    boot: str, start: Callable[[list[str]], Kiosk], tmp_path: Path
) -> None:
    image = tmp_path / "image"
    extract = ["java", "-Djarmode=tools", "-jar", str(war(boot)), "extract", "--layers", "--launcher"]
    subprocess.run([*extract, "--destination", str(image)], check=True, capture_output=True)
    layers = {path.parents[2].name for path in image.glob("*/WEB-INF/lib/leafmint*.jar")}
    assert layers == {"application"}, "modules of the same build are no dependencies"
    whole = tmp_path / "whole"
    for layer in image.iterdir():
        subprocess.run(["cp", "-r", f"{layer}/.", str(whole)], check=True)
    kiosk = start(
        [
            "java",
            *QUICK,
            "-Dspring.aot.enabled=true",
            "-cp",
            str(whole),
            "org.springframework.boot.loader.launch.WarLauncher",
        ]
    )
    assert "Starting AOT-processed KioskApplication" in kiosk.output()
    assert [kiosk.sell(), kiosk.sell()] == [1, 2]
    assert '"status.json"' in kiosk.get("/actuator/leafmint/page.html")
    status = json.loads(kiosk.get("/actuator/leafmint/status.json"))
    assert (status["errors"], [worker["held"] for worker in status["workers"]]) == ([], [True])
    kiosk.stop()


@pytest.mark.long
@pytest.mark.parametrize("boot", BOOTS)
def test_a_war_is_deployed_to_tomcat_again_and_again(boot: str, database: str, tmp_path: Path) -> None:
    path = (KIOSK / f"boot-{boot}/target/class-path.txt").read_text()
    tomcat = os.pathsep.join(jar for jar in path.split(os.pathsep) if re.search(r"/tomcat-|annotation-api", jar))
    subprocess.run(
        ["javac", "-cp", tomcat, "-d", str(tmp_path), str(Path(__file__).parent / "applications/Redeploy.java")],
        check=True,
    )
    server = ["java", *QUICK, "-cp", f"{tomcat}{os.pathsep}{tmp_path}", "Redeploy", str(war(boot)), str(tmp_path), "2"]
    run = subprocess.run(
        server, env=environment(database), capture_output=True, text=True, timeout=4 * START_SECONDS, check=False
    )
    assert run.returncode == 0, run.stderr
    sales = [number_of(json.loads(line)["id"]) for line in run.stdout.splitlines() if line.startswith('{"')]
    assert sales == [1, 2], run.stdout
    assert "threads 0" in run.stdout


def test_devtools_restart_the_application_without_a_gap_in_its_ids(
    start: Callable[[list[str]], Kiosk], tmp_path: Path
) -> None:
    module = KIOSK / "boot-4.1/target"
    classes = tmp_path / "classes"
    subprocess.run(["cp", "-r", str(module / "classes"), str(classes)], check=True)
    path = f"{classes}{os.pathsep}{(module / 'class-path.txt').read_text().strip()}"
    kiosk = start(["java", *QUICK, "-cp", path, "kiosk.KioskApplication"])
    assert kiosk.sell() == 1
    (classes / "kiosk/Sale.class").touch()
    deadline = time.monotonic() + START_SECONDS
    while kiosk.output().count("Started KioskApplication") < 2:
        assert time.monotonic() < deadline, kiosk.output()
        time.sleep(0.1)
    assert kiosk.sell() == 2
    kiosk.stop()
