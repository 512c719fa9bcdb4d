"""A process that is short of threads or descriptors gets a named error, and ids again once it is not: nothing is remembered."""

import os

import pytest
from testing import run_python

SHORT_OF = {
    "threads": (
        """
        # Root has as many threads as it likes, and another user's processes would count.
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
        # The lowest descriptor that is free.
        what, least = resource.RLIMIT_NOFILE, os.dup(0)
        os.close(least)
        """,
        "Too many open files (os error 24)",
    ),
}

START = """
    import os, resource, sys, tempfile, leafmint
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o777)
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
        return leafmint.SnowflakeGenerator(f"local:///{{folder}}/workers", timeout=1, **options)

    def ids(**options):
        return leafmint.SegmentGenerator(f"sqlite:///{{folder}}/ids.db", timeout=1, tags=["order"], **options)
"""


def run(kind: str, script: str) -> list[str]:
    """Run a script in a process that can be made short of something, and return the lines that it printed."""
    drop, _ = SHORT_OF[kind]
    start = START.format(drop=drop.replace("\n        ", "\n    "))
    return run_python(start + script).splitlines()


@pytest.mark.parametrize("kind", SHORT_OF)
@pytest.mark.parametrize("generator", ["flakes", "ids"])
def test_the_first_call_names_the_shortage_and_the_next_one_works_once_it_is_over(kind: str, generator: str) -> None:
    script = f"""
    first = {generator}()
    next_id = getattr(first, "next_id", None) or first.biz_tag("order").next_id
    print(limited(0, next_id))
    print(limited(0, next_id))
    print(next_id(timeout=10) > 0)
    first.close()
    """
    *short, after = run(kind, script)
    assert len(short) == 2
    assert all(line.startswith("store_unavailable True ") and SHORT_OF[kind][1] in line for line in short)
    assert after == "True"


@pytest.mark.parametrize("kind", SHORT_OF)
@pytest.mark.parametrize("generator", ["flakes", "ids"])
def test_an_eager_start_names_the_shortage_and_the_next_one_works_once_it_is_over(kind: str, generator: str) -> None:
    script = f"""
    print(limited(0, lambda: {generator}(eager=True)))
    {generator}(eager=True).close()
    print("works")
    """
    short, after = run(kind, script)
    assert short.startswith("store_unavailable True ")
    assert SHORT_OF[kind][1] in short
    assert after == "works"


@pytest.mark.parametrize("generator", ["flakes", "ids"])
def test_a_generator_that_was_never_used_is_closed_and_let_go_without_a_thread_or_a_descriptor(generator: str) -> None:
    script = f"""
    def close_and_let_go():
        {generator}().close()
        {generator}()
        return len(os.listdir("/proc/self/task"))
    print(limited(0, close_and_let_go))
    """
    assert run("threads", script) == ["1"]


@pytest.mark.parametrize("kind", SHORT_OF)
@pytest.mark.parametrize("generator", ["flakes", "ids"])
def test_a_shortage_at_any_later_point_of_the_first_call_is_over_for_the_next_one_too(kind: str, generator: str) -> None:
    if kind == "threads" and os.geteuid() != 0:
        pytest.skip("other processes of this user count")
    script = f"""
    generator = {generator}
    for spare in range(8):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            first = generator()
            next_id = getattr(first, "next_id", None) or first.biz_tag("order").next_id
            short = limited(spare, next_id)
            print(short if isinstance(short, str) else "id", next_id(timeout=10) > 0)
            sys.stdout.flush()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    """
    lines = run(kind, script)
    assert len(lines) == 8
    assert all(line.endswith(" True") for line in lines)
    failed = [line for line in lines if not line.startswith("id")]
    assert failed
    assert all(line.startswith(("store_unavailable True ", "segment_unavailable True ")) for line in failed)
    # SQLite does not say which error the system gave.
    assert all("os error" in line or "ulimit -n" in line for line in failed)


@pytest.mark.parametrize("kind", SHORT_OF)
def test_a_shortage_at_the_heartbeats_costs_ids_only_beyond_the_reserved_time_and_they_come_back(kind: str) -> None:
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
    print(first.stats()["worker_id"] == worker_id, first.stats()["leases_lost"])
    """
    short, after = run(kind, script)
    # The thread of the files lives on between heartbeats, so that threads are not missed.
    assert short in {"files": ("True ", "True store_unavailable"), "threads": ("True ",)}[kind]
    assert after == "True 0"
