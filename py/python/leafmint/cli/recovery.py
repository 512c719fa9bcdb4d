"""The recovery of one tag: what is known of its ids, why it may be refused, and the change."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any, NamedTuple

from .. import InvalidArgumentError, SegmentGenerator
from .evidence import Evidence, Keys, gather
from .failure import Refusal
from .hosts import NO_TABLE
from .old_writers import STEP, OldNumbers
from .opened import segments
from .output import printable, write
from .progress import is_terminal
from .reported import Reports
from .stores import Place, option_values
from .tag_rows import Row, read_rows

MARGIN = 10_000_000
"""Ids that processes may have leased since they reported, or that a process has leased which does not report."""
MOST_GENE_BITS = 12


class Deciding(NamedTuple):
    """The id that decides above which one a tag is raised."""

    above: int
    """The tag is free above this id."""
    highest: int | None = None
    """The id that was found."""
    where: str | None = None


class Recovery:
    """Finds the highest id in use of the tag that the arguments name. Changes nothing by itself."""

    def __init__(
        self, args: Namespace, places: list[tuple[str | None, Place]], keys: Keys, reports: Reports | None
    ) -> None:
        """Reads the hosts, the rows of the application, and what processes report."""
        self.args = args
        self.tag: str = args.tag
        self.rows: list[Row] = read_rows(args, places)
        self.evidence: Evidence = gather(args, keys, reports, self.rows)
        self.margin: int = margin_of(args, self.evidence)
        self.decided_by: Deciding = deciding(self.evidence, self.rows, self.margin)
        self.target: Row | None = None if differing(args, self.rows) else row_to_change(args, self.rows)
        self.refusal: Refusal | None = refusal_of(args, self.evidence, self.rows, self.above)

    @property
    def above(self) -> int:
        """The id above which the tag is free."""
        return self.decided_by.above

    @property
    def is_there(self) -> bool:
        """Whether the tag is above all ids that were found."""
        return self.target is not None and self.target.highest is not None and self.target.highest >= self.above

    @property
    def is_due(self) -> bool:
        """Whether the tag may be raised, and needs to be."""
        return self.refusal is None and not self.is_there

    @property
    def makes_table(self) -> bool:
        """Whether the table is missing, and made with the tag."""
        return self.target is not None and self.target.why == NO_TABLE

    @property
    def max_id(self) -> int | None:
        """What the store has of the tag."""
        return self.target.max_id if self.target else None

    @property
    def at_host(self) -> str:
        """The host that is changed, as the end of a sentence."""
        return f" at {self.target.host}" if self.target and self.target.host else ""

    @property
    def left_out(self) -> list[OldNumbers]:
        """Rows that are no ids of the tag."""
        return [old for old in self.evidence.old_numbers if old.are_left_out]

    def document(self) -> dict[str, Any]:
        """Returns what was found, for JSON."""
        refused = self.refusal
        return {
            "tag": self.tag,
            "host": self.target.host if self.target else None,
            "found": [{"where": where, "id": str(highest)} for where, highest in self.evidence.found],
            "not_found": [{"where": where, "why": why} for where, why in self.evidence.not_found],
            "left_out": [{"column": old.column, "from": str(old.first)} for old in self.left_out],
            "margin": str(self.margin),
            "above": str(self.above),
            "refused": None if refused is None else {"code": refused.code, "message": str(refused)},
        }

    def change(self) -> int:
        """Raises the tag, or creates it above this id, and returns its max_id."""
        assert self.target is not None
        with segments(self.target.place, option_values(self.args)) as ids:
            if self.makes_table:
                ids.init_schema()
            if self.target.max_id is None and not ids._draws_from_sequences:
                self.create(ids)
            return ids.raise_tag_above(self.tag, self.above)

    def create(self, ids: SegmentGenerator) -> None:
        """Creates the row, above this id from the first moment on."""
        bits = self.args.gene_bits if self.args.gene_bits is not None else self.asked_gene_bits()
        if not 0 <= bits <= MOST_GENE_BITS:
            raise InvalidArgumentError(f"--gene-bits {bits} is out of range (0 to {MOST_GENE_BITS})")
        step = self.args.step or (1 if self.evidence.is_of_series else STEP)
        ids.create_tag(self.tag, step=step, start=(self.above >> bits) + 1, gene_bits=bits)

    def asked_gene_bits(self) -> int:
        """Returns the gene bits of a tag whose row is gone: 0, unless something else is typed at a terminal."""
        if self.args.yes or not is_terminal(sys.stdin) or self.evidence.is_of_series:
            return 0
        write(f"Bits of each id of {printable(self.tag)} for a gene (default: 0): ")
        text = sys.stdin.readline().strip() or "0"
        if not text.isdigit():
            raise InvalidArgumentError("write a number of bits")
        return int(text)


def margin_of(args: Namespace, evidence: Evidence) -> int:
    """Returns how many ids are left free above those that were found."""
    if args.margin is not None:
        return int(args.margin)
    return 0 if evidence.is_of_series else MARGIN


def deciding(evidence: Evidence, rows: list[Row], margin: int) -> Deciding:
    """Returns which of the ids that were found decides.

    If all processes report, the store's own rows need no margin. Otherwise, after a restore of everything, neither
    these nor the application's rows show what was leased since the backup.
    """
    exact = {row.where for row in rows} if evidence.is_of_all else set()
    sums = (Deciding(id + (0 if where in exact else margin), id, where) for where, id in evidence.found)
    return max(sums, default=Deciding(0))


def differing(args: Namespace, rows: list[Row]) -> bool:
    """Returns whether hosts that can be changed have something else, and none is named."""
    states = {(row.max_id, row.why) for row in rows if row.can_be_changed}
    return not args.host and len(states) > 1


def row_to_change(args: Namespace, rows: list[Row]) -> Row | None:
    """Returns the row that is to be raised: at the host that is named, or the first that can be changed."""
    return next((row for row in rows if row.can_be_changed and args.host in (None, row.host)), None)


def refusal_of(args: Namespace, evidence: Evidence, rows: list[Row], above: int) -> Refusal | None:
    """Returns why the tag is not raised: what could repeat an id."""
    if differing(args, rows):
        hosts = " or ".join(f"--host {row.host}" for row in rows if row.can_be_changed)
        return Refusal("hosts_differ", f"the hosts differ: name the one that the processes use, {hosts}")
    row = row_to_change(args, rows)
    if row is None:
        return Refusal("store_unavailable", "no host can be changed: see why above")
    if row.why == NO_TABLE and not args.create_table:
        text = "the table is missing: if it was renamed or moved, undo that. If it was dropped, --create-table makes it"
        return Refusal("missing_table", text)
    stored = {each.where for each in rows}
    if all(where in stored for where, _ in evidence.found):
        text = (
            "nothing but the store itself is known, which cannot tell what was leased before: give --rows TABLE.COLUMN,"
        )
        return Refusal("nothing_known", f"{text} --prometheus URL or --reported ID")
    if evidence.is_of_series and not evidence.is_reported and args.margin is None:
        text = "numbers of a series may be leased and not stored yet: give the highest one by --reported, or --margin N"
        return Refusal("nothing_reported", text)
    texts = filter(None, (old.refusal(above) for old in evidence.old_numbers))
    return next((Refusal("move_under_way", text) for text in texts), None)
