"""Two ticket servers that know nothing of each other."""

import uuid

import leafmint
import pytest
from testing import in_threads


def test_generators_on_independent_servers_never_mint_the_same_id(tickets_url: str) -> None:
    tag = f"py-{uuid.uuid4()}"
    with leafmint.SegmentGenerator(tickets_url) as ids:
        ids.init_schema()
        with pytest.raises(leafmint.UnknownTagError, match="create_tag"):
            ids.tag(tag).next_id()
        assert ids.create_tag(tag)
        assert "scope: everyone on those servers" in ids.scope

    def mint() -> list[int]:
        with leafmint.SegmentGenerator(tickets_url) as ids:
            minted = ids.tag(tag).next_ids(2500)
            assert minted == sorted(minted)
            return minted

    minted = [one for batch in in_threads(4, mint) for one in batch]
    assert len(set(minted)) == 10_000


def test_one_server_is_not_enough_for_a_url() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="two or more independent servers"):
        leafmint.SegmentGenerator("tickets://user@host/database")
