"""The command `mint`."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import LEAFMINT, Ran, environment, leafmint, start
from testing import SENTINEL, UNREACHABLE, rows


def test_ids_of_a_tag_are_printed_and_the_others_given_back(url: str) -> None:
    assert leafmint("mint", "order", "--count", "3", LEAFMINT_URL=url) == (0, "1\n2\n3\n", "")
    ran = leafmint("mint", "order", "--json", "--url", url, LEAFMINT_URL="memory:")
    assert ran.json() == {"id": "4"}
    assert [row[:2] for row in rows(url)] == [("order", 5)]


def test_snowflakes_come_from_the_holder_and_are_decoded_by_the_next_command(local: str) -> None:
    minted = leafmint("mint", "--snowflake", "-n", "2", LEAFMINT_SNOWFLAKE_URL=local, LEAFMINT_URL=UNREACHABLE)
    assert minted.code == 0
    decoded = [json.loads(line) for line in leafmint("decode", "--json", stdin=minted.out).lines]
    assert [part["id"] for part in decoded] == minted.lines
    assert [part["worker_id"] for part in decoded] == [0, 0]


def test_ids_carry_the_gene(url: str) -> None:
    ran = leafmint("mint", "order", "--gene-bits", "4", "--gene", "5", "-n", "3", "--url", url)
    assert [int(line) % 16 for line in ran.lines] == [5, 5, 5]


def test_a_tag_in_another_script_is_a_tag_in_every_locale(url: str) -> None:
    assert leafmint("mint", "订单-é", "--url", url, LC_ALL="C").code == 0
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert (
        leafmint("mint", "订单-é", "--url", url, command=["env", *map("=".join, ascii_only.items()), *LEAFMINT]).code
        == 0
    )
    assert [row[0] for row in rows(url)] == ["订单-é"]


def failed(ran: Ran) -> tuple[int, str]:
    """Return the exit code and the code of the error, which is all that is printed, without a password."""
    assert (ran.out, len(ran.err.splitlines())) == ("", 1)
    assert SENTINEL not in ran.err
    return ran.code, ran.err.split(": ")[1]


def test_a_failure_has_a_code_for_probes_and_names_no_password(url: str) -> None:
    short = ["--timeout", "300ms"]
    assert failed(leafmint("mint", "order", *short, LEAFMINT_URL=UNREACHABLE)) == (1, "segment_unavailable")
    assert failed(leafmint("mint", "order", "-o", "auto_create=false", "--url", url)) == (2, "unknown_tag")
    assert failed(leafmint("mint", "order", LEAFMINT_URL=f"oracle://root:{SENTINEL}@host/db")) == (2, "invalid_config")
    assert failed(leafmint("mint", "order")) == (2, "invalid_config")
    assert failed(leafmint("mint", "--url", url)) == (2, "invalid_argument")
    error = json.loads(leafmint("mint", "order", "--json", *short, LEAFMINT_URL=UNREACHABLE).err)["error"]
    assert (error["code"], error["retryable"]) == ("segment_unavailable", True)
    error = json.loads(leafmint("mint", "order", "--json", LEAFMINT_URL="oracle://host/db").err)["error"]
    assert (error["code"], error["reason"], error["server_code"]) == ("invalid_config", "unserved_url", None)


@pytest.mark.parametrize(
    "arguments",
    [
        [f"mysql://root:{SENTINEL}@host/db"],
        [f"--urll=mysql://root:{SENTINEL} '\n@host/db"],
        ["-o", f"password={SENTINEL}"],
        ["-n", f"mysql://root:{SENTINEL}'\"@host/db"],
        [f"--password={SENTINEL}"],
    ],
)
def test_a_wrong_usage_repeats_no_password(arguments: list[str]) -> None:
    ran = leafmint("mint", "order", *arguments)
    assert (ran.code, ran.out, SENTINEL in ran.err) == (2, "", False)
    assert "leafmint" in ran.err


def test_a_reader_that_ends_early_ends_the_command_quietly_and_ids_are_given_back(url: str) -> None:
    with start("mint", "order", "-n", "100000000", "--url", url) as process:
        assert process.stdout
        assert [process.stdout.readline() for _ in range(3)] == ["1\n", "2\n", "3\n"]
        process.stdout.close()
        assert process.stderr
        assert (process.wait(120), process.stderr.read()) == (0, "")
    assert rows(url)[0][1] < 100_000


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_command_gives_ids_back(url: str, number: signal.Signals, code: int) -> None:
    with start("mint", "order", "-n", "1000000000", "--progress", "--url", url) as process:
        assert process.stdout
        assert process.stderr
        minted = [process.stdout.readline() for _ in range(200_000)]
        process.send_signal(number)
        # Not with communicate(), which passes over the lines that readline() has read ahead.
        last = int([*minted, *process.stdout][-1])
        err = process.stderr.read()
    assert process.returncode == code
    assert "Traceback" not in err
    assert "of 1,000,000,000 ids" in err
    # What was taken and not yet written is lost.
    assert last < rows(url)[0][1] <= last + 200


def test_an_interrupted_command_does_not_wait_for_a_reader_that_has_stopped(url: str) -> None:
    with start("mint", "order", "-n", "1000000000", "--url", url) as process:
        assert process.stdout
        assert process.stdout.readline() == "1\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 130
        *_, last = process.stdout.read().splitlines(keepends=True)
    assert last.endswith("\n")
    assert int(last) < rows(url)[0][1] <= int(last) + 200


def test_a_closed_or_full_standard_output_is_named(url: str) -> None:
    command = [*LEAFMINT, "mint", "order", "-n", "5", "--url", url]
    closed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], stderr=subprocess.PIPE, text=True)
    assert (closed.returncode, closed.stderr) == (1, "leafmint: failed: the standard output is closed\n")
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment())
    assert (ran.returncode, ran.stderr) == (1, f"leafmint: failed: [Errno 28] {os.strerror(28)}\n")


def test_an_error_never_goes_to_the_standard_output() -> None:
    ran = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *LEAFMINT, "mint"], stdout=subprocess.PIPE, env=environment())
    assert (ran.returncode, ran.stdout) == (2, b"")


def test_progress_is_shown_on_a_terminal_and_nowhere_else(url: str) -> None:
    main, terminal = os.openpty()
    arguments = [*LEAFMINT, "mint", "order", "-n", "1000000000", "--url", url]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=terminal, env=environment()) as process:
        os.close(terminal)
        shown = ""
        while " of 1,000,000,000 ids" not in shown:
            shown += os.read(main, 1000).decode()
        process.terminate()
    os.close(main)
    assert shown.startswith("\r")
    assert leafmint("mint", "order", "-n", "10", "--url", url).err == ""
