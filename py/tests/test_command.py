"""Commands that people type: they name the program and the store of their reader."""

from testing import run_python


def test_a_command_is_typed_as_its_reader_runs_leafmint() -> None:
    script = """
    from leafmint._core import _command, _read_by

    command = ("tags raise", ["order"], [("--above-id", "7"), ("--yes", None)])
    print(_command(*command))
    _read_by("manage.py leafmint", "manage.py migrate", [("--url", "sqlite:///my ids.db")])
    print(_command(*command))
    print(_command("init", [], []))
    """
    assert run_python(script).splitlines() == [
        "leafmint tags raise order --above-id 7 --yes",
        "manage.py leafmint tags raise order --above-id 7 --yes --url 'sqlite:///my ids.db'",
        "manage.py migrate",
    ]
