"""The manifests of the page "Kubernetes" are run as far as one host can: environment, volumes, probe, no writable disk.

A pod is a process in namespaces of its own, with the pod's host name, without capabilities, on a read-only root file
system. Its user is the one that runs the tests, who may read the checkout.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import leafmint
import pytest
import yaml
from programs import TOP, finish, kill, mint_commands, start

PAGE = (TOP / "docs/kubernetes.md").read_text()
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
DOCUMENTS: list[dict[str, Any]] = [document for block in BLOCKS for document in yaml.safe_load_all(block)]
WORKLOADS = {it["metadata"]["name"]: it for it in DOCUMENTS if it["kind"] in ("Deployment", "StatefulSet")}
SECRETS = {it["metadata"]["name"]: it["stringData"] for it in DOCUMENTS if it["kind"] == "Secret"}
POD_INDEX = "metadata.labels['apps.kubernetes.io/pod-index']"
PLACEHOLDER = "mysql://user:password@host/database"
BIN = Path(sys.executable).parent

SANDBOX = """
    hostname "$1" && mount --make-rprivate / || exit 125
    volume=$2 at=$3; shift 3
    [ -z "$volume" ] || { mount -t tmpfs none /var/lib && mkdir -p "$at" && mount --bind "$volume" "$at"; } || exit 125
    awk '{ print $2 }' /proc/self/mounts | while read -r mounted; do
        case $mounted in /proc*|/sys*|"${at:-/proc}") ;; *) mount -o remount,bind,ro "$mounted" 2>&- ;; esac
    done
    exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
"""

MINT = """
import errno, os, sys, leafmint
try:
    open(sys.argv[1], "w")
except OSError as error:
    assert error.errno == errno.EROFS, error
else:
    raise AssertionError("the file system can be written")
with leafmint.SnowflakeGenerator(os.environ["LEAFMINT_SNOWFLAKE_URL"], timeout=float(sys.argv[2])) as flakes:
    ids = flakes.next_ids(100)
    print(flakes.worker_id, ids[0], ids[-1], flush=True)
    sys.stdin.read()
"""


class Pod:
    """A pod of a manifest."""

    def __init__(
        self, workload: dict[str, Any], ordinal: int, database: str, volumes: Path, made: list[Minted]
    ) -> None:
        name = workload["metadata"]["name"]
        self.ordinal, self.database, self.folder, self.made = ordinal, database, volumes, made
        self.spec = workload["spec"]["template"]["spec"]
        [self.container] = self.spec["containers"]
        is_set = workload["kind"] == "StatefulSet"
        self.host = f"{name}-{ordinal}" if is_set else f"{name}-7d4b9c6f5-x{ordinal}x8z"
        self.volume, self.mounted = "", ""
        for mount in self.container.get("volumeMounts", []):
            volume = volumes / f"{mount['name']}-{ordinal}"
            volume.mkdir(exist_ok=True)
            self.volume, self.mounted = str(volume), mount["mountPath"]

    def environment(self) -> dict[str, str]:
        """Returns the environment of the container."""
        variables = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "HOME": "/"}
        for variable in self.container["env"]:
            value = variable.get("value") or self.refer(variable["valueFrom"])
            variables[variable["name"]] = value.replace(PLACEHOLDER, self.database)
        return variables

    def refer(self, source: dict[str, Any]) -> str:
        """Returns the value that a reference stands for."""
        if "secretKeyRef" in source:
            return str(SECRETS[source["secretKeyRef"]["name"]][source["secretKeyRef"]["key"]])
        assert source["fieldRef"]["fieldPath"] == POD_INDEX
        return str(self.ordinal)

    def within(self, *command: object) -> list[str]:
        """Returns a command that runs in the container."""
        unshare = ["unshare", "--mount", "--uts", *([] if os.geteuid() == 0 else ["--map-root-user"])]
        variables = [f"{name}={value}" for name, value in self.environment().items()]
        sandbox = ["sh", "-c", SANDBOX, "sh", self.host, self.volume, self.mounted]
        return [*unshare, *sandbox, "env", "-i", *variables, *map(str, command)]

    def probe(self) -> subprocess.CompletedProcess[str]:
        """Runs the start-up probe, which must need half of its time at most, as far as it is the processor's."""
        probe = self.container["startupProbe"]
        before = used()
        ran = subprocess.run(self.within(*probe["exec"]["command"]), capture_output=True, text=True, timeout=60)
        assert used() - before < probe["timeoutSeconds"] / 2
        return ran

    def mint(self, timeout: float = 10) -> Minted:
        """Starts the application, which mints and waits for its end."""
        self.made.append(Minted(start(self.within(sys.executable, "-c", MINT, self.folder / "written", timeout))))
        return self.made[-1]


def used() -> float:
    """Returns the processor's seconds that programs which have ended have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Minted:
    """What an application has minted."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout
        line = process.stdout.readline().split()
        self.errors = "" if line else process.communicate()[1]
        self.worker_id, self.first, self.last = map(int, line) if line else (-1, -1, -1)

    def end(self) -> None:
        """Ends it as SIGTERM would, with a close."""
        self.process.communicate(timeout=120)
        assert self.process.returncode == 0


