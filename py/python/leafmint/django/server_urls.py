"""The URLs of databases on servers, from their entries in the setting DATABASES."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from .. import InvalidConfigError

POSTGRES_OPTIONS = {"channel_binding", "hostaddr", "options", "passfile", "require_auth", "requirepeer", "service"}
"""Options of libpq about server, account and schema, apart from those of TLS. leafmint refuses what it cannot obey."""


SYNONYMS = {"PASSWORD": ("passwd",), "NAME": ("database", "dbname")}
"""Options of Django's drivers for what has a key of its own in DATABASES. They win, as there."""


class DatabaseSettings:
    """The entry of a database in DATABASES. A page about an error shows dicts that variables have, and no objects."""

    def __init__(self, alias: str, entry: dict[str, Any]) -> None:
        """Keep the entry."""
        self.alias = alias
        self.options: dict[str, Any] = entry["OPTIONS"]
        self._entry = entry

    def get(self, key: str) -> Any:
        """Return a value, which an option may override."""
        names = (key.lower(), *SYNONYMS.get(key, ()))
        return next(filter(None, map(self.options.get, names)), None) or self._entry[key]

    @property
    def name(self) -> str:
        """The name of the database as in a URL."""
        return quote(str(self.get("NAME") or ""), safe="")

    @property
    def host(self) -> str:
        """The host, or several."""
        return str(self.get("HOST") or "localhost")

    def account(self, hide_password: bool) -> str:
        """Return user and password as in a URL."""
        return quote(str(self.get("USER") or ""), safe="") + self._password(hide_password)

    def _password(self, hide: bool) -> str:
        if not self.get("PASSWORD"):
            return ""
        return ":***" if hide else ":" + quote(str(self.get("PASSWORD")), safe="")


def mysql_url(settings: DatabaseSettings, hide_password: bool) -> str:
    """Return the URL of a MySQL or MariaDB database, with what Django's driver demands of encryption."""
    host = settings.host
    unread = [name for name in ("read_default_file", "read_default_group", "unix_socket") if settings.options.get(name)]
    if host.startswith("/") or unread:
        raise InvalidConfigError(
            f"leafmint connects by TCP and reads no option files: give the database {settings.alias!r} a HOST and a"
            f" USER instead of {', '.join(unread) or host}, or name the store by the key URL of the setting LEAFMINT"
        )
    server, encryption = address(host, settings.get("PORT")), urlencode(encryption_of(settings))
    return f"mysql://{settings.account(hide_password)}@{server}/{settings.name}" + (encryption and f"?{encryption}")


def postgres_url(settings: DatabaseSettings, hide_password: bool) -> str:
    """Return the URL of a PostgreSQL database, with those of libpq's options that matter to leafmint."""
    if settings.host.startswith("/"):
        raise InvalidConfigError(
            f"leafmint connects by TCP: give the database {settings.alias!r} a HOST and a USER instead of"
            f" {settings.host}, or name the store by the key URL of the setting LEAFMINT"
        )
    hosts, ports = settings.host.split(","), str(settings.get("PORT") or "").split(",")
    # As in libpq, one port is that of every host.
    addresses = ",".join(map(address, hosts, ports * len(hosts) if len(ports) == 1 else ports))
    asked = [name for name in sorted(settings.options) if is_asked(name) and settings.options[name]]
    given = urlencode({name: settings.options[name] for name in asked})
    return f"postgresql://{settings.account(hide_password)}@{addresses}/{settings.name}" + (given and f"?{given}")


def is_asked(option: str) -> bool:
    """Return whether an option of libpq concerns leafmint's own connection."""
    return option in POSTGRES_OPTIONS or option.startswith(("ssl", "target_session"))


def address(host: str, port: Any) -> str:
    """Return a host and its port as in a URL."""
    return (f"[{host}]" if ":" in host else quote(host)) + (f":{port}" if port else "")


def encryption_of(settings: DatabaseSettings) -> dict[str, str]:
    """Return leafmint's options for the encryption that the options of Django's driver demand."""
    given = settings.options.get("ssl")
    files = dict(given) if isinstance(given, dict) else {}
    if unread := sorted({"cert", "key", "capath", "cipher"} & files.keys()):
        raise InvalidConfigError(
            f"leafmint does not read {', '.join(unread)} of OPTIONS['ssl'] of the database {settings.alias!r}: name the"
            " store by the key URL of the setting LEAFMINT"
        )
    ca = files.get("ca")
    mode = str(settings.options.get("ssl_mode") or ("" if not given else "verify_ca" if ca else "required")).lower()
    return ({"ssl_mode": mode} if mode else {}) | ({"ssl_ca": str(ca)} if ca else {})
