"""Ids as values of their own types, with a text for strangers: `OrderId`, never an int or a str.

>>> import leafmint
>>> class OrderId(leafmint.TypedId, prefix="order"): ...
>>> leafmint.configure(id_keys=["lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"])
>>> str(OrderId(42))
'order_55zyq8fyn6wyk243qwa6yvbrz1'
>>> int(OrderId.parse("order_55zyq8fyn6wyk243qwa6yvbrz1"))
42
"""

from __future__ import annotations

import operator
from abc import ABCMeta
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NoReturn

from . import late_binding
from ._core import _IdText, _once
from .errors import InvalidConfigError, InvalidIdError
from .late_bound import LateSnowflake, LateTag

if TYPE_CHECKING:
    from datetime import timedelta

    from typing_extensions import Self

    from ._core import Format, _BoundIdText, _Form

__all__ = ["TypedId"]

HIGHEST = 2**63 - 1

_Source = LateTag | LateSnowflake


class _Range:
    """Says which numbers are ids, in the protocol of annotated-types, to what makes up values: hypothesis does."""

    __is_annotated_types_grouped_metadata__ = True

    def __iter__(self) -> Iterator[Any]:
        from annotated_types import Ge, Le

        yield from (Ge(0), Le(HIGHEST))


class _Declaration:
    """What a type of ids declares."""

    __slots__ = ("kind", "source", "text")

    def __init__(self, kind: type[TypedId], text: _IdText, source: _Source | None) -> None:
        self.kind, self.text, self.source = kind, text, source

    def __reduce__(self) -> NoReturn:
        # cloudpickle and dill pickle classes of notebooks and scripts, with all that these have.
        raise TypeError(
            f"the class {self.kind.__name__} cannot be pickled, only its values: move it from {self.kind.__module__} to"
            " a module that each process imports"
        )


class _Declared(type):
    """Makes types of a declaration, which may have a `name`: before Python 3.11, ABCMeta passes none on."""

    def __new__(
        meta, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, declaration: dict[str, Any]
    ) -> _Declared:
        return super().__new__(meta, name, bases, namespace, **declaration)


class _Fieldless(ABCMeta, _Declared):
    """Makes types whose values have no `__dict__`, which writers of JSON that know no better would write."""

    def __new__(
        meta, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **declaration: Any
    ) -> _Fieldless:
        # A property without a getter, also if another base has a `__dict__`.
        namespace = {"__slots__": (), "__dict__": property(), **namespace}
        return super().__new__(meta, name, bases, namespace, declaration=declaration)


