"""Starts a ZooKeeper for a test of the core that has a port with TLS, and accounts that log in by SASL.

It prints the server's URL and, behind it, the port with TLS and the file of the authority of its certificate for
`localhost`. The account `shop` has the password `secret`. The server ends with the input.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from crashing_postgresql import certify
from throwaway import free_port
from zookeeper import Programs, ZooKeeper

ACCOUNTS = """Server {
  org.apache.zookeeper.server.auth.DigestLoginModule required
  user_shop="secret";
};
"""


def netty() -> str:
    """Finds what the server needs for TLS and does not name among its archives."""
    programs = Programs()
    found = [
        programs.path(f"netty-{part}.jar") for part in ("buffer", "codec", "common", "handler", "resolver", "transport")
    ]
    found += [programs.path(f"netty-transport-native-{part}.jar") for part in ("epoll", "unix-common")]
    return ":".join(str(path) for path in found if path)


def main() -> None:
    """Starts the server, and waits for the end of the input."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        certify(folder)
        (folder / "identity.pem").write_text((folder / "server.key").read_text() + (folder / "server.pem").read_text())
        (folder / "accounts").write_text(ACCOUNTS)
        options = [
            f"secureClientPort={port}", "secureClientPortAddress=127.0.0.1",
            "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
            f"ssl.keyStore.location={folder}/identity.pem", f"ssl.trustStore.location={folder}/ca.pem",
            "ssl.clientAuth=none",
            "authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
            f"-Djava.security.auth.login.config={folder}/accounts", f"-Xbootclasspath/a:{netty()}",
        ]  # fmt: skip
        with ZooKeeper(*options) as server:
            print(server.url, port, folder / "ca.pem", flush=True)
            sys.stdin.read()


if __name__ == "__main__":
    main()
