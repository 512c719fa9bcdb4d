"""How a snowflake is taken: at once if one is in hand, else by a call that waits."""

import leafmint


def test_calls_that_find_an_id_in_hand_and_calls_that_wait_ascend_together(local: str) -> None:
    # The layout has 16 ids in each tick of 10 ms, so most of these calls wait.
    layout = "timestamp:39,worker:10,sequence:4,unit:10ms"
    with leafmint.SnowflakeGenerator(local, layout=layout, epoch=1_700_000_000_000) as flakes:
        drawn = [flakes.next_id(timeout=10) for _ in range(100)] + flakes.next_ids(50, timeout=10)
    assert drawn == sorted(set(drawn))
    assert len({flakes.layout.decode(id).timestamp for id in drawn}) >= 9
