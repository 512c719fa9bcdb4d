"""Starts throwaway groups of MySQL servers that replicate by Group Replication."""

from __future__ import annotations

import uuid

from mysql import MySql
from throwaway import free_port


class Member(MySql):
    """A server of a group."""

    name = "GroupReplication"

    def __init__(self, number: int, group: str, ports: list[int], single_primary: bool) -> None:
        super().__init__(
            "--performance-schema=ON", f"--server-id={number}", "--log-bin=binlog", "--binlog-format=ROW",
            "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--report-host=127.0.0.1",
            "--plugin-load-add=group_replication.so", f"--loose-group-replication-group-name={group}",
            f"--loose-group-replication-local-address=127.0.0.1:{ports[number - 1]}",
            f"--loose-group-replication-group-seeds={','.join(f'127.0.0.1:{port}' for port in ports)}",
            "--loose-group-replication-ip-allowlist=127.0.0.1", "--loose-group-replication-start-on-boot=OFF",
            "--loose-group-replication-recovery-get-public-key=ON",
            f"--loose-group-replication-single-primary-mode={'ON' if single_primary else 'OFF'}",
            f"--loose-group-replication-enforce-update-everywhere-checks={'OFF' if single_primary else 'ON'}",
            "--loose-group-replication-member-expel-timeout=0",
        )  # fmt: skip
        with self.removed_on_failure():
            self.make_account()

    def make_account(self) -> None:
        """Makes the account that members copy with. What every server has so far must not count as its own history."""
        self.sql(
            "CREATE USER copier@127.0.0.1 IDENTIFIED BY 'hush-hush';"
            "GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.*"
            " TO copier@127.0.0.1;"
            "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'copier', SOURCE_PASSWORD = 'hush-hush'"
            " FOR CHANNEL 'group_replication_recovery';"
            "RESET BINARY LOGS AND GTIDS"
        )

    def join(self, first: bool = False) -> None:
        """Joins the group, or makes it."""
        if first:
            self.sql("SET GLOBAL group_replication_bootstrap_group = ON")
        self.sql("START GROUP_REPLICATION")
        if first:
            self.sql("SET GLOBAL group_replication_bootstrap_group = OFF")


class GroupReplication:
    """Three members with an empty database `leafmint`; the first one is the primary of a group with one."""

    def __init__(self, single_primary: bool) -> None:
        self.nodes: list[Member] = []
        ports, group = [free_port() for _ in range(3)], str(uuid.uuid4())
        try:
            for number in (1, 2, 3):
                self.nodes.append(Member(number, group, ports, single_primary))
            for node in self.nodes:
                node.join(first=node is self.nodes[0])
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends every member and removes its data."""
        for node in self.nodes:
            node.close()

    def __enter__(self) -> GroupReplication:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
