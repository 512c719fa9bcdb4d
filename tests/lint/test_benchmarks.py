"""The tools of `make bench`: what a median, its spread, a goal and a quiet machine are, and what the page shows."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import parts
import pytest
import start_page
from figures import Spread, as_text, figures_of, judged, spread_of
from goals import AT_LEAST, AT_MOST, GOALS, Goal
from machine import Look, Ticks, complaints, stolen
from measurement import Measurement, joined, read
from page import Run, missing, page, table
from picture import picture

ADD = Measurement("Rust", "segment id", 1, "fetch_add", "floor", "ns", "", (2.0,) * 7)
OURS = replace(ADD, name="leafmint", role="leafmint", rounds=(2.0, 2.1, 2.1, 2.2, 2.3, 2.3, 20.0))
CLOCK = replace(ADD, language="Java 17", group="snowflake", name="currentTimeMillis", rounds=(30.0,) * 7)
FLAKES = replace(CLOCK, name="leafmint", role="leafmint", rounds=(20.0,) * 7)
COSID = replace(CLOCK, name="CosId", role="peer", rounds=(50.0,) * 7)
STORE = replace(ADD, group="slow store, 100 ms, cold start", threads=None, role="leafmint")
PAUSES = [
    replace(STORE, name="longest wait", unit="round trips", rounds=(1.2, 2.25, 1.1)),
    replace(STORE, name="longest wait after warm-up", unit="ms", rounds=(3.0, 4.5, 1.0)),
    replace(STORE, name="store calls per million ids", unit="leases", rounds=(20.0,)),
]
EVERYTHING = [ADD, OURS, CLOCK, FLAKES, COSID, *PAUSES]
QUIET = Look(load=3.0, busy=0.05, late=(0.1, 0.2, 1.0))


def goal(sense: str, value: float) -> Goal:
    return Goal("Rust", "segment id", 1, "leafmint", "fetch_add", sense, value)


def made(measurements: list[Measurement], complaints: list[str]) -> str:
    pictures = {"Rust": "2026-01-01-rust.svg"}
    return page(Run("2026-01-01", {}, complaints, measurements, figures_of(measurements), pictures, "## Notes"))


def test_the_spread_is_the_median_between_the_quartiles() -> None:
    assert spread_of([7, 1, 6, 2, 5, 3, 4]) == Spread(2.5, 4, 5.5)
    assert spread_of([3.0]) == Spread(3.0, 3.0, 3.0)


@pytest.mark.parametrize(
    ("sense", "value", "word"),
    [
        (AT_MOST, 5.5, "met"),
        (AT_MOST, 5.4, "open"),
        (AT_MOST, 2.5, "open"),
        (AT_MOST, 2.4, "missed"),
        (AT_LEAST, 2.5, "met"),
        (AT_LEAST, 2.6, "open"),
        (AT_LEAST, 5.5, "open"),
        (AT_LEAST, 5.6, "missed"),
    ],
)
def test_a_goal_is_met_or_missed_only_if_both_quartiles_say_so(sense: str, value: float, word: str) -> None:
    assert judged([1, 2, 3, 4, 5, 6, 7], goal(sense, value)) == word


def test_one_slow_round_of_seven_changes_no_word() -> None:
    assert judged([1, 1, 1, 1, 1, 1, 100], goal(AT_MOST, 1.2)) == "met"


def test_fewer_rounds_than_seven_leave_a_goal_open() -> None:
    assert judged([1] * 6, goal(AT_MOST, 2)) == "open"
    assert judged([1] * 7, goal(AT_MOST, 2)) == "met"


def test_a_ratio_is_computed_round_by_round() -> None:
    slow_half = replace(ADD, rounds=(2.0, 2.0, 2.0, 4.0, 4.0, 4.0, 4.0))
    ours = replace(slow_half, name="leafmint", role="leafmint", rounds=(3.0, 3.0, 3.0, 6.0, 6.0, 6.0, 6.0))
    [figure] = figures_of([slow_half, ours])
    assert figure.spread == Spread(1.5, 1.5, 1.5), "a drift of the machine affects both sides alike"


def test_each_floor_is_compared_with() -> None:
    both = replace(ADD, name="fetch_add and a clock read", rounds=(4.0,) * 7)
    against_one, against_both = figures_of([ADD, both, replace(ADD, name="leafmint", role="leafmint")])
    assert (against_one.against, against_both.against) == ("fetch_add", "fetch_add and a clock read")
    assert (against_one.spread.median, against_both.spread.median) == (1, 0.5)


def test_a_peer_is_compared_by_how_many_times_as_fast_leafmint_is() -> None:
    against_clock, against_peer = figures_of([CLOCK, FLAKES, COSID])
    assert against_clock.spread.median == pytest.approx(2 / 3)
    assert against_clock.word == "met"
    assert against_peer.against == "CosId"
    assert against_peer.spread.median == 2.5
    assert against_peer.word == "met"


def test_a_value_without_a_floor_is_a_figure_of_its_own() -> None:
    [longest, *_] = figures_of(PAUSES)
    assert (longest.name, longest.against, longest.spread.median) == ("longest wait", "", 1.2)


def test_rounds_of_several_processes_are_joined() -> None:
    line = '{"group": "memory", "threads": null, "name": "a tag", "role": "leafmint", "unit": "KiB", "how": "",'
    once, again = (read("Rust", f'under way\n{line} "rounds": [{value}]}}\n') for value in (1.5, 2.5))
    [both] = joined([*once, *again])
    assert both.rounds == (1.5, 2.5)


def test_each_figure_has_at_most_one_goal() -> None:
    for each in GOALS:
        language, group = each.language.replace("*", "17"), each.group.replace("*", "100 ms, cold start")
        fitting = [other for other in GOALS if other.fits(language, group, each.threads, each.name, each.against)]
        assert fitting == [each]


def test_a_goal_without_a_figure_is_missing() -> None:
    present = figures_of([ADD, OURS])
    assert len(missing([])) == len(GOALS)
    assert len(missing(present)) == len(GOALS) - 1


def test_a_quiet_machine_has_no_complaint_even_just_after_a_build() -> None:
    assert complaints("before", QUIET) == []


def test_a_loaded_machine_and_late_sleepers_are_named() -> None:
    [loaded] = complaints("before", replace(QUIET, busy=0.8))
    assert "0.80 cores" in loaded
    [late] = complaints("after", replace(QUIET, late=(0.1, 5.0, 9.0)))
    assert "5.00 ms late" in late


def test_processor_time_that_the_host_takes_is_named() -> None:
    before = Ticks(total=100, idle=50, stolen=1)
    assert stolen(before, Ticks(total=200, idle=90, stolen=1.5)) == (0.5, [])
    share, [words] = stolen(before, Ticks(total=200, idle=90, stolen=6))
    assert share == 5
    assert "5.0 %" in words


def test_the_page_leads_with_what_a_user_asks() -> None:
    text = made(EVERYTHING, [])
    lead = text[: text.index("One run of `make bench`")]
    assert "| segment ids per second and core | 455 million |" in lead
    assert "| speed of a snowflake |  | 2.50 x CosId |" in lead
    assert "| 100 ms, cold start | 2.25 | 4.50 ms | 20 |" in lead, "the longest of all rounds"
    assert "![Times of Rust](2026-01-01-rust.svg)" in text
    assert "| segment id, time against fetch_add | 1 | 1.10 x (1.05\N{EN DASH}1.15) | met (≤ 1.2) |" in text
    assert "| snowflake, speed against CosId | 1 | 2.50 x (2.50\N{EN DASH}2.50) | met (≥ 1.4) |" in text


def test_every_figure_is_in_the_table_with_how_it_was_measured() -> None:
    figures = figures_of(EVERYTHING)
    head, first, *others = table(figures).splitlines()
    assert head.endswith("times,how")
    assert first.startswith('Rust,1.10 x,1.05 to 1.15,at most 1.2,met,1,"segment id: leafmint, time against fetch_add"')
    assert len(others) == len(figures) - 1


def test_the_table_for_a_terminal_begins_with_the_median_and_its_spread() -> None:
    [line] = as_text(figures_of([ADD, OURS])).splitlines()
    assert line.split()[:8] == ["1.10", "x", "1.05", "to", "1.15", "at", "most", "1.2"]
    assert line.endswith("met     Rust, segment id: leafmint, time against fetch_add, 1 thread")


def test_the_page_of_a_loaded_machine_says_that_the_run_must_be_repeated() -> None:
    assert "**Run this again on a quiet machine**: too much load." in made(EVERYTHING, ["too much load"])
    assert "Run this again" not in made(EVERYTHING, [])


def test_the_picture_shows_each_subject_on_light_and_dark_pages() -> None:
    drawn = picture("Java 17", EVERYTHING)
    words = [each.text for each in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert {"leafmint", "CosId", "1 thread", "0.67", "1.67", "floor: currentTimeMillis"} <= set(words)
    assert "prefers-color-scheme:dark" in drawn


def test_a_language_without_a_floor_has_no_picture() -> None:
    assert picture("Rust", PAUSES) == ""


def test_a_start_is_compared_with_the_same_program_without_leafmint_round_by_round() -> None:
    program = {"part": "Python", "name": "first id", "round_trips": 5, "with": [[15.0, 30.0], [30.0, 60.0]]}
    raw = {
        "facts": dict.fromkeys(start_page.SHOWN, "known") | {"Java": "none"},
        "complaints": ["too much load"],
        "rounds": 2,
        "programs": [program | {"without": [[10.0, 20.0], [20.0, 40.0]]}],
    }
    made = start_page.page(raw)
    cells = "1.50 x (1.50 to 1.50) | 7.50 ms (6.25 to 8.75) | 1.50 x (1.50 to 1.50) | 15 ms (12.50 to 17.50) | 5 |"
    assert f"| first id | {cells}" in made.replace("\N{EN DASH}", " to ")
    assert "Run this again" in made
    assert "Java: none" not in made


def test_the_program_that_measures_the_core_is_one_that_cargo_knows() -> None:
    """Else `make bench` fails after it has built everything else."""
    command = ["cargo", "metadata", "--format-version=1", "--no-deps", "--offline", "--locked"]
    packages = json.loads(subprocess.run(command, cwd=parts.TOP, stdout=subprocess.PIPE, check=True).stdout)["packages"]
    targets = [
        (package["name"], target["name"], *target["kind"]) for package in packages for target in package["targets"]
    ]
    assert (parts.SPEED[1], parts.SPEED[3], "bench") in targets
