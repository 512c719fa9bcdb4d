"""The events of the core are logged by Python's `logging`."""

from pathlib import Path

from log_scripts import LISTENING, OUTAGE
from testing import SENTINEL, UNREACHABLE, run_python


def test_an_outage_is_logged_once_with_its_name_and_so_is_its_end(url: str) -> None:
    script = f"""{OUTAGE}
        while ids.stats()["tags"].get("order", {{}}).get("refill_failures", 0) < 3:
            fail_to_refill(ids)
            time.sleep(0.01)
        failed = kept.wait_for("refill_failed")
        assert failed.levelno == logging.WARNING and failed.name == "leafmint"
        assert "'order'" in failed.getMessage().replace('"', "'"), failed.getMessage()
        outage.end()
        ids.biz_tag("order").next_id()
        assert kept.wait_for("refill_recovered").levelno == logging.INFO
        assert sorted(kept.names()) == ["refill_failed", "refill_recovered", "store_opened"], kept.names()
        print("done")
    """
    assert run_python(script, url) == "done\n"


def test_each_tag_logs_its_own_outage(url: str) -> None:
    script = f"""{OUTAGE}
        fail_to_refill(ids)
        fail_to_refill(ids, "user")
        time.sleep(0.5)
        assert kept.names().count("refill_failed") == 2, kept.names()
    """
    run_python(script, url)


def test_an_event_is_logged_within_a_second(url: str) -> None:
    script = f"""{LISTENING}
        began = time.monotonic()
        leafmint.SegmentGenerator(sys.argv[1])
        opened = kept.wait_for("store_opened")
        assert time.monotonic() - began < 1
        assert sys.argv[1].removeprefix("sqlite:///") in opened.getMessage()
        assert opened.thread != threading.main_thread().ident
    """
    run_python(script, url)


def test_an_event_is_logged_while_the_main_thread_is_blocked(url: str) -> None:
    script = f"""{OUTAGE}
        def wait():
            try:
                ids.biz_tag("order").next_id(timeout=2)
            except leafmint.SegmentUnavailableError:
                seen.extend(kept.names())
        seen = []
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
        assert "refill_failed" in seen, seen
    """
    run_python(script, url)


def test_nothing_is_logged_below_the_level_of_the_logger(url: str) -> None:
    script = f"""{LISTENING}
        logging.getLogger("leafmint").setLevel(logging.WARNING)
        leafmint.SegmentGenerator(sys.argv[1])
        time.sleep(0.3)
        assert kept.names() == []
    """
    run_python(script, url)


def test_credentials_are_never_logged() -> None:
    script = f"""{LISTENING}
        url = sys.argv[1].replace("mysql://", "jdbc:mysql://") + "?rewriteBatchedStatements={SENTINEL}"
        fail_to_refill(leafmint.SegmentGenerator(url))
        try:
            leafmint.SnowflakeGenerator(sys.argv[1], state_dir="none").next_id(timeout=0.2)
        except leafmint.LeafmintError:
            pass
        for name in ("option_ignored", "refill_failed", "lease_failed"):
            kept.wait_for(name)
        print(*(record.getMessage() for record in kept.records))
    """
    logged = run_python(script, UNREACHABLE)
    assert "rewriteBatchedStatements" in logged
    assert SENTINEL not in logged


def test_a_worker_id_that_is_taken_is_logged_and_so_is_a_damaged_state_file(tmp_path: Path) -> None:
    (tmp_path / "default").mkdir()
    for folder in (tmp_path, tmp_path / "default"):
        (folder / "0.lock").touch()
        (folder / "0.state").write_text("nonsense")
    script = f"""{LISTENING}
        with leafmint.SnowflakeGenerator("local:///" + sys.argv[1], workers="0") as flakes:
            flakes.next_id(timeout=10)
        assert "0.state" in kept.wait_for("state_file_damaged").getMessage()
        assert "worker id 0" in kept.wait_for("lease_taken").getMessage()
    """
    run_python(script, str(tmp_path))


def test_events_are_logged_although_no_thread_of_python_starts(url: str) -> None:
    # As with gevent in a native thread whose hub never runs.
    script = f"""{LISTENING}
        import _thread
        _thread.start_new_thread = lambda *work: 0
        leafmint.SegmentGenerator(sys.argv[1])
        kept.wait_for("store_opened")
    """
    run_python(script, url)


def test_a_forked_child_has_events_of_its_own(url: str, tmp_path: Path) -> None:
    script = f"""{OUTAGE}
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        fail_to_refill(ids)
        child = os.fork()
        if child == 0:
            kept.records.clear()
            try:
                leafmint.SegmentGenerator("sqlite:///" + sys.argv[2])
                assert sys.argv[2] in kept.wait_for("store_opened").getMessage()
                time.sleep(0.2)
                assert kept.names() == ["store_opened"], kept.names()
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        kept.wait_for("refill_failed")
        assert kept.names().count("store_opened") == 1
    """
    run_python(script, url, str(tmp_path / "child.db"))
