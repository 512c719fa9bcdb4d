"""A link to a server that can be slow, hold everything back, or be cut."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time


class Link:
    """Passes TCP connections on to a port of 127.0.0.1, from a free port of its own."""

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
        with client, server, contextlib.suppress(OSError):
            self._pass_on(client, server)
        with self.lock:
            self.pairs.discard(pair)

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        other = {client: server, server: client}
        while True:
            for end in select.select([client, server], [], [])[0]:
                data = end.recv(65536)
                if not data:
                    return
                if self.delay:
                    time.sleep(self.delay / 2)
                while self.held.is_set():
                    time.sleep(0.01)
                other[end].sendall(data)
