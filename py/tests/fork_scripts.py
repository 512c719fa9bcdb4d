"""The start of the scripts that fork."""

PRELUDE = """
        import multiprocessing, os, signal, sys, threading, time, warnings, leafmint
        warnings.simplefilter("ignore", DeprecationWarning)

        def opened(**options):
            kind, url, name = sys.argv[1:4]
            if kind == "flakes":
                # More sequence bits than usual, so that the rate limit does not slow the tests.
                flakes = leafmint.SnowflakeGenerator(
                    url, layout="timestamp:41,worker:8,sequence:14", timeout=60, **options
                )
                return flakes, flakes
            ids = leafmint.SegmentGenerator(url, auto_create=True, timeout=60, **options)
            return ids, ids.tag(name)

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
