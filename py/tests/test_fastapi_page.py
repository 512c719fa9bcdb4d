"""docs/fastapi.md: its application runs as it is, also twice in one process; an outage or a lost table takes it out."""

import re
from pathlib import Path

from testing import run_python

PAGE = Path(__file__).parents[2] / "docs" / "fastapi.md"

RUN = """
    import os, sqlite3, sys, time
    from collections.abc import Callable
    from contextlib import suppress

    os.chdir(sys.argv[1])
    sys.path.insert(0, "")
    os.environ["LEAFMINT_ID_KEYS"] = f"lmk0_{bytes(range(32)).hex()}"

    import leafmint
    import shop
    from fastapi.testclient import TestClient

    def wait_until(state: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 120
        while not state():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def order(client: TestClient) -> str:
        answer = client.post("/orders", json={"item": "tea"})
        assert answer.status_code == 200, answer.text
        assert answer.json()["id"].startswith("order_"), answer.text
        return answer.json()["number"][-5:]

    for first in ("00001", "00002"):
        with TestClient(shop.app) as client:
            assert order(client) == first
            assert client.get("/ready").json() == {"empty": []}
            assert 'leafmint_ids_issued_total{generator="segments",tag="order@day"}' in client.get("/metrics").text

    with TestClient(shop.app) as client:
        order(client)
        with sqlite3.connect("shop.db", isolation_level=None) as other:
            other.execute("BEGIN EXCLUSIVE")
            with suppress(leafmint.SegmentUnavailableError):
                while True:
                    shop.ORDER_NUMBERS.next(timeout=0.1)
            assert client.post("/orders", json={"item": "tea"}).status_code == 503
            wait_until(lambda: client.get("/ready").status_code == 503)
            print(client.get("/ready").json())
            other.execute("ROLLBACK")
        wait_until(lambda: client.get("/ready").status_code == 200)
        assert leafmint.segment_generator().stats().tags["order@day"].last_error_code
        order(client)

        with sqlite3.connect("shop.db", isolation_level=None) as other:
            other.execute("ALTER TABLE leaf_alloc RENAME TO lost")
            for next_id in (leafmint.tag("orders").next_id, shop.ORDER_NUMBERS.next):
                with suppress(leafmint.InvalidConfigError):
                    while True:
                        next_id()
            assert client.get("/ready").status_code == 503
            other.execute("ALTER TABLE lost RENAME TO leaf_alloc")
        order(client)
        assert client.get("/ready").status_code == 200
"""


def test_the_application_of_the_page_runs(tmp_path: Path) -> None:
    (text,) = re.findall(r"<!-- file: shop.py -->\n```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (tmp_path / "shop.py").write_text(text)
    assert run_python(RUN, str(tmp_path)) == "{'empty': ['order@day']}\n"
