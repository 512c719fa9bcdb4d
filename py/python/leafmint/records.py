"""What the administrative calls of the generators return."""

from datetime import datetime
from typing import NamedTuple

from ._core import _once


@_once
class TagInfo(NamedTuple):
    """A tag as the store has it. Returned by `SegmentGenerator.list_tags`.

    Attributes:
        biz_tag: The name.
        max_id: The next number to lease; None if the row holds no whole number.
        step: The column `step`; None if the row holds no whole number.
        description: The description; None if there is none, or no such column.
        update_time: When the row was changed last, as an aware datetime in UTC; None if there is no such column.
        gene_bits: The number of gene bits, 0 for none; None if the account may not read them.
        problem: Why no id of this tag can be leased, and what to do; None if ids can be leased.

    Example:
        >>> import leafmint
        >>> with leafmint.SegmentGenerator("memory://tag_info") as ids:
        ...     ids.create_tag("order", step=100, description="since 2026")
        ...     [(tag.biz_tag, tag.max_id, tag.step, tag.description) for tag in ids.list_tags()]
        True
        [('order', 1, 100, 'since 2026')]
    """

    biz_tag: str
    max_id: int | None
    step: int | None
    description: str | None
    update_time: datetime | None
    gene_bits: int | None
    problem: str | None
