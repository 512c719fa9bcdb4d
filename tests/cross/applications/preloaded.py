"""A WSGI app that opens and uses generators at import: with gunicorn's --preload that is before the fork."""

import os
from typing import Any

import leafmint

ORDER = leafmint.SegmentGenerator(os.environ["SEGMENTS"]).tag("order")
FLAKES = leafmint.SnowflakeGenerator(os.environ["SNOWFLAKES"])
FIRST = [ORDER(), FLAKES()]


def app(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answers with the worker's process and worker id, what the parent minted, and ten ids of each mode."""
    minted = [*FIRST, *ORDER.next_ids(10), *FLAKES.next_ids(10)]
    text = " ".join(map(str, [os.getpid(), FLAKES.worker_id, *minted]))
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(text)))])
    return [text.encode()]