@_once
class TypedId(metaclass=_Fieldless):
    """Base class of types of ids. A value has a number, for the database, and a text, for everyone else.

    Immutable. Values of one type compare by their numbers; values of different types are never equal, nor is a value
    equal to an int. They can be pickled and copied; a pickle contains the number. `json.dumps` refuses them, rather
    than show a number. `int(id)` is the number; so is what else makes an int of an id, such as "%d".

    The declaration is checked when the class is made. Keys are looked up at the first text or new id, as
    `leafmint.configure` says; the forms "formatted" and "decimal" need none. A declared type cannot be extended.

    Keywords of a declaration:
        form: What the text is: "public", as of `PublicIds`; "scrambled", as of `ScrambledNumbers`; "formatted", by a
            format; or "decimal", the digits of the number. The last two hide nothing.
        name: What the keys are derived for; by default the prefix.
        prefix: The prefix of the form "public"; by default the name.
        format: The format of the forms "scrambled" and "formatted".
        key_number: The number of the key of the form "scrambled", if there are several keys.
        tag: The tag whose ids are new ones, for `next`, in the store that `leafmint.configure` names: its name, or a
            `leafmint.tag(...)`.
        snowflake: Whether new ones are snowflakes, for `next`.

    Attributes:
        pattern: A regular expression that matches each text, and few others, for JSON Schema.
        example: A text of the right shape.

    Raises:
        InvalidIdError: The number is negative or does not fit 64 bits.

    Example:
        >>> import leafmint
        >>> class MemberId(leafmint.TypedId, form="formatted", format="M-{number:8}-{check:damm}"): ...
        >>> MemberId(42), int(MemberId.parse("M-00000042-7"))
        (MemberId('M-00000042-7'), 42)
        >>> MemberId.pattern, MemberId(42) == 42
        ('^M-[0-9]{8}-[0-9]$', False)
    """

    __slots__ = ("__weakref__", "_value")

    _value: int
    _declared: ClassVar[_Declaration | None] = None
    _bound: ClassVar[tuple[_Declaration, late_binding.Binding, _BoundIdText] | None] = None

    pattern: ClassVar[str]
    example: ClassVar[str]

    def __init_subclass__(
        cls,
        *,
        form: _Form = "public",
        name: str | None = None,
        prefix: str | None = None,
        format: str | Format | None = None,
        key_number: int | None = None,
        tag: str | LateTag | None = None,
        snowflake: bool = False,
    ) -> None:
        """Declare a type of ids.

        Raises:
            InvalidConfigError: The declaration is invalid; the message names every problem.
        """
        super().__init_subclass__()
        if cls._declared is not None:
            raise TypeError(f"{cls.__name__} extends a type of ids that is declared: extend TypedId")
        text = _IdText(form, name, prefix, format, key_number)
        cls._declared = _Declaration(cls, text, _source_of(tag, snowflake))
        cls.pattern, cls.example = text.pattern, text.example
        # To what reads the slots of any object, as deepdiff does for its hashes, all ids would be equal without one.
        cls.__slots__ = ("no_field",)  # type: ignore[assignment]

    def __init__(self, value: Annotated[int, _Range()]) -> None:
        """Make the value of a number."""
        object.__setattr__(self, "_value", _checked(type(self), value))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            kind = type(self).__name__
            if name == "_value":
                raise InvalidIdError(f"this {kind} has no number, because __new__ alone made it: call {kind}(number)")
            if name == "__dict__":
                raise AttributeError(f"{kind} has no fields: write str(id), its text")
            if name == "no_field":
                raise TypeError(f"{kind} has no fields: write or compare str(id), its text")
            raise AttributeError(f"{kind!r} object has no attribute {name!r}", name=name, obj=self)

    @classmethod
    def parse(cls, text: str, /) -> Self:
        """Return the value of a text.

        Raises:
            InvalidIdError: The text is no id of this type.
            InvalidConfigError: The keys are missing or invalid.
        """
        return cls(cls._text().decode(text))

    @classmethod
    def next(cls, *, timeout: float | str | timedelta | None = None) -> Self:
        """Return a new id, of the declared tag or a snowflake, as `Tag.next_id` and `SnowflakeGenerator.next_id` do.

        Raises:
            InvalidConfigError: The declaration has neither `tag` nor `snowflake`, or the keys are missing or invalid.
        """
        return cls(cls._source().next_id(timeout=timeout))

    @classmethod
    def next_many(cls, count: int, *, timeout: float | str | timedelta | None = None) -> list[Self]:
        """Return new ids in ascending order, as `next` does."""
        return [cls(number) for number in cls._source().next_ids(count, timeout=timeout)]

    @classmethod
    async def next_async(cls, *, timeout: float | str | timedelta | None = None) -> Self:
        """Return a new id, as `next` does, without blocking the event loop."""
        return cls(await cls._source().next_id_async(timeout=timeout))

    @classmethod
    async def next_many_async(cls, count: int, *, timeout: float | str | timedelta | None = None) -> list[Self]:
        """Return new ids in ascending order, as `next_many` does, without blocking the event loop."""
        return [cls(number) for number in await cls._source().next_ids_async(count, timeout=timeout)]

    @classmethod
    def _source(cls) -> _Source:
        if cls._declared is not None and (source := cls._declared.source) is not None:
            # A service would store a row under the id, and only then fail to show it.
            cls._text()
            return source
        raise InvalidConfigError(
            f"{cls.__name__} does not say where new ids come from: declare it with tag=..., the name of a tag, or with"
            " snowflake=True"
        )

    @classmethod
    def _text(cls) -> _BoundIdText:
        binding, bound = late_binding.current(), cls._bound
        if bound is None or bound[1] is not binding:
            if (declared := cls._declared) is None:
                raise TypeError("TypedId is extended by types of ids, and has no values itself")
            text = declared.text
            cls._bound = bound = (declared, binding, text.bind(binding.open_keys() if text.needs_keys else None))
        return bound[2]

    def __int__(self) -> int:
        return self._value

    def __str__(self) -> str:
        return self._text().encode(self._value)

    def __format__(self, spec: str, /) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        try:
            return f"{type(self).__name__}({str(self)!r})"
        except Exception as error:
            # Debuggers and reporters of errors show values, also if there are no keys.
            return f"<{type(self).__name__} without a text: {type(error).__name__}>"

    def __eq__(self, other: object, /) -> bool:
        return self._value == other._value if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self._value))

    def __lt__(self, other: Self, /) -> bool:
        return self._value < other._value if type(other) is type(self) else NotImplemented

    def __le__(self, other: Self, /) -> bool:
        return self._value <= other._value if type(other) is type(self) else NotImplemented

    def __gt__(self, other: Self, /) -> bool:
        return self._value > other._value if type(other) is type(self) else NotImplemented

    def __ge__(self, other: Self, /) -> bool:
        return self._value >= other._value if type(other) is type(self) else NotImplemented

    def __setattr__(self, name: str, value: object, /) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str, /) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        return type(self), (self._value,)

    def __getstate__(self) -> str:
        # For writers that read the state without making the id again, such as jsonpickle with unpicklable=False.
        return str(self)

    @property
    def has_no_fields(self) -> Any:
        """What no writer can write: pandas' `to_json` would write the public attributes of a value."""
        from decimal import Decimal

        def refuse(number: Decimal, spec: str, /) -> NoReturn:
            raise TypeError(f"{type(self).__name__} has no fields: write str(id), in pandas with default_handler=str")

        return type("NoFields", (Decimal,), {"__format__": refuse})()

    @property
    def __pydantic_serializer__(self) -> Any:
        # For values of fields that do not name their type.
        from .pydantic import serializer

        return serializer(type(self))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from .pydantic import typed_id_schema

        return typed_id_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        from .pydantic import json_schema

        return {"type": "string"} if cls is TypedId else json_schema(cls.pattern, cls.example)


def _source_of(tag: str | LateTag | None, snowflake: bool) -> _Source | None:
    """Return what the new ids of a declaration come from."""
    if not snowflake:
        return LateTag(tag) if isinstance(tag, str) else tag
    if tag is not None:
        raise InvalidConfigError("tag and snowflake: new ids come from one of them")
    return LateSnowflake()


def _checked(kind: type[TypedId], value: object) -> int:
    """Return the number of a value that is being made."""
    if kind._declared is None:
        raise TypeError("TypedId is extended by types of ids, and has no values itself")
    number = value if type(value) is int else _index(kind, value)
    if 0 <= number <= HIGHEST:
        return number
    # Python refuses to print more than 4300 digits, and an int of 256 bits may be a key.
    shown = number if number.bit_length() <= 128 else f"an int of {number.bit_length()} bits"
    raise InvalidIdError(f"{shown} is not an id: an id is from 0 to {HIGHEST}")


def _index(kind: type[TypedId], value: object) -> int:
    """Return an int of another class, such as NumPy's. A bool is no number, and a text is for `parse`."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{kind.__name__} takes an int, not {type(value).__name__}; parse takes a text")
    return operator.index(value)
