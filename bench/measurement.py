"""What the parts of the benchmark measured: values of one subject, one per round."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Measurement:
    """The values of one subject. Subjects of one language, group and number of threads are compared."""

    language: str
    group: str
    threads: int | None
    name: str
    role: str
    """`floor` (what no id can be cheaper than), `leafmint` or `peer`."""
    unit: str
    """`ns` is the time of one id in one thread."""
    how: str
    rounds: tuple[float, ...]

    @property
    def comparison(self) -> tuple[str, str, int | None]:
        """What this is compared in."""
        return (self.language, self.group, self.threads)


def read(language: str, text: str) -> list[Measurement]:
    """Reads the lines of JSON that a part prints; other lines are passed over."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [Measurement(**{**line, "language": language, "rounds": tuple(line["rounds"])}) for line in lines]


def joined(measurements: Iterable[Measurement]) -> list[Measurement]:
    """Joins the rounds of subjects that were measured by several processes, in the order of their first round."""
    found: dict[tuple[object, ...], Measurement] = {}
    for each in measurements:
        key = (*each.comparison, each.name)
        found[key] = replace(each, rounds=found[key].rounds + each.rounds) if key in found else each
    return list(found.values())


def comparisons(measurements: Iterable[Measurement]) -> list[list[Measurement]]:
    """Returns the measurements by what they are compared in."""
    found: dict[tuple[str, str, int | None], list[Measurement]] = {}
    for each in measurements:
        found.setdefault(each.comparison, []).append(each)
    return list(found.values())
