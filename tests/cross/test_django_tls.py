"""What a Django project demands of encryption holds for the connections that leafmint leases through."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
from crashing_postgresql import certify
from mariadb import MariaDb
from postgresql import PostgreSql

APPLICATION = """
import ssl, sys
import django, leafmint, pymysql
from django.conf import settings

pymysql.install_as_MySQLdb()
database = {database}
if database["ENGINE"].endswith("mysql"):
    context = ssl.create_default_context(cafile={ca!r})
    if sys.argv[1] == "with":
        context.load_cert_chain({client!r})
    database["OPTIONS"] = {{"ssl": context}}
settings.configure(
    DATABASES={{"default": database}}, INSTALLED_APPS=["leafmint.django"], LEAFMINT={{"DATABASE": "default"}}
)
django.setup()
from django.db import connection

try:
    with leafmint.SegmentGenerator(leafmint.late_binding.current().url, auto_create=True, timeout=60) as ids:
        ids.check()
        print(ids.tag("order").next_id())
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*), bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
                               "WHERE client_addr IS NOT NULL")
                print(*cursor.fetchone())
except leafmint.LeafmintError as error:
    print(error.code, error)
"""


def run(database: dict[str, Any], folder: Path, certificate: str = "with") -> list[str]:
    """Run the application, and return the lines that it prints."""
    files = {"ca": f"{folder}/ca.pem", "client": f"{folder}/client.pem"}
    command = [sys.executable, "-W", "error", "-c", APPLICATION.format(database=database, **files), certificate]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_an_ssl_context_and_a_client_certificate_are_those_of_django(tmp_path: Path) -> None:
    authority = trustme.CA()
    server, client = authority.issue_cert("localhost"), authority.issue_cert("shop@example.com")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    server.private_key_and_cert_chain_pem.write_to_path(tmp_path / "server.pem")
    client.private_key_and_cert_chain_pem.write_to_path(tmp_path / "client.pem")
    files = {"ca": "ca.pem", "cert": "server.pem", "key": "server.pem"}
    with MariaDb(*(f"--ssl-{name}={tmp_path / file}" for name, file in files.items())) as mariadb:
        mariadb.sql("CREATE USER shop IDENTIFIED BY 'hush' REQUIRE X509; GRANT ALL ON leafmint.* TO shop")
        database = {"ENGINE": "django.db.backends.mysql", "NAME": "leafmint", "USER": "shop", "PASSWORD": "hush"}
        database |= {"HOST": "localhost", "PORT": str(mariadb.port)}
        assert run(database, tmp_path) == ["1"]
        [refused] = run(database, tmp_path, "without")
        assert "1045" in refused or "Access denied" in refused, refused


@pytest.fixture
def public() -> Iterator[Path]:
    """Return a folder that the server's account may read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_verified_certificate_of_postgresql_is_demanded_as_django_demands_it(public: Path) -> None:
    with PostgreSql(*certify(public)) as postgres:
        database = {"ENGINE": "django.db.backends.postgresql", "NAME": "leafmint", "HOST": "localhost"}
        account = postgres.url.partition("//")[2].partition("@")[0].split(":")
        database |= {"PORT": str(postgres.port), "USER": account[0], "PASSWORD": account[1]}
        options = {"sslmode": "verify-full", "sslrootcert": f"{public}/ca.pem"}
        assert run({**database, "OPTIONS": options}, public) == ["1", "2 True"]
        [refused] = run({**database, "OPTIONS": {**options, "sslrootcert": "system"}}, public)
        assert "certificate" in refused
