"""Runs the situations of a module, and prints what each of them returns or raises."""

import importlib
import json

import django
from django.core.management import call_command


def tell(name: str) -> None:
    """Print what the functions of a module return or raise, by their names."""
    django.setup()
    call_command("migrate", run_syncdb=True, verbosity=0)
    module = importlib.import_module(name)
    told = {}
    for title, situation in list(vars(module).items()):
        if getattr(situation, "__module__", None) == name and title.startswith("with_"):
            try:
                told[title.removeprefix("with_")] = situation()
            except Exception as error:
                told[title.removeprefix("with_")] = f"{type(error).__name__}: {error}"
    print(json.dumps(told))
