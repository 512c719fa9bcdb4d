"""The commands `public encode`, `public decode` and `id-keys new`, which need no store."""

from __future__ import annotations

import os
from argparse import Namespace

from .. import InvalidConfigError, PublicIds, ScrambledNumbers
from .._core import _new_id_key
from .decode import number, show_all
from .output import Columns, write_json, write_line
from .parser import Commands, Parser, add_command, add_group, unicode

KEYS, KEYS_FILE = "LEAFMINT_ID_KEYS", "LEAFMINT_ID_KEYS_FILE"


def add(commands: Commands) -> None:
    """Adds the commands."""
    group = add_group(commands, "public", "write and read public ids")
    encode = add_command(
        group, "encode", run_encode, "show the texts of ids that strangers may see", "leafmint public encode order 42"
    )
    add_arguments(encode)
    encode.add_argument("ids", metavar="ID", nargs="*", help="without one, ids are read from the standard input")
    decode = add_command(
        group, "decode", run_decode, "show the ids behind texts",
        "leafmint public decode order order_55zyq8fyn6wyk243qwa6yvbrz1",
    )  # fmt: skip
    add_arguments(decode)
    decode.add_argument(
        "ids", metavar="TEXT", nargs="*", type=unicode, help="without one, they are read from the standard input"
    )
    keys = add_group(commands, "id-keys", "make keys of public ids, which are secrets")
    new = add_command(keys, "new", run_new, "print a new random key, which is a secret", "leafmint id-keys new")
    new.add_argument("--number", type=int, default=0, metavar="N", help="0 to 3, different for each key (default: 0)")


def add_arguments(parser: Parser) -> None:
    """Adds what ids are written with. No argument is a key: other users of the host can see the arguments."""
    parser.add_argument("name", metavar="NAME", type=unicode, help="kind of ids, such as order")
    parser.add_argument("--prefix", type=unicode, metavar="TEXT", help="prefix of each public id (default: the name)")
    parser.add_argument("--format", type=unicode, metavar="FORMAT", help="the format of scrambled numbers; quote it")
    parser.add_argument("--key-number", type=int, metavar="N", help="key that scrambles numbers, if there are several")
    parser.add_argument(
        "--keys-file", type=unicode, metavar="PATH", help=f"the file of the keys (default: {KEYS}, then {KEYS_FILE})"
    )


def ids_of(args: Namespace) -> PublicIds | ScrambledNumbers:
    """Returns what writes and reads the ids that the arguments describe."""
    if args.format is None:
        if args.key_number is not None:
            raise InvalidConfigError("--key-number is for scrambled numbers: give their --format, too")
        return PublicIds(args.name, place_of_keys(args.keys_file), prefix=args.prefix)
    if args.prefix is not None:
        raise InvalidConfigError("scrambled numbers have no --prefix: write it into the --format")
    return ScrambledNumbers(args.name, place_of_keys(args.keys_file), format=args.format, key_number=args.key_number)


def place_of_keys(file: str | None) -> str:
    """Returns where the keys are."""
    if file is None and os.environ.get(KEYS):
        return f"env:{KEYS}"
    if file := file or os.environ.get(KEYS_FILE):
        return f"file:{file}"
    raise InvalidConfigError(f"no keys: set {KEYS} or {KEYS_FILE}, or name a file by --keys-file")


def run_encode(args: Namespace) -> int:
    """Shows the text of each id."""
    ids = ids_of(args)

    def cells_of(text: str) -> list[str | int]:
        id = number(text)
        return [str(id), ids.encode(id)]

    return show_all(args, Columns(["id", "text"], widths=[19, 0]), cells_of)


def run_decode(args: Namespace) -> int:
    """Shows the id of each text."""
    ids = ids_of(args)

    def cells_of(text: str) -> list[str | int]:
        return [text, str(ids.decode(text))]

    return show_all(args, Columns(["text", "id"], widths=[len(ids.encode(0)), 0]), cells_of)


def run_new(args: Namespace) -> None:
    """Prints a key."""
    if args.json:
        write_json({"number": args.number, "key": _new_id_key(args.number)})
    else:
        write_line(_new_id_key(args.number))
