"""Tags with relaxed order: each thread mints from its own block of ids."""

import itertools
from pathlib import Path
from typing import Any

import leafmint
import pytest
from testing import in_threads, run_python


def test_ids_increase_per_thread_and_never_repeat(ids: leafmint.SegmentGenerator) -> None:
    ids.create_tag("order", step=7)
    order = ids.tag("order", order="relaxed")
    assert order.order == "relaxed"

    def mint() -> list[int]:
        drawn: list[int] = []
        for turn in range(1000):
            drawn += [
                order.next_id(),
                order.next_id(timeout=1),
                order(),
                *order.next_ids(1 + turn % 5),
                *order.next_range(1 + turn % 3),
            ]
        return drawn

    drawn = in_threads(8, mint)
    assert all(a < b for mine in drawn for a, b in itertools.pairwise(mine))
    everything = list(itertools.chain.from_iterable(drawn))
    assert len(set(everything)) == len(everything)


def test_relaxed_and_strict_tags_of_one_name_never_share_an_id(ids: leafmint.SegmentGenerator) -> None:
    relaxed, strict = ids.tag("order", order="relaxed"), ids.tag("order")
    assert strict.order == ids.tag("order", order="strict").order == "strict"
    drawn = in_threads(4, lambda: [tag.next_id() for _ in range(2000) for tag in (relaxed, strict)])
    assert len(set(itertools.chain.from_iterable(drawn))) == 4 * 2000 * 2


def test_every_id_is_accounted_for_and_none_is_minted_after_the_close(ids: leafmint.SegmentGenerator) -> None:
    order = ids.tag("order", order="relaxed")
    in_threads(4, lambda: [order.next_id() for _ in range(100)])
    ids.close()
    stats = ids.stats().tags["order"]
    assert stats.issued == 400
    assert stats.leased == stats.issued + stats.unused + stats.given_back
    calls: list[Any] = [order.next_id, order.try_next_id, lambda: order.next_ids(2), lambda: order.next_range(2)]
    for call in calls:
        with pytest.raises(leafmint.ClosedError):
            call()


def test_a_tag_with_genes_may_be_relaxed(ids: leafmint.SegmentGenerator) -> None:
    order = ids.tag("order", gene_bits=2, order="relaxed")
    drawn = in_threads(4, lambda: [order.next_id(gene=turn % 4) for turn in range(2000)])
    assert len(set(itertools.chain.from_iterable(drawn))) == 4 * 2000


@pytest.mark.parametrize("order", ["", "Relaxed", "\ud800"])
def test_an_unknown_order_is_refused(ids: leafmint.SegmentGenerator, order: str) -> None:
    with pytest.raises(leafmint.InvalidArgumentError, match="order"):
        ids.tag("order", order=order)  # type: ignore[arg-type]


def test_a_forked_child_drops_the_blocks_of_its_parent(tmp_path: Path) -> None:
    script = """
        import os, sys, threading, leafmint
        ids = leafmint.SegmentGenerator(sys.argv[1])
        order = ids.tag("order", order="relaxed")

        def say(count):
            os.write(1, (" ".join(str(order.next_id()) for _ in range(count)) + "\\n").encode())

        def in_thread():
            thread = threading.Thread(target=say, args=(30,))
            thread.start()
            thread.join()

        # This thread and another one have used half of their blocks.
        say(100)
        in_thread()
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                say(1000)
                in_thread()
                grandchild = os.fork()
                say(1000)
                if grandchild:
                    assert os.waitpid(grandchild, 0)[1] == 0
                os._exit(0)
            children.append(child)
        say(1000)
        in_thread()
        for child in children:
            assert os.waitpid(child, 0)[1] == 0
        say(1000)
    """
    minted = run_python(script, f"sqlite:///{tmp_path / 'ids.db'}").split()
    assert len(minted) == 100 + 30 + 3 * (1000 + 30 + 2 * 1000) + 1000 + 30 + 1000
    assert len(set(minted)) == len(minted)
