"""The generators of the commands, on the host that is named."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from .. import SEGMENT_OPTIONS, SNOWFLAKE_OPTIONS, InvalidConfigError, SegmentGenerator, SnowflakeGenerator
from .hosts import chosen, chosen_of
from .stores import Place, is_named, option_values, place_of

HOLDERS = ("local:", "fixed:")
"""URLs of holders that are no stores."""


def store_place(args: Namespace) -> Place:
    """Returns the store that the arguments name."""
    return chosen(args, place_of(args, args.url, "LEAFMINT_URL"))


def holder_place(args: Namespace) -> Place:
    """Returns the holder that the arguments name."""
    return chosen(args, place_of(args, args.url, "LEAFMINT_SNOWFLAKE_URL", "LEAFMINT_URL"))


def places(args: Namespace) -> tuple[Place | None, Place | None]:
    """Returns the store and the holder that the arguments and the environment name, one of them at least.

    A URL that is given names one of them, and with `--snowflake` both.
    """
    has_holder = not args.url and is_named(args, "LEAFMINT_SNOWFLAKE_URL")
    holder = place_of(args, None, "LEAFMINT_SNOWFLAKE_URL") if has_holder else None
    if holder and not is_named(args, "LEAFMINT_URL"):
        return None, chosen(args, holder)
    store = place_of(args, args.url, "LEAFMINT_URL")
    if isinstance(store.source, str) and store.source.startswith(HOLDERS):
        return None, chosen(args, store)
    if holder:
        store, holder = chosen_of(args, store, holder)
        return store, holder
    store = chosen(args, store)
    return store, store if args.snowflake else None


def store(args: Namespace) -> SegmentGenerator:
    """Opens the generator of segments that the arguments name."""
    return segments(store_place(args), option_values(args))


def holder(args: Namespace) -> SnowflakeGenerator:
    """Opens the generator of snowflakes that the arguments name."""
    return snowflakes(holder_place(args), option_values(args))


def segments(place: Place, options: Mapping[str, Any]) -> SegmentGenerator:
    """Opens a generator of segments."""
    return SegmentGenerator(place.source, **{**place.options, **options})


def snowflakes(place: Place, options: Mapping[str, Any]) -> SnowflakeGenerator:
    """Opens a generator of snowflakes."""
    return SnowflakeGenerator(place.source, **{**place.snowflake_options, **options})


def options_of_both(
    args: Namespace, store: Place | None, holder: Place | None, **more: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the options that are given for a store and for a holder.

    Raises:
        InvalidConfigError: Neither has one of them.
    """
    given = {**option_values(args), **more}
    chosen_of = [
        {option.name: given[option.name] for option in known if place and option.name in given}
        for place, known in ((store, SEGMENT_OPTIONS), (holder, SNOWFLAKE_OPTIONS))
    ]
    if unknown := given.keys() - chosen_of[0].keys() - chosen_of[1].keys():
        raise InvalidConfigError(f"unknown option {min(unknown)}: see leafmint options")
    return chosen_of[0], chosen_of[1]
