"""Starts a PostgreSQL that a test of the core crashes: `python3 tests/servers/crashing_postgresql.py SETTING…`.

It prints the server's URL, and for each line of its input crashes the server, starts it again and prints the URL. The
first word `--pooled` puts a pgbouncer in front, which gives each transaction any of two sessions. The first word
`--tls` gives it a certificate for `localhost`, by the authority in the file that is printed behind the URL. The server
ends with the input.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from packages import need
from postgresql import ACCOUNT, PASSWORD, PostgreSql
from throwaway import START_SECONDS, free_port, not_root
from unpacked import unpacked


class Pool:
    """A pgbouncer in front of a server. Its owner, data and end are those of the server."""

    def __init__(self, server: PostgreSql) -> None:
        self.port = free_port()
        installed = Path("/usr/sbin/pgbouncer")
        program, environment = installed, server.programs.environment
        if not installed.exists():
            folder = unpacked("pgbouncer", ["pgbouncer"], "")
            libraries = ":".join(str(path) for path in folder.glob("usr/lib/*-linux-*"))
            program, environment = folder / "usr/sbin/pgbouncer", {**environment, "LD_LIBRARY_PATH": libraries}
        (server.folder / "accounts").write_text(f'"{ACCOUNT}" "{PASSWORD}"\n')
        (server.folder / "pool.ini").write_text(
            f"[databases]\nleafmint = host=127.0.0.1 port={server.port} dbname=leafmint\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = scram-sha-256\nauth_file = {server.folder}/accounts\n"
            "pool_mode = transaction\ndefault_pool_size = 2\n"
        )
        with (server.folder / "pool.log").open("wb") as log:
            self.process = subprocess.Popen(
                [program, f"{server.folder}/pool.ini"], env=environment, cwd=server.folder, stdout=log, stderr=log,
                **server.owner,
            )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while not self.listens():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.close()
                sys.exit("pgbouncer did not start:\n" + (server.folder / "pool.log").read_text(errors="replace"))
            time.sleep(0.05)

    def listens(self) -> bool:
        """Returns whether clients can connect."""
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Ends it."""
        self.process.kill()
        self.process.wait()


def certify(folder: Path) -> list[str]:
    """Makes an authority and a certificate in a folder. Returns the settings that use it."""
    need(["openssl"], ["openssl"], "")

    def openssl(words: str) -> None:
        subprocess.run(["openssl", *words.split()], check=True, cwd=folder, capture_output=True)

    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    openssl(f"req -x509 {key} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem")
    openssl(f"req {key} -subj /CN=server -keyout server.key -out server.csr")
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    openssl("x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem")
    owner = not_root()
    for name in ("server.key", "server.pem"):
        (folder / name).chmod(0o600)
        os.chown(folder / name, owner.get("user", -1), owner.get("group", -1))
    return ["ssl=on", f"ssl_cert_file={folder}/server.pem", f"ssl_key_file={folder}/server.key"]


def main(words: list[str]) -> None:
    """Starts the server, and crashes it for each line."""
    pooled, tls = words[:1] == ["--pooled"], words[:1] == ["--tls"]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        Path(folder).chmod(0o755)
        settings = certify(Path(folder)) if tls else []
        server = stack.enter_context(PostgreSql(*words[pooled or tls :], *settings))
        pool = Pool(server) if pooled else None
        try:
            url = server.url.replace(str(server.port), str(pool.port)) if pool else server.url
            url += f" {folder}/ca.pem" if tls else ""
            print(url, flush=True)
            for _ in sys.stdin:
                server.kill()
                server.start()
                print(url, flush=True)
        finally:
            if pool:
                pool.close()


if __name__ == "__main__":
    main(sys.argv[1:])
