"""The start of the scripts that log."""

LISTENING = """
        import logging, os, sys, threading, time, leafmint

        class Kept(logging.Handler):
            def __init__(self):
                super().__init__()
                self.records = []
            def emit(self, record):
                self.records.append(record)
            def names(self):
                return [record.event for record in self.records]
            def wait_for(self, name, seconds=20):
                until = time.monotonic() + seconds
                while name not in self.names():
                    assert time.monotonic() < until, (name, self.names())
                    time.sleep(0.01)
                return next(record for record in self.records if record.event == name)

        kept = Kept()
        logging.getLogger("leafmint").addHandler(kept)
        logging.getLogger("leafmint").setLevel(logging.INFO)

        def fail_to_refill(ids, name="order"):
            while not ids.tag(name).stats().refill_failures:
                try:
                    ids.tag(name).next_id(timeout=0.1)
                except leafmint.SegmentUnavailableError:
                    continue
                raise AssertionError("the store is up")
"""
"""Keeps the records of the logger "leafmint"."""

OUTAGE = f"""{LISTENING}
        class Outage:
            # In another process, because the locks of SQLite do not exclude their own process.
            LOCK = (
                "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
                "c.execute('BEGIN IMMEDIATE'); print(); input()"
            )
            def __init__(self):
                import subprocess
                command = [sys.executable, "-c", self.LOCK, sys.argv[1].removeprefix("sqlite:///")]
                self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                self.process.stdout.readline()
            def end(self):
                self.process.communicate(b"\\n")

        ids = leafmint.SegmentGenerator(sys.argv[1], connect_timeout=0.02)
        ids.create_tag("order")
        outage = Outage()
"""
"""A store that is down until `outage.end()`."""

HANGS = """
        class Hangs(logging.Handler):
            def emit(self, record):
                if record.event == sys.argv[2]:
                    entered.set()
                    time.sleep(3600)
        entered = threading.Event()
        logging.getLogger("leafmint").addHandler(Hangs())
"""
"""A handler that hangs on one event and holds its lock."""
