"""Tags whose ids carry a gene in their low bits."""

import itertools
from collections.abc import Callable
from typing import Any

import leafmint
import pytest
from testing import in_threads, run_python

CALLS_WITHOUT_A_GENE: list[Callable[[leafmint.Tag], Any]] = [
    lambda tag: tag.next_id(),
    lambda tag: tag.next_id(timeout=0),
    lambda tag: tag.try_next_id(),
    lambda tag: tag.next_ids(3),
    lambda tag: tag.next_range(3),
    lambda tag: tag(),
]


def test_the_gene_can_be_read_from_the_id(ids: leafmint.SegmentGenerator) -> None:
    order = ids.tag("order", gene_bits=4)
    assert order.gene_bits == 4
    genes = [leafmint.gene_of_key(f"user-{number}", 4) for number in range(2000)]
    minted = [order.next_id(gene=gene) for gene in genes]
    assert [leafmint.gene_of_id(id_, 4) for id_ in minted] == genes
    assert [id_ >> 4 for id_ in minted] == list(range(1, 2001))
    assert order.next_id(timeout=1, gene=3) == 2001 << 4 | 3


def test_ids_with_genes_of_eight_threads_are_unique(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("order", step=3, gene_bits=2)
    order = ids.tag("order", gene_bits=2)
    drawn = in_threads(8, lambda: [order.next_id(gene=turn % 4) for turn in range(5000)])
    assert len(set(itertools.chain.from_iterable(drawn))) == 8 * 5000


@pytest.mark.parametrize("call", CALLS_WITHOUT_A_GENE)
def test_a_call_without_a_gene_asks_for_one(
    ids: leafmint.SegmentGenerator, call: Callable[[leafmint.Tag], Any]
) -> None:
    order = ids.tag("order", gene_bits=4)
    for number in (1, 2):
        with pytest.raises(leafmint.InvalidArgumentError, match="pass a gene"):
            call(order)
        assert order.next_id(gene=0) == number << 4


@pytest.mark.parametrize("gene", [-1, 16, 2**63, -(2**70)])
def test_a_gene_that_does_not_fit_is_refused(ids: leafmint.SegmentGenerator, gene: int) -> None:
    order = ids.tag("order", gene_bits=4)
    for number in (1, 2):
        with pytest.raises(leafmint.InvalidArgumentError, match="gene"):
            order.next_id(gene=gene)
        assert order.next_id(gene=0) == number << 4


def test_a_tag_without_gene_bits_refuses_a_gene(order: leafmint.Tag) -> None:
    assert order.gene_bits == 0
    with pytest.raises(leafmint.InvalidArgumentError, match="has no gene bits"):
        order.next_id(gene=0)
    assert order.next_id() == 1


@pytest.mark.parametrize("bits", [-1, 13, 2**70])
def test_gene_bits_out_of_range_are_refused(ids: leafmint.SegmentGenerator, bits: int) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="gene_bits"):
        ids.tag("order", gene_bits=bits)
    with pytest.raises(leafmint.InvalidArgumentError, match="gene_bits"):
        ids.create_tag("order", gene_bits=bits)


def test_a_generator_refuses_a_tag_with_two_numbers_of_gene_bits(ids: leafmint.SegmentGenerator) -> None:
    ids.tag("order", gene_bits=4)
    for bits in (0, 5):
        with pytest.raises(leafmint.InvalidArgumentError, match=f"gene_bits=4.* not {bits}"):
            ids.tag("order", gene_bits=bits)


def test_a_tag_never_mints_ids_with_and_without_genes(url: str) -> None:
    run_python(
        "import sys, leafmint\n"
        "with leafmint.SegmentGenerator(sys.argv[1]) as ids:\n"
        "    ids.tag('raw').next_id(), ids.tag('gene', gene_bits=4).next_id(gene=0)",
        url,
    )
    with leafmint.SegmentGenerator(url) as ids:
        with pytest.raises(leafmint.InvalidConfigError, match="already used without gene bits"):
            ids.tag("raw", gene_bits=4).next_id(gene=0)
        with pytest.raises(leafmint.InvalidConfigError, match="gene_bits=4"):
            ids.tag("gene").next_id()
        with pytest.raises(leafmint.InvalidConfigError, match="gene_bits=4"):
            ids.create_tag("gene", gene_bits=5)
    with leafmint.SegmentGenerator(url) as ids:
        assert ids.tag("gene", gene_bits=4).next_id(gene=9) == 2 << 4 | 9
