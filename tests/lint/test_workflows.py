"""The workflows of CI and release do what they may, for every platform. actionlint and zizmor check the rest."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from programs import TOP

FOLDER = TOP / ".github/workflows"
WORKFLOWS = {file.stem: yaml.safe_load(file.read_text()) for file in sorted(FOLDER.glob("*.yml"))}
JOBS = [(name, job, body) for name, workflow in WORKFLOWS.items() for job, body in workflow["jobs"].items()]
STEPS = [(f"{name}/{job}", step) for name, job, body in JOBS for step in body.get("steps", [])]
RUNS = [(where, step["name"], step["run"]) for where, step in STEPS if "run" in step]
# Read the code, prove who runs, sign what was built, make the page.
ALLOWED = {"contents": "read", "id-token": "write", "attestations": "write"}
PUBLISHING = {"attest", "pypi", "maven", "page"}


def job(workflow: str, name: str) -> dict[str, Any]:
    """Returns a job."""
    found: dict[str, Any] = WORKFLOWS[workflow]["jobs"][name]
    return found


def text_of(name: str) -> str:
    """Returns the text of a workflow."""
    return (FOLDER / f"{name}.yml").read_text()


def test_no_workflow_may_do_anything_and_each_job_says_what_it_may() -> None:
    assert {name: workflow["permissions"] for name, workflow in WORKFLOWS.items()} == {name: {} for name in WORKFLOWS}
    for _, name, body in JOBS:
        more = dict(body["permissions"].items() - ALLOWED.items())
        assert more == ({"contents": "write"} if name == "page" else {}), name
        assert name in PUBLISHING or body["permissions"] == {"contents": "read"}, name
        assert "timeout-minutes" in body or "uses" in body, name


def test_every_action_is_pinned_by_the_hash_of_a_commit_with_its_version() -> None:
    for name in WORKFLOWS:
        for line in re.findall(r"uses: (.*)", text_of(name)):
            assert re.fullmatch(r"\./\.github/workflows/\w+\.yml|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_what_builds_releases_is_pinned_by_hashes() -> None:
    """`--require-hashes` makes pip refuse what has none; the file must follow the list that it is made from."""
    pinned = (TOP / "requirements-dist.txt").read_text()
    for requirement in (TOP / "requirements-dist.in").read_text().split():
        assert f"\n{requirement} \\\n    --hash=sha256:" in pinned, requirement
    assert "--require-hashes --requirement requirements-dist.txt" in (TOP / "Makefile").read_text()


def test_a_checkout_leaves_no_credentials_behind() -> None:
    checkouts = [step for _, step in STEPS if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert all(step["with"] == {"persist-credentials": False} for step in checkouts)


@pytest.mark.parametrize(("where", "name", "text"), RUNS, ids=[f"{where}: {name}" for where, name, _ in RUNS])
def test_a_step_of_shell_parses_and_calls_what_is_there(where: str, name: str, text: str) -> None:
    # Values of the workflow may hold shell code, so they come by the environment. The matrix is the workflow's own.
    assert set(re.findall(r"\$\{\{ ([\w.]+)", text)) <= {"matrix.java"}
    subprocess.run(["bash", "-n"], input=re.sub(r"\$\{\{.*?\}\}", "x", text), text=True, check=True)
    makefile = (TOP / "Makefile").read_text().replace("$(VENV)", ".venv")
    targets = set(re.findall(r"^([.\w/-]+):(?!=)", makefile, re.MULTILINE))
    assert set(re.findall(r"^ *make ([.\w/-]+)", text, re.MULTILINE)) <= targets
    for file in re.findall(r"(?<![\w/.-])((?:tests|dist|\.ci)/[\w./-]+)", text):
        assert (TOP / file).is_file(), file


def test_every_platform_of_the_jar_is_built_on_a_machine_of_its_own_and_packed() -> None:
    java = (TOP / "jvm/java/src/main/java/io/github/leafmint/internal/natives/Platform.java").read_text()
    published = set(re.findall(r'"(\w+(?:-\w+)+)"', java.partition("Set.of(")[2].partition(";")[0]))
    built = [row for part in ("natives", "musl") for row in job("dist", part)["strategy"]["matrix"]["include"]]
    assert {row["platform"] for row in built} == published
    assert set(re.findall(r"--platform ([\w-]+)", text_of("dist"))) - {"host"} == published
    assert all(
        ("arm" in row["runner"] or row["runner"] == "macos-15") == ("aarch64" in row["platform"]) for row in built
    )


def test_free_threaded_python_gets_a_wheel_of_its_own() -> None:
    steps = [step["run"] for step in job("dist", "natives")["steps"] if "run" in step]
    assert any("--interpreter python3.14t" in run for run in steps)


def test_started_by_hand_a_release_publishes_nothing_unless_told_to() -> None:
    # YAML reads the key `on` as true.
    start = WORKFLOWS["release"][True]
    assert start["workflow_dispatch"]["inputs"]["dry_run"]["default"] is True
    assert start["push"] == {"tags": ["v*"]}
    for name, body in WORKFLOWS["release"]["jobs"].items():
        assert (body.get("if") == "needs.version.outputs.publish == 'true'") == (name in PUBLISHING), name
        assert "secrets." not in str(body) or "environment" in body, name
    assert {"ci", "nightly"} <= set(job("release", "attest")["needs"])
    assert all("attest" in job("release", name)["needs"] for name in ("pypi", "maven"))


@pytest.mark.parametrize(
    ("dry_run", "ref", "status", "output"),
    [
        ("true", "refs/heads/main", 0, "publish=false"),
        ("false", "refs/tags/v99.0.0", 1, ""),
        ("", "refs/tags/v99.0.0", 1, ""),
        ("false", "refs/heads/main", 1, ""),
    ],
)
def test_only_the_tag_of_the_version_publishes(
    tmp_path: Path, dry_run: str, ref: str, status: int, output: str
) -> None:
    (step,) = (step for step in job("release", "version")["steps"] if step.get("id") == "decide")
    variables = {"DRY_RUN": dry_run, "GITHUB_REF": ref, "GITHUB_OUTPUT": str(tmp_path / "output")}
    (tmp_path / "output").touch()
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", step["run"]],
        cwd=TOP, env={"PATH": "/usr/local/bin:/usr/bin:/bin", **variables}, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == status, run.stderr
    assert (tmp_path / "output").read_text().strip() == output
