"""Worker ids from the ordinal of a StatefulSet's pod, as all languages read them."""

import os
import uuid
from pathlib import Path
from typing import Any

import leafmint
import pytest
from testing import vector


def set_variable(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the environment variable of a case."""
    if case["value"] is None:
        monkeypatch.delenv(case["env"], raising=False)
    else:
        monkeypatch.setenv(case["env"], case["value"])


@pytest.mark.parametrize("case", vector("ordinals")["accepted"], ids=lambda case: case["url"])
def test_an_ordinal_is_the_worker_id(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(case, monkeypatch)
    with leafmint.SnowflakeGenerator(case["url"], namespace=f"py-{os.getpid()}", state_dir=tmp_path) as flakes:
        assert flakes.decode(flakes.next_id()).worker_id == case["worker_id"]


@pytest.mark.parametrize("case", vector("ordinals")["refused"], ids=lambda case: case["url"])
def test_what_is_no_ordinal_is_a_named_error(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    set_variable(case, monkeypatch)
    with pytest.raises(leafmint.LeafmintError) as refused:
        leafmint.SnowflakeGenerator(case["url"])
    assert refused.value.code == case["code"]
    assert [mention for mention in case["mentions"] if mention not in str(refused.value)] == []


def test_the_ordinal_is_given_by_keywords_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POD_INDEX", "3")
    url = f"local:{tmp_path}/workers"
    options: dict[str, Any] = {"workers": "ordinal", "ordinal_env": "POD_INDEX", "ordinal_offset": 100}
    with leafmint.SnowflakeGenerator(url, **options) as flakes:
        assert flakes.decode(flakes.next_id()).worker_id == 103
        with (
            leafmint.SnowflakeGenerator(url, timeout=2, **options) as second,
            pytest.raises(leafmint.WorkerIdUnavailableError),
        ):
            second.next_id()


def test_a_second_pod_with_the_ordinal_waits_until_the_row_of_the_first_one_has_ended(
    server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POD", "web-5")
    options: dict[str, Any] = {"workers": "ordinal", "ordinal_env": "POD", "state_files": False, "auto_create": True}
    options["namespace"] = f"ordinal-{uuid.uuid4().hex}"
    with leafmint.SnowflakeGenerator(server_url, **options) as first:
        last = max(first.next_ids(100))
        assert first.decode(last).worker_id == 5
        second = leafmint.SnowflakeGenerator(server_url, timeout=3, **options)
        with pytest.raises(leafmint.WorkerIdUnavailableError):
            second.next_id()
    with second:
        assert second.next_id(timeout=30) > last
