"""A link to a database that is as far away as one of a cloud, and counts round trips."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests/servers"))
from link import Link


class CountingLink(Link):
    """Counts how often a client goes on after an answer."""

    def __init__(self, target: int, delay: float) -> None:
        self.round_trips = 0
        self.answered: set[socket.socket] = set()
        super().__init__(target)
        self.delay = delay

    def passes(self, source: socket.socket, target: socket.socket) -> None:
        """Counts a piece of a client that follows an answer."""
        if source.getsockname()[1] != self.port:
            self.answered.add(target)
        elif source in self.answered:
            self.answered.discard(source)
            self.round_trips += 1
