"""An account of a database whose password rotates."""

import uuid
from urllib.parse import urlsplit

from sqlalchemy import create_engine, make_url, text
from sqlalchemy.pool import NullPool

DRIVERS = {"mysql": "mysql+pymysql", "postgresql": "postgresql+psycopg"}


class Account:
    """An account of the tests' database, and the secret store that knows its password."""

    def __init__(self, url: str, login: tuple[str, str] | None = None) -> None:
        """Make an account, unless `login` is that of one."""
        server = make_url(url)
        self.is_postgres = server.drivername == "postgresql"
        operator = server.set(drivername=DRIVERS[server.drivername])
        self.engine = create_engine(operator, isolation_level="AUTOCOMMIT", poolclass=NullPool)
        parts = urlsplit(url)
        self.url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self.user, self.password = login or (f"account_{uuid.uuid4().hex[:8]}", "s3ntinel-0")
        self.asked = 0
        if login is None and self.is_postgres:
            self.sql(f"CREATE ROLE {self.user} SUPERUSER LOGIN PASSWORD '{self.password}'")
        elif login is None:
            create = f"CREATE USER {self.user}@'%' IDENTIFIED BY '{self.password}'"
            self.sql(create, f"GRANT ALL ON *.* TO {self.user}@'%'")

    def __call__(self) -> tuple[str, str]:
        """Return user and password, as a supplier of credentials."""
        self.asked += 1
        return self.user, self.password

    def rotate(self) -> None:
        """Change the password, and cut the sessions that logged in with the old one."""
        self.password = f"s3ntinel-{uuid.uuid4().hex[:8]}"
        if self.is_postgres:
            self.sql(f"ALTER ROLE {self.user} PASSWORD '{self.password}'")
        else:
            self.sql(f"ALTER USER {self.user}@'%' IDENTIFIED BY '{self.password}'")
        self.cut()

    def cut(self) -> None:
        """Cut the sessions."""
        if self.is_postgres:
            self.sql(f"SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE usename = '{self.user}'")
        else:
            self.sql(f"KILL USER {self.user}")

    def drop(self) -> None:
        """Remove the account."""
        self.cut()
        if self.is_postgres:
            self.sql(f"REASSIGN OWNED BY {self.user} TO CURRENT_USER", f"DROP ROLE {self.user}")
        else:
            self.sql(f"DROP USER {self.user}@'%'")

    def sql(self, *statements: str) -> None:
        """Run statements as an operator."""
        with self.engine.connect() as connection:
            for statement in statements:
                connection.execute(text(statement))
