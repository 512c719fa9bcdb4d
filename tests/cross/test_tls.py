"""Sessions are encrypted, and the server's identity is checked, as `ssl_mode` asks."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import leafmint
import pytest
import trustme
from mariadb import MariaDb
from sqlalchemy import create_engine, make_url
from sqlalchemy.ext.asyncio import create_async_engine


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """An authority that is trusted by these tests alone."""
    return trustme.CA()


@pytest.fixture(scope="module")
def server(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDb]:
    """A server with a certificate of that authority for the name localhost, whose account `secure` must encrypt."""
    folder = tmp_path_factory.mktemp("tls")
    certificate = authority.issue_cert("localhost")
    certificate.private_key_pem.write_to_path(folder / "key")
    certificate.cert_chain_pems[0].write_to_path(folder / "certificate")
    authority.cert_pem.write_to_path(folder / "authority")
    options = [f"--ssl-key={folder}/key", f"--ssl-cert={folder}/certificate", f"--ssl-ca={folder}/authority"]
    with MariaDb(*options) as database:
        database.sql("CREATE USER secure@'%' IDENTIFIED BY 'pw' REQUIRE SSL; GRANT ALL ON leafmint.* TO secure@'%'")
        yield database


def mint(host: str, server: MariaDb, timeout: float = 20, **options: object) -> int:
    """Mints one id as the account that must encrypt."""
    url = f"mysql://secure:pw@{host}:{server.port}/leafmint"
    with leafmint.SegmentGenerator(url, auto_create=True, timeout=timeout, **options) as ids:
        return ids.tag("order").next_id()


REFUSED = 4
"""Seconds of a call that must fail: a certificate may be renewed, so it is looked at until the timeout."""


@pytest.mark.parametrize("mode", ["preferred", "required"])
def test_sessions_are_encrypted_if_the_server_can_without_knowing_the_authority(server: MariaDb, mode: str) -> None:
    assert mint("127.0.0.1", server, ssl_mode=mode) >= 1


def test_a_host_that_speaks_tls_gets_one_spare_connection_from_a_process(server: MariaDb) -> None:
    def connections() -> int:
        """Counts the connections that the server has taken, without this one."""
        return int(server.sql("SHOW GLOBAL STATUS LIKE 'Connections'").split()[1]) - 1

    url = f"mysql://secure:pw@127.0.0.1:{server.port}/leafmint"
    generators = [leafmint.SegmentGenerator(url, auto_create=True) for _ in range(3)]
    taken = [connections()]
    for ids in generators:
        ids.tag("order").next_id()
        taken.append(connections() - len(taken))
    for ids in generators:
        ids.close()
    assert [after - before for before, after in pairwise(taken)] == [2, 1, 1]


def test_a_server_that_loses_its_certificate_is_used_in_plaintext_if_encryption_is_only_preferred(
    authority: trustme.CA, tmp_path: Path
) -> None:
    certificate = authority.issue_cert("localhost")
    certificate.private_key_pem.write_to_path(tmp_path / "key")
    certificate.cert_chain_pems[0].write_to_path(tmp_path / "certificate")
    with (
        MariaDb(f"--ssl-key={tmp_path}/key", f"--ssl-cert={tmp_path}/certificate") as database,
        leafmint.SegmentGenerator(database.url, auto_create=True, max_step=1000, timeout=60) as ids,
    ):
        order = ids.tag("order")
        order.next_range(1000)
        database.kill()
        database.options = ("--skip-ssl",)
        database.start()
        # A segment or two are in hand.
        for _ in range(4):
            assert len(order.next_range(1000)) == 1000


def test_an_account_that_requires_encryption_is_refused_in_plaintext(server: MariaDb) -> None:
    with pytest.raises(leafmint.InvalidConfigError):
        mint("127.0.0.1", server, ssl_mode="disabled")


def test_a_certificate_of_the_given_authority_is_accepted_for_its_name(
    server: MariaDb, authority: trustme.CA, tmp_path: Path
) -> None:
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    trusted = {"ssl_ca": str(tmp_path / "ca.pem")}
    assert mint("localhost", server, ssl_mode="verify_identity", **trusted) >= 1
    assert mint("127.0.0.1", server, ssl_mode="verify_ca", **trusted) >= 1
    with pytest.raises(leafmint.LeafmintError, match="certificate is for localhost"):
        mint("127.0.0.1", server, REFUSED, ssl_mode="verify_identity", **trusted)


def test_a_certificate_for_addresses_alone_is_accepted_for_its_authority_and_for_its_address(
    authority: trustme.CA, tmp_path: Path
) -> None:
    certificate = authority.issue_cert("127.0.0.1")
    certificate.private_key_pem.write_to_path(tmp_path / "key")
    certificate.cert_chain_pems[0].write_to_path(tmp_path / "certificate")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    with MariaDb(f"--ssl-key={tmp_path}/key", f"--ssl-cert={tmp_path}/certificate") as database:
        database.sql("CREATE USER secure@'%' IDENTIFIED BY 'pw' REQUIRE SSL; GRANT ALL ON leafmint.* TO secure@'%'")
        trusted = {"ssl_ca": str(tmp_path / "ca.pem")}
        assert mint("localhost", database, ssl_mode="verify_ca", **trusted) >= 1
        assert mint("127.0.0.1", database, ssl_mode="verify_identity", **trusted) >= 1
        with pytest.raises(leafmint.LeafmintError, match=r"certificate is for 127\.0\.0\.1, not for this host"):
            mint("localhost", database, REFUSED, ssl_mode="verify_identity", **trusted)


@pytest.mark.parametrize("mode", ["verify_ca", "verify_identity"])
def test_a_certificate_of_another_authority_is_refused(server: MariaDb, tmp_path: Path, mode: str) -> None:
    trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
    for trusted in ({}, {"ssl_ca": str(tmp_path / "other.pem")}):
        with pytest.raises(leafmint.LeafmintError, match=r"(?i)certificate|issuer"):
            mint("localhost", server, REFUSED, ssl_mode=mode, **trusted)


PLATFORMS = [
    # What the URL asks for, and whether the server's unknown authority, and an account that must encrypt, satisfy it.
    ("ssl-mode=REQUIRED", True),
    ("ssl-mode=DISABLED", False),
    ("sslaccept=strict", False),
    pytest.param("ssl=true", True, marks=pytest.mark.long),
    pytest.param("sslmode=verify-full", False, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("parameters", "opens"), PLATFORMS)
def test_a_session_is_never_opened_with_less_than_what_a_url_asks_for(
    server: MariaDb, authority: trustme.CA, tmp_path: Path, parameters: str, opens: bool
) -> None:
    def first_id(timeout: float = 20, **options: object) -> int:
        url = f"mysql://secure:pw@localhost:{server.port}/leafmint?{parameters}"
        with leafmint.SegmentGenerator(url, auto_create=True, timeout=timeout, **options) as ids:
            return ids.tag("order").next_id()

    if opens:
        assert first_id() >= 1
    else:
        with pytest.raises(leafmint.LeafmintError, match=r"(?i)certificate|issuer|denied"):
            first_id(REFUSED)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    if parameters != "ssl-mode=DISABLED":
        assert first_id(ssl_ca=str(tmp_path / "ca.pem")) >= 1


def test_a_given_authority_is_verified_without_a_mode(server: MariaDb, authority: trustme.CA, tmp_path: Path) -> None:
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
    assert mint("127.0.0.1", server, ssl_ca=str(tmp_path / "ca.pem")) >= 1
    with pytest.raises(leafmint.LeafmintError, match=r"(?i)certificate|issuer"):
        mint("127.0.0.1", server, REFUSED, ssl_ca=str(tmp_path / "other.pem"))


def test_a_server_without_encryption_is_refused_if_a_url_asks_for_it() -> None:
    with MariaDb("--skip-ssl") as plain:
        url = f"mysql://root@127.0.0.1:{plain.port}/leafmint?sslmode=required"
        with (
            leafmint.SegmentGenerator(url, auto_create=True) as ids,
            pytest.raises(leafmint.InvalidConfigError, match="TLS"),
        ):
            ids.tag("order").next_id()


# aiomysql leaves the transport of a handshake that failed open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("driver", ["mysql+pymysql", "mysql+aiomysql"])
def test_the_context_of_an_engine_encrypts_and_verifies(server: MariaDb, authority: trustme.CA, driver: str) -> None:
    trusting, distrustful = (ssl.create_default_context() for _ in range(2))
    authority.configure_trust(trusting)
    trustme.CA().configure_trust(distrustful)

    def mint_by_engine(context: ssl.SSLContext, timeout: float) -> int:
        url = make_url(f"{driver}://secure:pw@localhost:{server.port}/leafmint")
        make: Any = create_async_engine if url.get_dialect().is_async else create_engine
        engine = make(url, connect_args={"ssl": context})
        with leafmint.SegmentGenerator(engine, auto_create=True, timeout=timeout) as ids:
            return ids.tag("order").next_id()

    assert mint_by_engine(trusting, 60) >= 1
    with pytest.raises(leafmint.LeafmintError, match="CERTIFICATE_VERIFY_FAILED"):
        mint_by_engine(distrustful, REFUSED)


def test_an_engine_that_does_not_encrypt_is_refused_by_an_account_that_must(server: MariaDb) -> None:
    engine = create_engine(f"mysql+pymysql://secure:pw@127.0.0.1:{server.port}/leafmint?ssl_disabled=true")
    with (
        leafmint.SegmentGenerator(engine, auto_create=True, timeout=REFUSED) as ids,
        pytest.raises(leafmint.InvalidConfigError, match="Access denied"),
    ):
        ids.tag("order").next_id()
