"""The URLs of databases on servers, from their entries in the setting DATABASES."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from .. import InvalidConfigError

POSTGRES_OPTIONS = {"channel_binding", "hostaddr", "options", "passfile", "require_auth", "requirepeer", "service"}
"""Options of libpq about server, account and schema, apart from those of TLS. leafmint refuses what it cannot obey."""


def mysql_url(alias: str, settings: dict[str, Any], hide_password: bool) -> str:
    """Return the URL of a MySQL or MariaDB database, with what Django's driver demands of encryption."""
    options = settings["OPTIONS"]
    host, port = str(options.get("host") or settings["HOST"] or "localhost"), options.get("port") or settings["PORT"]
    unread = [name for name in ("read_default_file", "read_default_group", "unix_socket") if options.get(name)]
    if host.startswith("/") or unread:
        raise InvalidConfigError(
            f"leafmint connects by TCP and reads no option files: give the database {alias!r} a HOST and a USER"
            f" instead of {', '.join(unread) or host}, or name the store by the key URL of the setting LEAFMINT"
        )
    user, password = options.get("user") or settings["USER"], options.get("password") or settings["PASSWORD"]
    account, database = login_of(user, password, hide_password), quote(str(settings["NAME"]), safe="")
    encryption = urlencode(encryption_of(alias, options))
    return f"mysql://{account}@{address(host, port)}/{database}" + (encryption and f"?{encryption}")


def postgres_url(settings: dict[str, Any], hide_password: bool) -> str:
    """Return the URL of a PostgreSQL database, with those of libpq's options that matter to leafmint."""
    options = settings["OPTIONS"]
    host = str(options.get("host") or settings["HOST"] or "localhost")
    if host.startswith("/"):
        raise InvalidConfigError(
            f"leafmint connects by TCP: give the database {settings['NAME']!r} a HOST and a USER instead of {host}, or"
            " name the store by the key URL of the setting LEAFMINT"
        )
    hosts, ports = host.split(","), str(options.get("port") or settings["PORT"] or "").split(",")
    # As in libpq, one port is that of every host.
    addresses = ",".join(map(address, hosts, ports * len(hosts) if len(ports) == 1 else ports))
    user, password = options.get("user") or settings["USER"], options.get("password") or settings["PASSWORD"]
    account, database = login_of(user, password, hide_password), quote(str(settings["NAME"] or ""), safe="")
    given = urlencode({name: options[name] for name in sorted(options) if is_asked(name) and options[name]})
    return f"postgresql://{account}@{addresses}/{database}" + (given and f"?{given}")


def is_asked(option: str) -> bool:
    """Return whether an option of libpq concerns leafmint's own connection."""
    return option in POSTGRES_OPTIONS or option.startswith(("ssl", "target_session"))


def login_of(user: str | None, password: str | None, hide_password: bool) -> str:
    """Return the account as in a URL."""
    shown = "***" if hide_password else quote(password or "", safe="")
    return quote(user or "", safe="") + (f":{shown}" if password else "")


def address(host: str, port: Any) -> str:
    """Return a host and its port as in a URL."""
    return (f"[{host}]" if ":" in host else quote(host)) + (f":{port}" if port else "")


def encryption_of(alias: str, options: dict[str, Any]) -> dict[str, str]:
    """Return leafmint's options for the encryption that the options of Django's driver demand."""
    given = options.get("ssl")
    files = dict(given) if isinstance(given, dict) else {}
    if unread := sorted({"cert", "key", "capath", "cipher"} & files.keys()):
        raise InvalidConfigError(
            f"leafmint does not read {', '.join(unread)} of OPTIONS['ssl'] of the database {alias!r}: name the store by"
            " the key URL of the setting LEAFMINT"
        )
    ca = files.get("ca")
    mode = str(options.get("ssl_mode") or ("" if not given else "verify_ca" if ca else "required")).lower()
    return ({"ssl_mode": mode} if mode else {}) | ({"ssl_ca": str(ca)} if ca else {})
