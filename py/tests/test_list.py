"""Lists of ids."""

import leafmint


def test_a_list_holds_each_id_in_its_place_however_large_it_is() -> None:
    with leafmint.SegmentGenerator("memory://test_list") as ids:
        ids.create_tag("large", start=2**60, step=10)
        assert ids.tag("order").next_ids(300) == list(range(1, 301))
        assert ids.tag("large").next_ids(3) == [2**60, 2**60 + 1, 2**60 + 2]
        assert ids.tag("order").next_ids(0) == []
