"""Forks: a child goes on with its parent's generators and tags, and takes ids of its own; the parent does not notice."""

import os
import signal
import time
import uuid
from pathlib import Path

import pytest
from testing import run_python, start_python

PRELUDE = """
        import multiprocessing, os, signal, sys, threading, time, warnings, leafmint
        warnings.simplefilter("ignore", DeprecationWarning)

        def opened(**options):
            kind, url, name = sys.argv[1:4]
            if kind == "flakes":
                # Much sequence space: how fast they come is not what is asked here.
                flakes = leafmint.SnowflakeGenerator(url, layout="timestamp:41,worker:8,sequence:14", timeout=20, **options)
                return flakes, flakes
            ids = leafmint.SegmentGenerator(url, auto_create=True, timeout=20, **options)
            return ids, ids.biz_tag(name)

        def say(*ids):
            os.write(1, (" ".join(map(str, ids)) + "\\n").encode())

        def start_child(work):
            child = os.fork()
            if child == 0:
                try:
                    work()
                    os._exit(0)
                except BaseException as error:
                    os.write(2, repr(error).encode())
                finally:
                    os._exit(1)
            return child

        def ended(child):
            status = os.waitpid(child, 0)[1]
            assert status == 0, status

        def in_child(work):
            ended(start_child(work))
"""

Arguments = tuple[str, str, str]


@pytest.fixture(params=["sqlite", "mysql", "local", "mysql flakes", "mysql flakes without a disk"])
def arguments(request: pytest.FixtureRequest, tmp_path: Path) -> Arguments:
    """Return the arguments of a script that mints: both modes, every store and holder of more than one process."""
    name = f"fork-{uuid.uuid4()}"
    match request.param:
        case "sqlite":
            return "segments", f"sqlite:///{tmp_path / 'ids.db'}", name
        case "local":
            return "flakes", f"local://{tmp_path / 'workers'}", name
    mysql_url = request.getfixturevalue("mysql_url")
    if request.param == "mysql":
        return "segments", mysql_url, name
    state_dir = tmp_path / "state" if request.param == "mysql flakes" else "none"
    return "flakes", f"{mysql_url}?namespace={name}&state_dir={state_dir}", name


def mints_each_id_once(script: str, arguments: Arguments, count: int) -> None:
    """Run a script that prints ids in many processes, and look at all of them."""
    ids = run_python(PRELUDE + script, *arguments).split()
    assert len(ids) == count
    assert len(set(ids)) == count


def test_child_and_parent_go_on_with_one_generator_and_never_with_one_id(arguments: Arguments) -> None:
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


def test_a_fork_in_the_middle_of_anything_leaves_both_sides_working(arguments: Arguments) -> None:
    mints_each_id_once(
        """
        options = {"max_step": 3, "default_step": 3} if sys.argv[1] == "segments" else {"heartbeat": "20ms"}
        generator, source = opened(**options)
        done = threading.Event()

        def mint():
            drawn = []
            while not done.is_set():
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

        for _ in range(40):
            in_child(child)
        time.sleep(1)
        done.set()
        for thread in threads:
            thread.join()
        generator.close()
        """,
        arguments,
        40 * 10 + 3 * 100,
    )


def test_a_child_that_never_mints_pays_nothing_and_exits_at_once(arguments: Arguments) -> None:
    script = """
        generator, source = opened()
        source.next_id()
        sys.stdout.flush()
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            inherited = os.listdir("/proc/self/fd")
            del generator, source
            assert set(os.listdir("/proc/self/fd")) <= set(inherited)
            assert len(os.listdir("/proc/self/task")) == 1
            sys.exit(0)
        ended(child)
        assert time.monotonic() - began < 5
        say(source.next_id())
    """
    assert run_python(PRELUDE + script, *arguments)


def test_what_a_child_does_leaves_the_parents_connections_and_locks_alone(arguments: Arguments) -> None:
    script = """
        generator, source = opened()
        before = source.next_id()
        open_files = lambda: {os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")}
        kept = {target for target in open_files() if "socket:" in target or target.endswith((".lock", ".db"))}
        assert kept

        def child_of_the_closed():
            try:
                source.next_id()
            except leafmint.ClosedError:
                say("closed too")

        def child():
            with generator:
                source.next_id()
            try:
                source.next_id()
            except leafmint.ClosedError:
                say("closed")

        in_child(child)
        # Closed in the child, where its connections and locks were given back; the parent's are what they were.
        assert kept <= open_files()
        assert source.next_id() > before
        source.next_ids(5000)
        stats = generator.stats()
        if sys.argv[1] == "flakes":
            assert stats["leases_lost"] == 0 and stats["last_error"] is None
        else:
            assert stats["tags"][sys.argv[3]]["refill_failures"] == 0
        generator.close()
        in_child(lambda: in_child(child_of_the_closed))
    """
    assert run_python(PRELUDE + script, *arguments) == "closed\nclosed too\n"


