"""Forks: the connections, locks, worker ids and calls that a child inherits."""

import os
import signal
import uuid
from pathlib import Path

from fork_scripts import PRELUDE, Arguments
from testing import run_python, start_python


def test_a_child_that_never_mints_opens_nothing_and_exits_at_once(arguments: Arguments) -> None:
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


def test_a_child_never_touches_the_connections_and_locks_of_its_parent(arguments: Arguments) -> None:
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
        # The child closed its own connections and locks; those of the parent are still open.
        assert kept <= open_files()
        assert source.next_id() > before
        source.next_ids(5000)
        stats = generator.stats()
        if sys.argv[1] == "flakes":
            assert stats.leases_lost == 0 and stats.last_error is None
        else:
            assert stats.tags[sys.argv[3]].refill_failures == 0
        generator.close()
        in_child(lambda: in_child(child_of_the_closed))
    """
    assert run_python(PRELUDE + script, *arguments) == "closed\nclosed too\n"


def test_a_pool_worker_gives_its_worker_id_back(mysql_url: str) -> None:
    script = """
        # So long a lease outlasts the calls, which wait a minute for a worker id.
        generator, source = opened(workers="0-1", lease_duration="1h")
        source.next_id()

        def mint(_):
            source.next_id()
            return generator.worker_id

        with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
            say(*pool.map(mint, range(8), chunksize=1))
            pool.close()
            pool.join()
    """
    url = f"{mysql_url}?auto_create=true&namespace=pool-{uuid.uuid4()}&state_files=false"
    assert run_python(PRELUDE + script, "flakes", url, "") == "1 1 1 1 1 1 1 1\n"


def test_a_fork_during_a_wait_ends_the_call_in_the_child(mysql_url: str) -> None:
    script = """
        generator, source = opened()

        def fork(*_):
            global child
            child = os.fork()

        signal.signal(signal.SIGALRM, fork)
        signal.setitimer(signal.ITIMER_REAL, 1)
        try:
            source.next_id(timeout=5)
        except leafmint.ClosedError as error:
            assert child == 0 and "forked" in str(error)
            os._exit(0)
        except leafmint.SegmentUnavailableError:
            assert child != 0
            ended(child)
            say("done")
    """
    url = (
        mysql_url.replace("mysql://", "mysql://wrong:wrong@127.0.0.1:1,", 1).split("@", 2)[0] + "@127.0.0.1:1/leafmint"
    )
    assert run_python(PRELUDE + script, "segments", url, "order") == "done\n"


def test_a_child_gets_a_fixed_worker_id_only_after_its_parent_ended(tmp_path: Path) -> None:
    script = """
        generator, source = opened(state_dir=sys.argv[3], namespace=f"py-{os.getpid()}")
        mine = source.next_id()

        def child():
            try:
                source.next_id(timeout=2)
            except leafmint.WorkerIdUnavailableError as error:
                assert "fork" in str(error) and str(os.getppid()) in str(error), error
                say("refused")

        in_child(child)
        assert source.next_id() > mine

        # Like a daemon: the parent ends and its child lives on.
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
    out, err = process.communicate(timeout=120)
    assert (out, err) == ("refused\ntaken over\n", "")


def test_an_orphan_that_never_mints_does_not_keep_the_worker_id_of_its_dead_parent(tmp_path: Path) -> None:
    script = """
        generator, source = opened(workers="5")
        source.next_id()
        orphan = os.fork()
        if orphan == 0:
            os.close(1)
            time.sleep(600)
        say(orphan)
        time.sleep(600)
    """
    arguments = ("flakes", f"local:{tmp_path / 'workers'}", "")
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


def test_a_fork_waits_for_a_lease_of_sqlite_but_not_for_another_process(tmp_path: Path) -> None:
    script = """
        import sqlite3
        generator, source = opened(default_step=10, max_step=10)
        source.next_id()
        other = sqlite3.connect(sys.argv[2].removeprefix("sqlite://"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        threading.Thread(target=lambda: source.next_ids(20)).start()
        time.sleep(0.3)
        children, took = [], []
        for work in (lambda: None, lambda: None, lambda: say(*source.next_ids(20))):
            began = time.monotonic()
            children.append(start_child(work))
            took.append(time.monotonic() - began)
        other.execute("COMMIT")
        for child in children:
            ended(child)
        # A fork waits for at most two seconds for leafmint, and not at all for another process. The machine may be busy
        # at one of the forks.
        assert min(took) < 1.9, took
        say(*source.next_ids(20))
    """
    ids = run_python(PRELUDE + script, "segments", f"sqlite:///{tmp_path / 'ids.db'}", "order", seconds=60).split()
    assert len(set(ids)) == len(ids) == 40
