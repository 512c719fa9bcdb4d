"""Prints the ten slowest tests of the JUnit XML reports that it is given, and the seconds and number of all."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def main(paths: list[Path]) -> None:
    """Reads the files and prints."""
    files = [file for path in paths for file in (sorted(path.glob("*.xml")) if path.is_dir() else [path])]
    cases = [case for file in files for case in ElementTree.parse(file).iter("testcase")]
    took = sorted(((float(case.get("time", 0)), case) for case in cases), key=lambda one: -one[0])
    for seconds, case in took[:10]:
        print(f"{seconds:7.1f} s  {case.get('classname')} {case.get('name')}")
    print(f"{sum(seconds for seconds, _ in took):7.1f} s  {len(took)} tests")


if __name__ == "__main__":
    main([Path(path) for path in sys.argv[1:]])