def test_a_child_that_exits_gives_back_what_it_did_not_use(tmp_path: Path) -> None:
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


def test_multiprocessing_pools_mint_with_the_generator_of_the_parent(arguments: Arguments) -> None:
    mints_each_id_once(
        """
        generator, source = opened()
        say(source.next_id())

        def mint(_):
            return source.next_ids(50)

        # As prefork servers and task queues do: workers are replaced after a few tasks.
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


def test_a_worker_of_a_pool_gives_its_worker_id_back(mysql_url: str) -> None:
    script = """
        generator, source = opened(workers="0-1")
        source.next_id()

        def mint(_):
            source.next_id()
            return generator.worker_id

        began = time.monotonic()
        with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
            say(*pool.map(mint, range(8), chunksize=1))
            pool.close()
            pool.join()
        assert time.monotonic() - began < 10
    """
    url = f"{mysql_url}?namespace=pool-{uuid.uuid4()}&state_dir=none"
    assert run_python(PRELUDE + script, "flakes", url, "") == "1 1 1 1 1 1 1 1\n"


def test_a_fork_inside_a_call_that_waits_ends_that_call_in_the_child(mysql_url: str) -> None:
    script = """
        generator, source = opened()

        def fork(*_):
            global child
            child = os.fork()

        signal.signal(signal.SIGALRM, fork)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            source.next_id(timeout=1.5)
        except leafmint.ClosedError as error:
            assert child == 0 and "forked" in str(error)
            os._exit(0)
        except leafmint.SegmentUnavailableError:
            assert child != 0
            ended(child)
            say("done")
    """
    url = mysql_url.replace("mysql://", "mysql://nobody:wrong@127.0.0.1:1,", 1).split("@", 2)[0] + "@127.0.0.1:1/leafmint"
    assert run_python(PRELUDE + script, "segments", url, "order") == "done\n"


def test_a_child_cannot_share_a_fixed_worker_id_until_its_parent_is_gone(tmp_path: Path) -> None:
    script = """
        generator, source = opened(state_dir=sys.argv[3], namespace=f"py-{os.getpid()}")
        mine = source.next_id()

        def child():
            try:
                source.next_id(timeout=0.3)
            except leafmint.WorkerIdUnavailableError as error:
                assert "fork" in str(error) and str(os.getppid()) in str(error), error
                say("refused")

        in_child(child)
        assert source.next_id() > mine

        # As a daemon does: the parent ends, its child goes on.
        parent_ended, keep = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(keep)
            os.read(parent_ended, 1)
            later = source.next_id()
            assert later > mine
            say("taken over")
    """
    process = start_python(PRELUDE + script, "flakes", "fixed:7", str(tmp_path))
    out, err = process.communicate(timeout=30)
    assert (out, err) == ("refused\ntaken over\n", "")


def test_an_orphan_that_never_mints_does_not_keep_its_dead_parents_worker_id(tmp_path: Path) -> None:
    script = """
        generator, source = opened(workers="5")
        source.next_id()
        orphan = os.fork()
        if orphan == 0:
            os.close(1)
            time.sleep(60)
        say(orphan)
        time.sleep(60)
    """
    arguments = ("flakes", f"local://{tmp_path / 'workers'}", "")
    parent = start_python(PRELUDE + script, *arguments)
    assert parent.stdout is not None
    orphan = int(parent.stdout.readline())
    try:
        parent.kill()
        parent.wait()
        again = """
        generator, source = opened(workers="5")
        source.next_id()
        say(generator.worker_id)
        """
        assert run_python(PRELUDE + again, *arguments) == "5\n"
    finally:
        os.kill(orphan, signal.SIGKILL)
        parent.communicate()


def test_a_memory_store_is_the_childs_own(tmp_path: Path) -> None:
    script = """
        generator, source = opened()
        say(source.next_id())
        in_child(lambda: say(source.next_id(), "memory" in generator.scope))
        say(source.next_id())
    """
    assert run_python(PRELUDE + script, "segments", "memory://fork", "order") == "1\n1 True\n2\n"


def test_a_fork_waits_for_a_lease_of_sqlite_but_not_for_another_process(tmp_path: Path) -> None:
    script = """
        import sqlite3
        generator, source = opened(default_step=10, max_step=10)
        source.next_id()
        other = sqlite3.connect(sys.argv[2].removeprefix("sqlite://"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        threading.Thread(target=lambda: source.next_ids(20)).start()
        time.sleep(0.3)
        began = time.monotonic()
        child = start_child(lambda: say(*source.next_ids(20)))
        took = time.monotonic() - began
        other.execute("COMMIT")
        ended(child)
        # A fork waits for two seconds at the most, and here not at all.
        assert took < 1.9, took
        say(*source.next_ids(20))
    """
    began = time.monotonic()
    ids = run_python(PRELUDE + script, "segments", f"sqlite:///{tmp_path / 'ids.db'}", "order").split()
    assert len(set(ids)) == len(ids) == 40
    assert time.monotonic() - began < 20
