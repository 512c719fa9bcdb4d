"""A network link to a server: it can be slow, hold all data back, or be cut."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time


class Link:
    """Forwards TCP connections from a free port to another port of 127.0.0.1.

    The delay is a round trip in seconds. Every byte arrives after half of it, and a connection opens as slowly as one
    to a server that far away: the server's first byte arrives after two round trips.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.delay = 0.0
        self.held = threading.Event()
        self.down = False
        self.pairs: set[tuple[socket.socket, socket.socket]] = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = int(self.listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> int:
        """Cuts every connection, in the middle of whatever it transfers; returns the number of connections."""
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        return len(pairs)

    def close(self) -> None:
        """Stops listening, and cuts every connection."""
        self.listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.down:
                client.close()
                continue
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        # The handshake takes a round trip, and its last packet half of one.
        time.sleep(self.delay * 1.5)
        try:
            server = socket.create_connection(("127.0.0.1", self.target), timeout=5)
        except OSError:
            client.close()
            return
        server.settimeout(None)
        pair = (client, server)
        for end in pair:
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.lock:
            self.pairs.add(pair)
        with client, server:
            directions = [
                threading.Thread(target=self._forward, args=direction, daemon=True) for direction in (pair, pair[::-1])
            ]
            for direction in directions:
                direction.start()
            for direction in directions:
                direction.join()
        with self.lock:
            self.pairs.discard(pair)

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        """Forwards one direction, each piece with a delay of its own."""
        pieces: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        threading.Thread(target=self._deliver, args=(pieces, target), daemon=True).start()
        data = b"-"
        while data:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            due = time.monotonic() + self.delay / 2
            self.passes(source, target)
            pieces.put((due, data))

    def passes(self, source: socket.socket, target: socket.socket) -> None:
        """Is called for each piece of data, before it is delivered."""

    def _deliver(self, pieces: queue.SimpleQueue[tuple[float, bytes]], target: socket.socket) -> None:
        while True:
            due, data = pieces.get()
            time.sleep(max(0.0, due - time.monotonic()))
            while self.held.is_set():
                time.sleep(0.01)
            with contextlib.suppress(OSError):
                if not data:
                    target.shutdown(socket.SHUT_RDWR)
                    return
                target.sendall(data)
