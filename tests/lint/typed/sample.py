"""What an application does with leafmint, for the type checkers. It is never run."""

from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import leafmint


class Order:
    """A record with an id."""

    def __init__(self, next_id: Callable[[], int]) -> None:
        """Takes an id."""
        self.id: int = next_id()


def mint(order: leafmint.BizTag, flakes: leafmint.SnowflakeGenerator) -> list[int]:
    """Takes ids in every way."""
    tried = order.try_next_id()
    batch = order.next_ids(2, timeout=timedelta(seconds=1))
    ids = [order.next_id(timeout="500ms"), order(), *batch, *order.next_range(3, 0.5), *flakes.next_ids(2)]
    if tried is not None:
        ids.append(tried)
    return [*ids, Order(order).id, Order(flakes.next_id).id]


async def mint_async(order: leafmint.BizTag) -> int:
    """Takes ids on an event loop."""
    return await order.next_id_async() + sum(await order.next_ids_async(2)) + len(await order.next_range_async(2))


def explain(layout: leafmint.Layout, id: int) -> str:
    """Takes an id apart."""
    parts = layout.decode(id)
    lowest = layout.min_id(datetime(2026, 11, 1, tzinfo=timezone.utc))
    return f"{parts.timestamp.isoformat()} {parts.worker_id} {parts.sequence} {id - lowest}"


class OrderId(leafmint.TypedId, prefix="order"):
    """A type of ids."""


class MemberId(leafmint.TypedId, form="scrambled", name="member", format="M-{number:8}-{check:damm}", key_number=0):
    """A type of scrambled numbers."""


def show(order: OrderId, keys: Callable[[], list[str]]) -> list[str]:
    """Writes and reads ids as texts."""
    leafmint.configure(public_keys=keys)
    leafmint.configure(public_keys=[(0, b"secret")])
    parsed: OrderId = OrderId.parse(str(order))
    public = leafmint.PublicIds("order", "env:SHOP_KEYS", prefix="o")
    members = leafmint.Scrambled(
        "member", lambda: "file:/run/keys", leafmint.Format("{number:8}{check:damm}"), key_number=1
    )
    ids = [int(parsed), public.decode(public.encode(42)), members.decode(members.encode(7), forgiving=True)]
    first = min(order, OrderId(42))
    return [*public.encode_all(ids), f"{first:>40}", repr(MemberId(7)), OrderId.pattern, OrderId.example]


def figures(ids: leafmint.SegmentGenerator) -> dict[str, float]:
    """Returns how long the supply of each tag lasts."""
    return {name: tag["supply_seconds"] or 0.0 for name, tag in ids.stats()["tags"].items()}


def invoice(invoices: leafmint.Format, number: int) -> tuple[str, date | None]:
    """Writes a number, and reads it as a person may write it."""
    text = invoices.format(number, on=date(2026, 11, 25))
    parts: leafmint.NumberParts = invoices.parse(text.lower(), forgiving=True)
    return text, parts.date


async def number_async(invoices: leafmint.Series | leafmint.LateSeries) -> list[str]:
    """Takes numbers of a period on an event loop."""
    first = await invoices.next_async(on=date(2026, 11, 25))
    return [first.text, *(number.text for number in await invoices.next_many_async(2, timeout="1s"))]


with (
    leafmint.SegmentGenerator("memory:", timeout=0.5, tags=["order"], credentials=lambda: ("shop", "pw")) as segments,
    leafmint.SnowflakeGenerator("local:workers", worker_map={"a=1"}, lease_duration="3s") as snowflakes,
):
    tag = segments.biz_tag("order", order="relaxed")
    names: dict[leafmint.BizTag, str] = {tag: tag.name}
    minters: list[leafmint.Mints] = [tag, snowflakes, leafmint.tag("order"), leafmint.snowflake()]
    print(mint(tag, snowflakes), names, minters, figures(segments))
    print(leafmint.ShardRule("10", tables=1024).mint(tag, "user-42"))
    print(invoice(leafmint.Format("INV-{yy}{month}{day}-{number:6}-{check:damm}"), tag.next_id()))
    print(leafmint.series("order", period="day", zone=ZoneInfo("Asia/Tokyo")).next().number, number_async)
    print([option.name for option in leafmint.OPTIONS])
    try:
        print(explain(snowflakes.layout, -1))
    except leafmint.LeafmintError as error:
        print(error.code, error.retryable)