@pytest.fixture
def pods(database: str, tmp_path: Path) -> Iterator[Any]:
    """Makes pods of one database with its tables, as the page says, and ends what they have left."""
    made: list[Minted] = []

    subprocess.run([f"{BIN}/leafmint", "init", "--url", database], check=True, capture_output=True)
    yield lambda name, ordinal: Pod(WORKLOADS[name], ordinal, database, tmp_path, made)
    for minted in made:
        kill(minted.process)


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS)
def test_a_manifest_is_complete_and_restricted(workload: dict[str, Any]) -> None:
    spec = workload["spec"]
    pod = spec["template"]["spec"]
    [container] = pod["containers"]
    assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    claims = {it["metadata"]["name"] for it in spec.get("volumeClaimTemplates", [])}
    assert {it["name"] for it in container.get("volumeMounts", [])} == claims
    command = container["startupProbe"]["exec"]["command"]
    assert container["startupProbe"]["timeoutSeconds"] > 2 * int(command[command.index("--timeout") + 1].rstrip("s"))
    stop = container.get("lifecycle", {"preStop": {"exec": {"command": ["sleep", "0"]}}})["preStop"]["exec"]["command"]
    assert pod["terminationGracePeriodSeconds"] > int(stop[1]) + 30
    assert WORKLOADS.keys() == {"shop", "meter", "ledger"}


@pytest.mark.parametrize(("name", "worker_id"), [("shop", 0), ("meter", 12), ("ledger", 112)])
def test_a_pod_without_a_writable_disk_is_probed_without_taking_an_id_and_mints(
    pods: Any, name: str, worker_id: int
) -> None:
    pod = pods(name, 12)
    ran = pod.probe()
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "ok    worker ids" in ran.stdout
    assert pod.volume == "" or list(Path(pod.volume).iterdir()) == []
    listed = subprocess.run(pod.within("leafmint", "workers", "list", "--json"), capture_output=True, text=True)
    assert json.loads(listed.stdout)["workers"] == []
    minted = pod.mint()
    assert minted.worker_id == worker_id, minted.errors
    assert pod.probe().returncode == 0
    minted.end()


def test_a_probe_fails_where_the_first_id_would(pods: Any) -> None:
    pod = pods("shop", 1)
    secret = dict(SECRETS["leafmint"])
    try:
        for url, words in [
            (PLACEHOLDER, "set state_files=false"),
            ("mysql://127.0.0.1:1/database?state_files=false", "Connection refused"),
            ("fixed:ordinal?state_dir=/var/lib/leafmint", "shop-7d4b9c6f5-x1x8z"),
            ("fixed:7?state_dir=/leafmint", "Read-only file system"),
        ]:
            SECRETS["leafmint"]["snowflake-url"] = url
            ran = pod.probe()
            assert ran.returncode == (1 if "127.0.0.1" in url else 2), ran.stdout
            assert words in ran.stdout + ran.stderr
            assert words in pod.mint(3).errors
    finally:
        SECRETS["leafmint"].update(secret)


def test_the_host_name_of_a_pod_gives_its_worker_id(pods: Any) -> None:
    pod = pods("ledger", 12)
    url = "LEAFMINT_SNOWFLAKE_URL=fixed:ordinal?state_dir=/var/lib/leafmint"
    ran = subprocess.run(pod.within("env", url, "leafmint", "mint", "--snowflake"), capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert leafmint.Layout().decode(int(ran.stdout)).worker_id == 12


@pytest.mark.parametrize("name", ["meter", "ledger"])
def test_a_second_pod_with_the_ordinal_is_refused_and_its_successor_continues_above(pods: Any, name: str) -> None:
    pod = pods(name, 2)
    first = pod.mint()
    assert f"{first.worker_id} " in (refused := pod.mint(3).errors), refused
    assert "WorkerIdUnavailableError" in refused
    other = pods(name, 3).mint()
    assert other.worker_id == first.worker_id + 1, other.errors
    first.end()
    second = pod.mint()
    assert (second.worker_id, second.first > first.last) == (first.worker_id, True), second.errors


def test_a_pod_that_was_killed_continues_from_its_claim(pods: Any) -> None:
    first = pods("ledger", 2).mint()
    kill(first.process)
    second = pods("ledger", 2).mint()
    assert (second.worker_id, second.first > first.last) == (102, True), second.errors


def test_the_row_of_a_pod_that_was_killed_is_free_after_the_lease_of_the_manifest(pods: Any) -> None:
    pod = pods("meter", 2)
    kill(pod.mint().process)
    url = pod.environment()["LEAFMINT_SNOWFLAKE_URL"]
    with leafmint.SnowflakeGenerator(url.split("&workers")[0], workers=2, lease_duration="1m") as flakes:
        [row] = flakes.list_workers()
        assert row.held
        assert 0 < row.horizon.timestamp() - time.time() <= 60
    assert parse_qs(urlsplit(url).query)["lease_duration"] == ["1m"]


@pytest.mark.parametrize("where", ["a temporary directory in memory", "a library in the image"])
def test_java_mints_without_a_writable_disk(pods: Any, where: str) -> None:
    pod = pods("shop", 1)
    java, *arguments = mint_commands()["Java"]
    if where == "a library in the image":
        arguments[:0] = ["-Djava.io.tmpdir=/proc", f"-Dleafmint.native.path={TOP}/target/debug/libleafmint_jni.so"]
    else:
        pod.volume, pod.mounted = str(pod.folder), "/var/lib/tmp"
        arguments[:0] = ["-Djava.io.tmpdir=/var/lib/tmp"]
    url = pod.environment()["LEAFMINT_SNOWFLAKE_URL"]
    summary = finish(start(pod.within(java, *arguments, url, "-", 100, "/dev/null")), 300)
    assert (summary["ids"], summary["worker_id"]) == (100, 0)
