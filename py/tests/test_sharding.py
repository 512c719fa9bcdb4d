"""`leafmint.sharding`: the database of an id and of a key."""

from uuid import UUID

import leafmint
import pytest
from leafmint.sharding import GeneShards, SuffixShards, gene_of_value

NAMES = ["a", "b", "c"]

USER = UUID("6f1d0a6e-2f1b-4c62-9f0e-0f5a3a1b2c3d")


class OrderId(leafmint.TypedId, form="decimal", name="order"):
    """A typed id."""


@pytest.mark.parametrize("key", [7, -1, "user-42", USER, OrderId(45), 2**63 - 1])
def test_the_row_of_a_key_is_where_its_minted_id_says(key: str | int | UUID | OrderId) -> None:
    shards = GeneShards(NAMES, bits=4)
    with leafmint.SegmentGenerator("memory://test_sharding") as ids:
        id = ids.tag("order", gene_bits=4).next_id(gene=gene_of_value(key, 4))
    assert shards.of_key(key) == shards.of_id(id) == shards.of_id(OrderId(id)) == NAMES[(id & 15) % 3]


def test_a_uuid_counts_as_its_text_and_a_typed_id_as_its_number() -> None:
    assert gene_of_value(USER, 12) == leafmint.gene_of_key(str(USER), 12)
    assert gene_of_value(OrderId(77), 4) == leafmint.gene_of_key(77, 4) == 13


def test_a_number_with_a_suffix_names_its_database() -> None:
    rule = leafmint.ShardRule("10", tables=1024)
    shards = SuffixShards(NAMES, rule)
    number = str(rule.compose(7, rule.table_of("user-42")))
    assert shards.of_id(number) == shards.of_key("user-42") == NAMES[64 % 3]
    assert shards.of_key(USER) == shards.of_key(str(USER))
    with pytest.raises(leafmint.InvalidIdError):
        shards.of_id("2070064")


def test_what_cannot_name_a_database_is_refused() -> None:
    shards = GeneShards(NAMES, bits=4)
    with pytest.raises(leafmint.InvalidIdError):
        shards.of_id(-1)
    for wrong in (1.5, True, None, b"7"):
        with pytest.raises(TypeError):
            shards.of_key(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("names", "bits"), [([], 4), (["a", "a"], 4), (NAMES, 1), (NAMES, 0), (NAMES, 13)])
def test_databases_that_genes_cannot_name_are_refused(names: list[str], bits: int) -> None:
    with pytest.raises(leafmint.InvalidConfigError):
        GeneShards(names, bits)


def test_more_databases_than_tables_are_refused() -> None:
    with pytest.raises(leafmint.InvalidConfigError, match="databases"):
        SuffixShards(NAMES, leafmint.ShardRule("10", tables=2))
