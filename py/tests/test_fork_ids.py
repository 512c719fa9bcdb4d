"""Forks: a child mints its own ids with the generators of its parent, which is not affected."""

from pathlib import Path

import pytest
from fork_scripts import PRELUDE, Arguments
from testing import run_python


def mints_each_id_once(script: str, arguments: Arguments, count: int) -> None:
    """Run a script whose processes print ids, and check that all are unique."""
    ids = run_python(PRELUDE + script, *arguments, seconds=900).split()
    assert len(ids) == count
    assert len(set(ids)) == count


def test_child_and_parent_mint_with_one_generator_and_never_the_same_id(arguments: Arguments) -> None:
    mints_each_id_once(
        """
        generator, source = opened()
        say(*source.next_ids(500))
        children = [start_child(lambda: say(*source.next_ids(3000), source.next_id(), source())) for _ in range(3)]
        say(*source.next_ids(3000))
        for child in children:
            ended(child)
        say(*source.next_ids(3000))
        generator.close()
        """,
        arguments,
        500 + 3 * 3002 + 6000,
    )


def test_a_child_of_a_child_has_ids_of_its_own(arguments: Arguments) -> None:
    mints_each_id_once(
        """
        generator, source = opened()
        say(source.next_id())

        def grandchild():
            say(*source.next_ids(100))
            in_child(lambda: say(*source.next_ids(100)))

        def child_that_mints():
            say(*source.next_ids(100))
            in_child(grandchild)
            say(*source.next_ids(100))

        in_child(child_that_mints)
        in_child(lambda: in_child(grandchild))
        say(*source.next_ids(100))
        """,
        arguments,
        1 + 200 + 200 + 200 + 100,
    )


@pytest.mark.parametrize("forks", [10, pytest.param(40, marks=pytest.mark.long)])
def test_a_fork_in_the_middle_of_anything_leaves_both_sides_working(arguments: Arguments, forks: int) -> None:
    mints_each_id_once(
        f"        FORKS = {forks}\n"
        """
        options = {"max_step": 3, "default_step": 3} if sys.argv[1] == "segments" else {"heartbeat": "20ms"}
        generator, source = opened(**options)
        done = threading.Event()

        def mint():
            drawn = []
            while not done.is_set() or len(drawn) < 100:
                drawn.append(source.next_id())
                if len(drawn) % 50 == 0:
                    time.sleep(0.001)
            say(*drawn[:100])

        source.next_id()
        threads = [threading.Thread(target=mint) for _ in range(3)]
        for thread in threads:
            thread.start()

        def child():
            say(*(source.next_id() for _ in range(10)))
            generator.close()

        for _ in range(FORKS):
            in_child(child)
        time.sleep(FORKS / 40)
        done.set()
        for thread in threads:
            thread.join()
        generator.close()
        """,
        arguments,
        forks * 10 + 3 * 100,
    )


def test_multiprocessing_pools_mint_with_the_generator_of_the_parent(arguments: Arguments) -> None:
    mints_each_id_once(
        """
        generator, source = opened()
        say(source.next_id())

        def mint(_):
            return source.next_ids(50)

        # Like prefork servers and task queues, which replace workers after a few tasks.
        with multiprocessing.get_context("fork").Pool(4, maxtasksperchild=2) as pool:
            for ids in pool.imap_unordered(mint, range(24)):
                say(*ids)
            pool.close()
            pool.join()
        say(source.next_id())
        """,
        arguments,
        2 + 24 * 50,
    )


def test_a_child_has_a_memory_store_of_its_own(tmp_path: Path) -> None:
    script = """
        generator, source = opened()
        say(source.next_id())
        in_child(lambda: say(source.next_id(), "memory" in generator.scope))
        say(source.next_id())
    """
    assert run_python(PRELUDE + script, "segments", "memory://fork", "order") == "1\n1 True\n2\n"


def test_a_child_that_exits_gives_its_unused_ids_back(tmp_path: Path) -> None:
    script = """
        generator, source = opened()
        say(source.next_id())
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            say(*source.next_ids(10))
            sys.exit(0)
        ended(child)
        in_child(lambda: say(source.next_id()))
    """
    out = run_python(PRELUDE + script, "segments", f"sqlite:///{tmp_path / 'ids.db'}", "order")
    assert out.split() == ["1", *map(str, range(1001, 1011)), "1011"]
