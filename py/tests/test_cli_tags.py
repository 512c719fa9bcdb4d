"""The commands `tags list`, `create`, `set` and `raise`."""

import uuid

from command import leafmint
from testing import rows


def test_tags_are_listed_with_what_is_leased(url: str) -> None:
    leafmint("tags", "create", "订单", "--step", "2000", "--description", "tab\there", LEAFMINT_URL=url)
    leafmint("mint", "order", "--count", "3", LEAFMINT_URL=url)
    listed = leafmint("tags", "list", LEAFMINT_URL=url, LC_ALL="C")
    head, empty, titles, *lines = listed.lines
    assert (url.rsplit("/", 1)[1] in head, empty) == (True, "")
    assert titles.split() == ["tag", "max_id", "step", "gene_bits", "update_time", "description"]
    assert [line.split()[:4] for line in lines] == [["order", "4", "1000", "0"], ["订单", "1", "2000", "0"]]
    assert lines[1].endswith(r"tab\there")
    # The wide characters of a terminal take two columns, so the columns of numbers end at the same place.
    assert lines[0].index(" 4 ") == lines[1].index(" 1 ") + 2


def test_json_has_the_numbers_of_ids_as_strings(url: str) -> None:
    leafmint("tags", "create", "order", "--start", "9007199254740993", LEAFMINT_URL=url)
    [tag] = leafmint("tags", "list", "--json", LEAFMINT_URL=url).json()["tags"]
    assert tag.pop("update_time").endswith("Z")
    numbers = {"max_id": "9007199254740993", "step": 1000, "gene_bits": 0}
    assert tag == {"name": "order", **numbers, "description": "", "problem": None}


def test_json_has_no_character_that_a_terminal_obeys_or_reorders(url: str) -> None:
    description = "\x7f\x9b31m\u202egnp.exe\u2066 订单"
    leafmint("tags", "create", "order", "--description", description, LEAFMINT_URL=url)
    listed = leafmint("tags", "list", "--json", LEAFMINT_URL=url)
    assert listed.json()["tags"][0]["description"] == description
    assert listed.out.rstrip("\n").isprintable()
    assert "订单" in listed.out


def test_a_tag_is_changed_and_raised_and_never_lowered(url: str) -> None:
    leafmint("tags", "create", "order", LEAFMINT_URL=url)
    assert leafmint("tags", "set", "order", "--step", "5000", LEAFMINT_URL=url).out == "order: changed\n"
    assert leafmint("tags", "raise", "order", "--above-id", "499", LEAFMINT_URL=url).out == "order: max_id is 500\n"
    lower = leafmint("tags", "raise", "order", "--above-id", "7", "--json", LEAFMINT_URL=url)
    assert lower.json() == {"name": "order", "host": None, "max_id": "500"}
    assert rows(url) == [("order", 500, 5000, "")]


def test_a_wrong_change_is_2(url: str) -> None:
    leafmint("init", LEAFMINT_URL=url)
    for arguments in (
        ["set", "missing", "--step", "1"],
        ["raise", "missing", "--above-id", "1"],
        ["set", "missing"],
        ["raise", "x", "--above-id", "-1"],
    ):
        ran = leafmint("tags", *arguments, LEAFMINT_URL=url)
        assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1), arguments


def test_tags_of_a_database_are_listed(server_url: str) -> None:
    name = f"cli-{uuid.uuid4()}"
    leafmint("init", LEAFMINT_URL=server_url)
    leafmint("tags", "create", name, "--description", "é", LEAFMINT_URL=server_url)
    tags = {tag["name"]: tag for tag in leafmint("tags", "list", "--json", LEAFMINT_URL=server_url).json()["tags"]}
    assert (tags[name]["max_id"], tags[name]["description"], tags[name]["problem"]) == ("1", "é", None)
