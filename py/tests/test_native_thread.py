"""Python code that runs on a native thread of leafmint: suppliers of credentials, like handlers of logs."""

import os
import subprocess
import time
from pathlib import Path

import pytest
from fork_scripts import PRELUDE
from log_scripts import LISTENING
from testing import run_python


@pytest.mark.parametrize("wait", ["time.sleep(0.0001)", "time.sleep(60)", "pass"])
def test_the_exit_does_not_wait_for_python_code_on_a_native_thread(wait: str) -> None:
    script = f"""
        import threading, time, leafmint
        begun = threading.Event()

        def supplier():
            begun.set()
            while True:
                {wait}

        ids = leafmint.SegmentGenerator("mysql://127.0.0.1:1/db", credentials=supplier, timeout=0)
        try:
            ids.tag("order").next_id()
        except leafmint.SegmentUnavailableError:
            print(begun.wait(20))
    """
    began = time.monotonic()
    assert run_python(script) == "True\n"
    assert time.monotonic() - began < 30


def test_a_supplier_may_start_threads_and_raise_what_ends_a_program() -> None:
    script = """
        import threading, leafmint

        def supplier():
            asking = threading.Thread(target=lambda: None)
            asking.start()
            asking.join()
            raise SystemExit("no vault")

        with leafmint.SegmentGenerator("mysql://127.0.0.1:1/db", credentials=supplier, timeout=3) as ids:
            try:
                ids.tag("order").next_id()
            except leafmint.SegmentUnavailableError as error:
                print("SystemExit: no vault" in str(error))
        # A dummy stands for each native thread that was seen.
        print(*(thread.name for thread in threading.enumerate() if not thread.name.startswith("Dummy")))
    """
    assert run_python(script) == "True\nMainThread\n"


def test_a_native_thread_that_has_ended_leaves_no_state_in_the_interpreter() -> None:
    script = f"""{LISTENING}
        import ctypes
        interpreter, first, following = (
            getattr(ctypes.pythonapi, f"Py{{name}}")
            for name in ("InterpreterState_Get", "InterpreterState_ThreadHead", "ThreadState_Next")
        )
        for function in (interpreter, first, following):
            function.restype = ctypes.c_void_p
        first.argtypes = following.argtypes = [ctypes.c_void_p]

        def states():
            count, state = 0, first(interpreter())
            while state:
                count, state = count + 1, following(state)
            return count

        for turn in range(10):
            kept.records.clear()
            leafmint.SegmentGenerator(f"memory://{{turn}}")
            kept.wait_for("generator_opened")
        until = time.monotonic() + 20
        while states() > 1:
            assert time.monotonic() < until, states()
            time.sleep(0.01)
    """
    run_python(script)


@pytest.fixture
def slow_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let leafmint's threads in the programs that a test starts hold the interpreter's locks for 20 ms."""
    library = tmp_path / "slow_locks.so"
    source = Path(__file__).with_name("slow_locks.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    monkeypatch.setenv("LD_PRELOAD", " ".join([str(library), *os.environ.get("LD_PRELOAD", "").split()]))


LOGGING = """
        def attach():
            leafmint.SegmentGenerator(f"memory://{turn}").close()
"""

ASKING = """
        ids = leafmint.SegmentGenerator("mysql://127.0.0.1:1/db", credentials=lambda: ("me", "pw"), timeout=0)

        def attach():
            try:
                ids.tag(str(turn)).next_id()
            except leafmint.SegmentUnavailableError:
                pass
"""


@pytest.mark.usefixtures("slow_locks")
@pytest.mark.parametrize("attaching", [LOGGING, ASKING], ids=["logging", "asking"])
def test_a_fork_while_a_native_thread_attaches_leaves_the_child_no_lock_to_wait_for(attaching: str) -> None:
    script = f"""{PRELUDE}{attaching}
        took = []
        for turn in range(25):
            attach()
            time.sleep(turn * 0.001)
            began = time.monotonic()
            child = start_child(lambda: None)
            took.append(time.monotonic() - began)
            until = time.monotonic() + 20
            while os.waitpid(child, os.WNOHANG) == (0, 0):
                if time.monotonic() > until:
                    os.kill(child, signal.SIGKILL)
                    sys.exit(f"the child of turn {{turn}} hangs")
                time.sleep(0.001)
        # A fork is held back for at most two seconds, and then waits no longer. The machine may be busy at two of them.
        assert sorted(took)[-3] < 1.5, took
    """
    run_python(script)
