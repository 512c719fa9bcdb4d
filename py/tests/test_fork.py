"""A forked child: its parent's ids are not its own."""

from testing import run_python

IN_CHILD = """
        import os, sys, warnings, leafmint

        def in_child(work):
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
            if child == 0:
                try:
                    work()
                    sys.stdout.flush()
                    os._exit(0)
                finally:
                    os._exit(1)
            assert os.waitpid(child, 0)[1] == 0
"""


def test_the_child_of_a_fork_gets_a_named_error_and_the_parent_goes_on(url: str) -> None:
    script = """
        import os, sys, warnings, leafmint
        ids = leafmint.SegmentGenerator(sys.argv[1])
        order = ids.biz_tag("order")
        order.next_id()
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
        if child == 0:
            for call in (order.next_id, order.try_next_id, ids.close, lambda: ids.biz_tag("user")):
                try:
                    call()
                except leafmint.ClosedError as error:
                    assert "forked" in str(error)
                else:
                    os._exit(1)
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        print(order.next_id())
    """
    assert run_python(script, url) == "2\n"


def test_the_child_of_a_fork_may_open_a_generator_of_its_own() -> None:
    script = f"""{IN_CHILD}
        def work():
            with leafmint.SegmentGenerator("memory://child", eager=True, tags="order") as mine:
                print(mine.biz_tag("order").next_id())
            in_child(lambda: print(leafmint.SegmentGenerator("memory://grandchild").biz_tag("order").next_id()))

        order = leafmint.SegmentGenerator("memory://parent").biz_tag("order")
        order.next_id()
        in_child(work)
        print(order.next_id())
    """
    assert run_python(script) == "1\n1\n2\n"


def test_the_child_of_a_fork_works_on_the_database_of_its_parent(mysql_url: str) -> None:
    script = f"""{IN_CHILD}
        import uuid
        tag = f"fork-{{uuid.uuid4()}}"
        open_ids = lambda: leafmint.SegmentGenerator(sys.argv[1], auto_create=True)

        def work():
            global ids, order
            order = ids = None
            with open_ids() as mine:
                print(*mine.biz_tag(tag).next_ids(3000))

        ids = open_ids()
        order = ids.biz_tag(tag)
        print(*order.next_ids(500))
        in_child(work)
        print(*order.next_ids(3000))
    """
    drawn = run_python(script, mysql_url).split()
    assert len(set(drawn)) == len(drawn) == 6500


def test_sqlite_refuses_the_child_of_a_process_that_has_used_it(url: str) -> None:
    script = f"""{IN_CHILD}
        def work():
            try:
                leafmint.SegmentGenerator(sys.argv[1]).biz_tag("order").next_id()
            except leafmint.InvalidConfigError as error:
                assert "after the fork" in str(error)
                print("refused")

        order = leafmint.SegmentGenerator(sys.argv[1]).biz_tag("order")
        order.next_id()
        in_child(work)
        print(order.next_id())
    """
    assert run_python(script, url) == "refused\n2\n"


def test_sqlite_works_in_a_child_where_only_the_child_uses_it(url: str) -> None:
    script = f"""{IN_CHILD}
        leafmint.SegmentGenerator("memory://parent").biz_tag("order").next_id()
        in_child(lambda: print(leafmint.SegmentGenerator(sys.argv[1]).biz_tag("order").next_id()))
    """
    assert run_python(script, url) == "1\n"
