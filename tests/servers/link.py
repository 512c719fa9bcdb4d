"""A link to a server that can be slow, hold everything back, or be cut."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time


class Link:
    """Passes TCP connections on to a port of 127.0.0.1, from a free port of its own.

    With a delay (a round trip, in seconds) every byte arrives half of it later, and a connection opens as late as one that far
    away: what its server says first comes after two round trips.
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
        """Cuts every connection, whatever is under way on it; returns how many there were."""
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        return len(pairs)

    def close(self) -> None:
        """Cuts everything and listens no more."""
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
        # The handshake, and the client's word that it is done, have yet to cross.
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
            ways = [threading.Thread(target=self._pass_on, args=way, daemon=True) for way in (pair, pair[::-1])]
            for way in ways:
                way.start()
            for way in ways:
                way.join()
        with self.lock:
            self.pairs.discard(pair)

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        """Passes one way on, each piece by itself: one that is under way does not hold up the next."""
        pieces: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        threading.Thread(target=self._deliver, args=(pieces, target), daemon=True).start()
        data = b"-"
        while data:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            pieces.put((time.monotonic() + self.delay / 2, data))

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
