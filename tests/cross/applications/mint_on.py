"""Mints until its standard input ends, whatever fails meanwhile: `mint_on.py FILE PORT [order=URL] [flakes=URL]`.

The file has a line for each id, and for each error that differs from the one before: what was asked for, and the id or
the error's code. The port serves the metrics.
"""

import logging
import select
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import leafmint
from leafmint.prometheus import LeafmintCollector
from prometheus_client import CollectorRegistry, start_http_server

SECONDS = 0.01
"""Between two ids."""


def main(file: str, port: str, *sources: str) -> None:
    """Mints an id of each source in turn."""
    logging.basicConfig(level=logging.INFO)
    with ExitStack() as stack:
        out = stack.enter_context(Path(file).open("w", buffering=1))
        mints: dict[str, Callable[[], int]] = {}
        generators: list[leafmint.SegmentGenerator | leafmint.SnowflakeGenerator] = []
        for source in sources:
            name, _, url = source.partition("=")
            if name == "flakes":
                flakes = stack.enter_context(leafmint.SnowflakeGenerator(url, timeout=1))
                mints[name] = flakes.next_id
                generators.append(flakes)
            else:
                options = {} if "max_unused" in url else {"max_unused": 200}
                ids = stack.enter_context(leafmint.SegmentGenerator(url, timeout=1, auto_create=False, **options))
                mints[name] = ids.tag(name).next_id
                generators.append(ids)
        registry = CollectorRegistry()
        registry.register(LeafmintCollector(*generators))
        start_http_server(int(port), "127.0.0.1", registry)
        last = ""
        while not select.select([sys.stdin], [], [], SECONDS)[0]:
            for name, mint in mints.items():
                try:
                    line = f"{name} {mint()}"
                except leafmint.LeafmintError as error:
                    line = f"{name} {error.code}"
                if line != last:
                    out.write(f"{line}\n")
                last = line


if __name__ == "__main__":
    main(*sys.argv[1:])
