"""A WSGI app that mints in both modes; gunicorn's hooks record when a worker begins to exit and when it has ended."""

import os
import time
from typing import Any

GENERATORS: dict[str, Any] = {}


def generators() -> dict[str, Any]:
    """Opens the generators of a worker at its first request."""
    if not GENERATORS:
        import leafmint

        GENERATORS["order"] = leafmint.SegmentGenerator(os.environ["SEGMENTS"]).tag("order")
        GENERATORS["flakes"] = leafmint.SnowflakeGenerator(os.environ["SNOWFLAKES"])
    return GENERATORS


def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answers with an id of each mode."""
    text = " ".join(str(generator()) for generator in generators().values())
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(text)))])
    return [text.encode()]


def worker_exit(_server: Any, _worker: Any) -> None:
    """Runs in a worker that ends."""
    print("leaves", time.time(), flush=True)


def child_exit(_server: Any, _worker: Any) -> None:
    """Runs in the parent when a worker is gone."""
    print("gone", time.time(), flush=True)
