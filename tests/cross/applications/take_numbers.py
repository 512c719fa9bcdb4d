"""Takes numbers of daily series until its standard input ends: `take_numbers.py URL FILE ZONE...`.

The file has a line for each number: the zone, the period, the number, and the dates that the clock showed before and
after it. A call during which the clock is set back over midnight may be refused.
"""

import select
import sys
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import leafmint


def main(url: str, file: str, *zones: str) -> None:
    """Takes a number of each series in turn."""
    with leafmint.SegmentGenerator(url) as ids, Path(file).open("w", buffering=1) as out:
        calendars = {zone: ZoneInfo(zone) for zone in zones}
        series = {zone: ids.series(zone.replace("/", "-"), period="day", zone=zone) for zone in zones}
        print("ready", flush=True)
        while not select.select([sys.stdin], [], [], 0.002)[0]:
            for zone in zones:
                before = datetime.now(calendars[zone]).date()
                try:
                    number = series[zone].next()
                except leafmint.InvalidConfigError:
                    continue
                after = datetime.now(calendars[zone]).date()
                out.write(f"{zone} {number.group} {number.number} {before} {after}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
