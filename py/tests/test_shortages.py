"""A process that is short of threads or descriptors gets a named error, and ids again after the shortage."""

import os

import pytest
from testing import run_python

SHORT_OF = {
    "threads": (
        """
        # No limit applies to root, and for another user all its processes would count.
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(100_000 + os.getpid())
            os.setuid(100_000 + os.getpid())
        what, least = resource.RLIMIT_NPROC, 1 if os.geteuid() >= 100_000 else 0
        """,
        "Resource temporarily unavailable (os error 11)",
    ),
    "files": (
        """
        # The lowest free descriptor.
        what, least = resource.RLIMIT_NOFILE, os.dup(0)
        os.close(least)
        """,
        "Too many open files (os error 24)",
    ),
}

START = """
    import os, resource, sys, tempfile, leafmint
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o1777)
    {drop}
    soft, hard = resource.getrlimit(what)

    def limited(spare, work):
        resource.setrlimit(what, (least + spare, hard))
        try:
            return work()
        except leafmint.LeafmintError as error:
            return f"{{error.code}} {{error.retryable}} {{error}}"
        finally:
            resource.setrlimit(what, (soft, hard))

    def flakes(**options):
        return leafmint.SnowflakeGenerator(f"local:{{folder}}/workers", **{{"timeout": 5, **options}})

    def ids(**options):
        options = {{"timeout": 5, "eager_tags": ["order"], **options}}
        return leafmint.SegmentGenerator(f"sqlite:///{{folder}}/ids.db", **options)
"""


def run(kind: str, script: str) -> list[str]:
    """Run a script that can limit a resource of its process, and return the lines that it printed."""
    drop, _ = SHORT_OF[kind]
    start = START.format(drop=drop.replace("\n        ", "\n    "))
    return run_python(start + script).splitlines()


@pytest.mark.parametrize("kind", SHORT_OF)
@pytest.mark.parametrize("generator", ["flakes", "ids"])
def test_the_first_call_names_the_shortage_and_a_call_after_it_works(kind: str, generator: str) -> None:
    script = f"""
    first = {generator}()
    next_id = getattr(first, "next_id", None) or first.tag("order").next_id
    print(limited(0, next_id))
    print(limited(0, next_id))
    print(next_id(timeout=60) > 0)
    first.close()
    """
    *short, after = run(kind, script)
    assert len(short) == 2
    assert all(line.startswith("store_unavailable True ") and SHORT_OF[kind][1] in line for line in short)
    assert after == "True"


@pytest.mark.parametrize("kind", SHORT_OF)
@pytest.mark.parametrize("generator", ["flakes", "ids"])
def test_an_eager_open_names_the_shortage_and_an_open_after_it_works(kind: str, generator: str) -> None:
    script = f"""
    print(limited(0, lambda: {generator}(eager=True)))
    {generator}(eager=True, timeout=60).close()
    print("works")
    """
    short, after = run(kind, script)
    assert short.startswith("store_unavailable True ")
    assert SHORT_OF[kind][1] in short
    assert after == "works"


@pytest.mark.parametrize("generator", ["flakes", "ids"])
def test_an_unused_generator_is_closed_and_dropped_without_a_thread_or_a_descriptor(generator: str) -> None:
    script = f"""
    def close_and_drop():
        {generator}().close()
        {generator}()
        return len(os.listdir("/proc/self/task"))
    print(limited(0, close_and_drop))
    """
    assert run("threads", script) == ["1"]


@pytest.mark.parametrize("kind", SHORT_OF)
@pytest.mark.parametrize("generator", ["flakes", "ids"])
def test_a_call_works_after_a_shortage_at_any_point_of_the_first_call(kind: str, generator: str) -> None:
    if kind == "threads" and os.geteuid() != 0:
        pytest.skip("other processes of this user count")
    # The children of one user count for one another. Each has a folder of its own, because they run side by side.
    one_by_one = kind == "threads"
    script = f"""
    generator, children = {generator}, []
    for spare in range(8):
        sys.stdout.flush()
        folder = tempfile.mkdtemp()
        child = os.fork()
        if child == 0:
            first = generator()
            next_id = getattr(first, "next_id", None) or first.tag("order").next_id
            short = limited(spare, next_id)
            line = f"{{short if isinstance(short, str) else 'id'}} {{next_id(timeout=60) > 0}}\\n"
            os.write(1, line.encode())
            os._exit(0)
        children.append(child)
        while children and ({one_by_one} or spare == 7):
            assert os.waitpid(children.pop(), 0)[1] == 0
    """
    lines = run(kind, script)
    assert len(lines) == 8
    assert all(line.endswith(" True") for line in lines)
    failed = [line for line in lines if not line.startswith("id")]
    assert failed
    assert all(line.startswith(("store_unavailable True ", "segment_unavailable True ")) for line in failed)
    # SQLite does not report the error of the system.
    assert all("os error" in line or "ulimit -n" in line for line in failed)


@pytest.mark.parametrize("kind", SHORT_OF)
def test_a_shortage_at_heartbeats_stops_ids_only_after_the_reserved_time_and_while_it_lasts(kind: str) -> None:
    script = """
    import time
    first = flakes()
    worker_id = first.decode(first.next_id(timeout=10)).worker_id

    def mint_for(seconds):
        minted, errors = 0, set()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                first.next_id(timeout=0.1)
                minted += 1
            except leafmint.LeafmintError as error:
                errors.add(error.code)
            time.sleep(0.01)
        return f"{minted > 10} {','.join(sorted(errors))}"

    print(limited(0, lambda: mint_for(5)))
    first.next_id(timeout=10)
    print(first.stats().worker_id == worker_id, first.stats().leases_lost)
    """
    short, after = run(kind, script)
    # The thread for files lives on between heartbeats, so that no new thread is needed.
    assert short in {"files": ("True ", "True store_unavailable"), "threads": ("True ",)}[kind]
    assert after == "True 0"
