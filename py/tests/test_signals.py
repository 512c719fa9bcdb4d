"""Signals belong to the process: no thread of leafmint receives one."""

from testing import run_python, start_python

START = """
    import contextlib, os, signal, tempfile, leafmint
    folder = tempfile.mkdtemp()
    flakes = leafmint.SnowflakeGenerator(f"local:{folder}/workers")
    ids = leafmint.SegmentGenerator(f"sqlite:///{folder}/ids.db")
    flakes.next_id(timeout=60), ids.tag("order").next_id(timeout=60)
"""


def test_a_process_receives_a_signal_that_it_blocks_and_waits_for() -> None:
    script = """
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    # No thread waits for it yet, so it would be delivered to a thread that does not block it.
    os.kill(os.getpid(), signal.SIGTERM)
    print(signal.sigwait([signal.SIGTERM]).name)
    """
    process = start_python(START + script)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (0, "SIGTERM\n"), err


def test_threads_of_leafmint_block_every_signal_except_synchronous_ones() -> None:
    script = """
    masks = {}
    for task in os.listdir("/proc/self/task"):
        # The thread that logs may have ended.
        with contextlib.suppress(OSError), open(f"/proc/self/task/{task}/status") as file:
            status = dict(line.split(":", 1) for line in file)
            masks[status["Name"].strip()] = int(status["SigBlk"], 16)
    asynchronous = [s for s in range(1, 32) if s not in (signal.SIGKILL, signal.SIGSTOP)]
    for name, mask in sorted(masks.items()):
        if name.startswith("leafmint"):
            print(name, [signal.Signals(s).name for s in asynchronous if not mask >> s - 1 & 1])
    print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
    """
    lines = run_python(START + script).splitlines()
    *threads, own = lines
    assert [line.split()[0] for line in threads] == ["leafmint", "leafmint-files", "leafmint-sqlite"]
    left = {line.split(" ", 1)[1] for line in threads}
    assert left == {"['SIGILL', 'SIGTRAP', 'SIGBUS', 'SIGFPE', 'SIGSEGV', 'SIGSYS']"}
    assert own == "set()"
