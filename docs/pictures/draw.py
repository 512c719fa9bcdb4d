"""Draws the pictures of the pages, with what leafmint itself says: run it with a Python that has leafmint."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import leafmint
from leafmint import testing
from svg import Picture

HERE = Path(__file__).parent
PRESETS = ["leaf", "datacenter", "wide", "javascript"]


def layouts() -> Picture:
    """Draws the bits of each preset."""
    picture = Picture(
        372,
        "The bits of a snowflake in each layout",
        "Four rulers of 63 bits, highest bit at the left: a timestamp, then perhaps a datacenter, then the worker id"
        " and the sequence number. The table next to the picture has the numbers.",
    )
    for number, part in enumerate(("time", "datacenter", "worker", "sequence")):
        picture.box(110 + 140 * number, 14, 18, 18, part)
        picture.text(136 + 140 * number, 28, part, "left")
    for row, name in enumerate(PRESETS):
        _ruler(picture, 58 + 78 * row, name)
    return picture


def _ruler(picture: Picture, y: float, name: str) -> None:
    layout = leafmint.Layout(name)
    parts = [
        ("time", layout.timestamp_bits),
        ("datacenter", layout.datacenter_bits),
        ("worker", layout.worker_bits),
        ("sequence", layout.sequence_bits),
    ]
    picture.text(14, y + 32, name, "left bold")
    x, bit, width = 110.0, 63, 590 / 63
    unused = 63 - sum(bits for _, bits in parts)
    for part, bits in [("empty", unused), *parts]:
        if bits:
            picture.text(x + 2, y + 8, str(bit - 1), "small left")
            picture.box(
                x, y + 12, bits * width - 1, 30, part, "always 0" if part == "empty" else f"{bits}"
            )
        x, bit = x + bits * width, bit - bits
    ticks = 1000 / (layout.unit.total_seconds() * 1000)
    workers = f"{2**layout.worker_bits:,} workers"
    if layout.datacenter_bits:
        workers = f"{2**layout.datacenter_bits} datacenters of {workers}"
    note = f"{workers}, each with {2**layout.sequence_bits * ticks:,.0f} ids per second; until {layout.runs_out:%Y-%m}"
    picture.text(110, y + 59, note, "small left")


def snowflake() -> Picture:
    """Draws the parts of a snowflake of the default layout."""
    layout = leafmint.Layout("leaf")
    parts = [
        (
            "time",
            layout.timestamp_bits,
            f"milliseconds since {layout.epoch:%Y-%m-%d}, {layout.timestamp_bits} bits",
        ),
        ("worker", layout.worker_bits, f"worker, {layout.worker_bits}"),
        ("sequence", layout.sequence_bits, f"sequence, {layout.sequence_bits}"),
    ]
    picture = Picture(
        86,
        "The bits of a snowflake",
        "From the highest bit down: " + "; ".join(text for _, _, text in parts) + ".",
    )
    x, bit = 14.0, 63
    for part, bits, text in parts:
        width = 692 * bits / 63
        picture.text(x + 2, 26, f"bit {bit - 1}" if bit == 63 else str(bit - 1), "small left")
        picture.box(x, 32, width - 1, 36, part, text)
        x, bit = x + width, bit - bits
    picture.text(706, 26, "0", "small right")
    return picture


def leases() -> Picture:
    """Draws the ranges that two processes lease from one row."""
    with testing.segments() as ids:
        ids.tag("order").next_id()
        (tag,) = ids.list_tags()
    step, first = tag.step, tag.max_id - tag.step
    picture = Picture(
        146,
        "The ranges that two processes lease",
        f"Process A leases {step:,} numbers, then process B the next {step:,}, then A again."
        " Each lease moves max_id up to the end of its range.",
    )
    picture.text(14, 45, "numbers", "left bold")
    picture.text(14, 110, "max_id", "left bold")
    for turn, owner in enumerate("ABA"):
        x, begin = 104 + 196 * turn, first + step * turn
        picture.box(
            x,
            14,
            192,
            48,
            "worker" if owner == "B" else "time",
            f"process {owner}\n{begin} … {begin + step - 1}",
        )
        picture.line(x, 68, x, 92, "dashed")
        picture.text(x, 110, str(begin))
    picture.line(692, 68, 692, 92, "dashed")
    picture.text(690, 110, str(first + 3 * step))
    picture.line(104, 124, 706, 124, arrow=True)
    return picture


def outage() -> Picture:
    """Draws the buffer of a tag through an outage."""
    (budget,) = [
        option.default for option in leafmint.SEGMENT_OPTIONS if option.name == "outage_budget"
    ]
    minutes = int(budget.removesuffix("m"))
    picture = Picture(
        268,
        "The buffer through an outage of the database",
        f"The database is down for longer than {minutes} minutes. Calls get ids from the buffer for {minutes} minutes,"
        " then errors until the database is back. Then the buffer fills again.",
    )
    down, empty, up, end = 200, 450, 540, 700
    start = 110
    picture.text(14, 40, "database", "left bold")
    picture.box(start, 20, down - start - 2, 30, "good", "up")
    picture.box(down, 20, up - down - 2, 30, "bad", "down")
    picture.box(up, 20, end - up, 30, "good", "up")
    picture.text(14, 110, "buffer", "left bold")
    picture.shape([(start, 150), (start, 78), (down, 78), (empty, 150)], "kept")
    picture.shape([(up + 8, 150), (up + 14, 78), (end, 78), (end, 150)], "kept")
    picture.line(start, 150, end, 150)
    picture.text((down + empty) / 2 - 60, 142, "used up")
    picture.text(14, 192, "calls get", "left bold")
    picture.box(start, 172, down - start - 2, 30, "good", "ids")
    picture.box(down, 172, empty - down - 2, 30, "kept", "ids from the buffer")
    picture.box(empty, 172, up + 8 - empty - 2, 30, "bad", "errors")
    picture.box(up + 8, 172, end - up - 8, 30, "good", "ids")
    for x, text in ((down, "0"), (empty, f"{minutes} min"), (up, "back")):
        picture.line(x, 20, x, 222, "dashed")
        picture.text(x, 240, text, "small")
    picture.line(start, 250, end, 250, arrow=True)
    return picture


CHOICES = [
    (
        "Does one database make all rows,\nand is no id needed before\nthe INSERT?",
        "AUTO_INCREMENT,\nIDENTITY\nor a sequence",
    ),
    ("Must the numbers have no gaps?", "a sequence\nwithout gaps"),
    ("Do they start again\neach day or year?", "a series"),
    ("Must an id be unguessable?", "UUIDv4, or a token"),
    ("Are 128 bits fine?", "UUIDv7"),
    ("Should ids sort by time,\nor hide how many there are?", "leafmint's\nsnowflakes"),
]


def choosing() -> Picture:
    """Draws the questions that lead to a kind of id."""
    words = "; ".join(f"{question} If yes: {answer}" for question, answer in CHOICES).replace(
        "\n", " "
    )
    picture = Picture(
        82 * len(CHOICES) + 62,
        "Which kind of id to take",
        f"Questions in this order. {words}. Otherwise leafmint's segments.",
        width=480,
    )
    for row, (question, answer) in enumerate(CHOICES):
        y = 14 + 82 * row
        picture.box(10, y, 254, 60, "empty", question)
        picture.line(264, y + 30, 316, y + 30, arrow=True)
        picture.text(288, y + 23, "yes", "small")
        picture.box(318, y, 152, 60, "time" if answer.startswith("leafmint") else "worker", answer)
        picture.line(137, y + 60, 137, y + 81, arrow=True)
        picture.text(145, y + 75, "no", "small left")
    picture.box(10, 14 + 82 * len(CHOICES), 254, 36, "time", "leafmint's segments")
    return picture


def horizon() -> Picture:
    """Draws how a worker id passes from a process that crashed to the next one."""
    picture = Picture(
        208,
        "The horizon of a worker id",
        "Process A mints with worker id 7 and moves its horizon ahead with each heartbeat. It crashes. The time up to"
        " its last horizon stays reserved, and process B mints with worker id 7 only above it.",
    )
    start, crash, end, right = 110, 300, 500, 700
    picture.text(14, 70, "process A", "left bold")
    picture.box(start, 50, crash - start - 2, 30, "time", "mints")
    picture.box(crash, 50, end - crash - 2, 30, "kept", "reserved, never used")
    picture.text(14, 126, "process B", "left bold")
    picture.box(end, 106, right - end, 30, "time", "mints")
    for beat in range(4):
        x = start + 20 + 46 * beat
        picture.line(x, 84, x, 96)
    picture.text(start + 89, 112, "heartbeats move the horizon", "small")
    picture.line(crash, 40, crash, 150, "dashed")
    picture.text(crash, 32, "crash")
    picture.line(end, 40, end, 150, "dashed")
    picture.text(end, 32, "last horizon of A")
    picture.line(start, 170, right, 170, arrow=True)
    picture.text((start + right) / 2, 192, "time in the ids of worker id 7", "small")
    return picture


def move() -> Picture:
    """Draws whose the numbers of a table are during a move."""
    rows, above, room = 52_000, 1_000_000, 1_000_000_000
    first, last = rows + above + 1, rows + above + room
    picture = Picture(
        150,
        "The numbers of a table during the move",
        f"From the left: the rows that are there, up to {rows:,}; unused numbers; the room from {first:,} to {last:,},"
        f" whose ids the tag hands out; and from {last + 1:,} the numbers that the raised counter gives to old code.",
    )
    spans = [
        (14, 120, "empty", "rows", f"1 … {rows:,}"),
        (136, 90, "paper", "unused", ""),
        (228, 278, "time", "the room: ids of the tag", f"{first:,}"),
        (508, 198, "worker", "old code, by the counter", f"{last + 1:,}"),
    ]
    for x, width, fill, text, number in spans:
        picture.box(x, 34, width, 40, fill, text)
        picture.line(x, 78, x, 90)
        picture.text(x, 106, number, "small left")
    picture.line(14, 120, 706, 120, arrow=True)
    picture.text(360, 140, "numbers (not to scale)", "small")
    return picture


def pooled() -> Picture:
    """Draws the ids that one value of a sequence stands for."""
    value, increment = 101, 50
    low, high = value - increment + 1, value + increment - 1
    picture = Picture(
        218,
        "The ids of one value of a sequence",
        f"The value {value} of a sequence with the increment {increment}: with pooled it stands for the ids {low} to"
        f" {value}, with pooled-lo for {value} to {high}. With the increment 1 it stands for {value} alone.",
    )
    middle, width = 405, 260
    rows = [
        ("pooled", "time", middle - width, f"ids {low} … {value}", width),
        ("pooled-lo", "time", middle - 5, f"ids {value} … {high}", width),
        ("increment 1", "worker", middle - 5, "", 10),
    ]
    picture.text(middle, 26, f"the sequence returns {value}", "bold")
    picture.line(middle, 34, middle, 180, "dashed")
    for row, (name, fill, x, text, size) in enumerate(rows):
        y = 44 + 46 * row
        picture.text(14, y + 20, name, "left bold")
        picture.box(x + 5 * (row == 0), y, size, 30, fill, text)
    picture.text(middle + 14, 156, f"id {value}", "left")
    picture.line(130, 190, 700, 190, arrow=True)
    for x, number in ((middle - width + 5, low), (middle, value), (middle + width - 5, high)):
        picture.text(x, 208, str(number), "small")
    return picture


def keys() -> Picture:
    """Draws which keys write and read public ids during a replacement."""
    old, new = (f"lmk{number}_{bytes(range(number, number + 32)).hex()}" for number in (0, 1))
    steps = [("before", [old]), ("new key added", [old, new]), ("new key in front", [new, old])]
    steps += [("old key removed", [new])]
    texts = {key: leafmint.PublicIds("order", [key]).encode(1) for key in (old, new)}
    names = {old: "old", new: "new"}
    picture = Picture(
        178,
        "Which key writes and reads public ids while it is replaced",
        "Four steps, each a deploy: first only the old key; then the new one is added after it, and read; then it is in"
        " front, so that it writes; then the old one is removed, and its public ids are rejected.",
    )
    for y, text in ((70, "keys"), (110, "new ids with"), (150, "accepts")):
        picture.text(14, y, text, "left bold")
    for column, (step, present) in enumerate(steps):
        x = 118 + 150 * column
        ids = leafmint.PublicIds("order", present)
        accepted = [names[key] for key, text in texts.items() if _reads(ids, text)]
        (writer,) = [key for key, text in texts.items() if ids.encode(1) == text]
        picture.text(x + 70, 32, step)
        picture.text(x + 70, 70, ", ".join(names[key] for key in present))
        picture.box(x + 4, 90, 134, 30, "worker" if writer == old else "time", names[writer])
        for place, name in enumerate(accepted):
            width = 134 / len(accepted)
            picture.box(
                x + 4 + place * width,
                130,
                width - 2,
                30,
                "worker" if name == "old" else "time",
                name,
            )
        if column:
            picture.line(x - 6, 16, x - 6, 166, "dashed")
    return picture


def _reads(ids: leafmint.PublicIds, text: str) -> bool:
    try:
        return ids.decode(text) == 1
    except leafmint.InvalidIdError:
        return False


def midnight() -> Picture:
    """Draws the numbers of a series around midnight, as leafmint gives them."""
    zone = ZoneInfo("Europe/Madrid")
    clock = testing.Clock(datetime(2026, 11, 25, 23, 59, 50, tzinfo=zone))
    found = []
    with testing.segments(clock) as ids:
        series = ids.series(
            "order", period="day", zone=zone.key, format="{year}{month}{day}-{number:4}"
        )
        for _ in range(41):
            series.next()
        for _ in range(4):
            found.append((clock.now.astimezone(zone), series.next().text))
            clock.tick(5)
    picture = Picture(
        142,
        "The numbers of a daily series around midnight",
        "Before midnight in the zone of the series: "
        + "; then after midnight: ".join(
            ", ".join(text for _, text in half) for half in (found[:2], found[2:])
        )
        + ".",
    )
    for column, (time, text) in enumerate(found):
        x = 14 + 176 * column
        picture.box(x, 40, 164, 34, "worker" if time.day == 25 else "time", text)
        picture.text(x + 82, 96, f"{time:%H:%M:%S}", "small")
    picture.line(360, 34, 360, 112, "dashed")
    picture.text(360, 26, f"midnight in {zone.key}", "bold")
    picture.line(14, 116, 706, 116, arrow=True)
    return picture


PICTURES: dict[str, Callable[[], Picture]] = {
    "layouts": layouts,
    "leases": leases,
    "snowflake": snowflake,
    "outage": outage,
    "choosing": choosing,
    "horizon": horizon,
    "move": move,
    "pooled": pooled,
    "keys": keys,
    "midnight": midnight,
}


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / f"{name}.svg").write_text(str(draw()), encoding="utf-8")
