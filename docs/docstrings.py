"""Shows Griffe, which reads the docstrings for the site, what it would overlook: examples and `__new__`."""

from __future__ import annotations

import re
from typing import Any

from griffe import Class, Extension, Object

PARAGRAPH_OF_CODE = re.compile(r"^(>>> .*(?:\n.+)*)", re.MULTILINE)


class Overlooked(Extension):
    """Names and marks things as Griffe does."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Renames the section with the example, and marks code outside it, in one docstring."""
        if obj.docstring:
            text = PARAGRAPH_OF_CODE.sub(r"```pycon\n\1\n```", obj.docstring.value)
            obj.docstring.value = text.replace("\nExample:\n", "\nExamples:\n")

    def on_class(self, *, cls: Class, **_: Any) -> None:
        """Gives a class of the compiled module the parameters of its `__new__`."""
        if "__new__" in cls.members and "__init__" not in cls.members:
            cls.set_member("__init__", cls.members["__new__"])
