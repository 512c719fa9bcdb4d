"""Starts throwaway ticket servers for tests: two MariaDB servers that know nothing of each other.

As a program it runs a command with them: `python3 tests/servers/tickets.py COMMAND…` sets LEAFMINT_TEST_TICKETS to two
servers that end with the command. If the variable is set already, the command uses those servers.

With `--controlled` it prints the URL of two servers, and then obeys lines such as `0 kill` and `1 start --option`, each
of which it answers with `done`, until its input ends.
"""

from __future__ import annotations

import contextlib
import sys
from concurrent.futures import ThreadPoolExecutor

from mariadb import MariaDb
from throwaway import run_with

VARIABLE = "LEAFMINT_TEST_TICKETS"
INCREMENT = 10


class TicketServer(MariaDb):
    """A server that draws every tenth ticket, beginning with its offset."""

    def __init__(self, offset: int, *options: str) -> None:
        small = ["--innodb-buffer-pool-size=8M"]
        # MySQL's default, where a ticket may be stored after a later one.
        interleaved = "--innodb-autoinc-lock-mode=2"
        super().__init__(*small, interleaved, *self.draws(INCREMENT, offset), *options)

    @staticmethod
    def draws(increment: int, offset: int) -> list[str]:
        """Returns the options of a server that draws these tickets."""
        return [f"--auto-increment-increment={increment}", f"--auto-increment-offset={offset}"]

    def restart(self, *options: str) -> None:
        """Starts the server again after a kill, with more options."""
        self.options = (*self.options, *options)
        self.start()


class TicketServers:
    """Two servers or more, which begin at once."""

    def __init__(self, count: int = 2) -> None:
        with ThreadPoolExecutor(count) as pool:
            self.servers = list(pool.map(TicketServer, range(1, count + 1)))

    @property
    def url(self) -> str:
        """The URL of their databases `leafmint`, with an account that may do anything."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.servers)
        return f"tickets://root@{hosts}/leafmint"

    def __enter__(self) -> TicketServers:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.ExitStack() as stack:
            for server in self.servers:
                stack.callback(server.close)


def obey() -> int:
    """Does to the servers what the input says."""
    with TicketServers() as pair:
        print(pair.url, flush=True)
        for line in sys.stdin:
            number, order, *options = line.split()
            server = pair.servers[int(number)]
            if order == "kill":
                server.kill()
            else:
                server.restart(*options)
            print("done", flush=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--controlled"]:
        sys.exit(obey())
    sys.exit(run_with(VARIABLE, TicketServers, sys.argv[1:]))
