"""Worker ids from a real ZooKeeper."""

import uuid

import leafmint
import pytest


def test_generators_take_worker_ids_of_their_own_and_give_them_back(zookeeper_url: str) -> None:
    name = f"py-{uuid.uuid4()}"
    with leafmint.SnowflakeGenerator(zookeeper_url, namespace=name, state_files=False) as one:
        with leafmint.SnowflakeGenerator(zookeeper_url, namespace=name, state_files=False) as other:
            ids = one.next_ids(1000) + other.next_ids(1000)
            assert len({*ids}) == 2000
            assert [one.decode(id).worker_id for id in (ids[0], ids[-1])] == [0, 1]
            assert [worker.held for worker in one.list_workers()] == [True, True]
            assert "zookeeper://" in one.scope
        assert [worker.held for worker in one.list_workers()] == [True, False]


def test_a_chroot_that_is_not_there_is_named(zookeeper_url: str) -> None:
    servers, leaf = zookeeper_url.rsplit("/", 1)
    with pytest.raises(leafmint.InvalidConfigError, match="chroot /no/such/place does not exist: create that node"):
        leafmint.SnowflakeGenerator(f"{servers}/no/such/place/{leaf}", eager=True)
