"""What an application does with leafmint, for the type checkers. It is never run."""

from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import leafmint
from leafmint.web import make_asgi_app, make_wsgi_app


class Order:
    """A record with an id."""

    def __init__(self, next_id: Callable[[], int]) -> None:
        """Takes an id."""
        self.id: int = next_id()


def mint(order: leafmint.Tag, flakes: leafmint.SnowflakeGenerator) -> list[int]:
    """Takes ids in every way."""
    tried = order.try_next_id()
    batch = order.next_ids(2, timeout=timedelta(seconds=1))
    ids = [order.next_id(timeout="500ms"), order(), *batch, *order.next_range(3, timeout=0.5), *flakes.next_ids(2)]
    if tried is not None:
        ids.append(tried)
    return [*ids, Order(order).id, Order(flakes.next_id).id]


async def mint_async(order: leafmint.Tag) -> int:
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
    leafmint.configure(id_keys=keys)
    leafmint.configure(id_keys=[(0, b"secret")])
    parsed: OrderId = OrderId.parse(str(order))
    public = leafmint.PublicIds("order", "env:SHOP_KEYS", prefix="o")
    members = leafmint.ScrambledNumbers(
        "member", lambda: "file:/run/keys", format=leafmint.Format("{number:8}{check:damm}"), key_number=1
    )
    ids = [int(parsed), public.decode(public.encode(42)), members.decode(members.encode(7), forgiving=True)]
    first = min(order, OrderId(42))
    return [*public.encode_all(ids), f"{first:>40}", repr(MemberId(7)), OrderId.pattern, OrderId.example]


def figures(ids: leafmint.SegmentGenerator) -> dict[str, timedelta]:
    """Returns how long the supply of each tag lasts."""
    return {name: tag.supply or timedelta() for name, tag in ids.stats().tags.items()}


class TicketId(leafmint.TypedId, prefix="ticket", tag=leafmint.tag("ticket", sequence="ticket_seq")):
    """A type of ids that mints."""


async def sell(count: int) -> list[TicketId]:
    """Mints ids of a type."""
    return [TicketId.next(timeout="1s"), *TicketId.next_many(count), await TicketId.next_async()]


async def operate(ids: leafmint.SegmentGenerator, flakes: leafmint.SnowflakeGenerator) -> list[str]:
    """Looks at what is stored, and changes it, on an event loop."""
    await ids.init_schema_async()
    if await ids.create_tag_async("order", step=100, description="since 2026", gene_bits=4):
        await ids.set_tag_async("order", step=200)
        print(await ids.raise_tag_above_async("order", 5000))
    found: leafmint.SegmentCheck = await ids.check_async()
    of_flakes: leafmint.SnowflakeCheck = await flakes.check_async()
    slow: bool = found.round_trip > timedelta(seconds=1) or of_flakes.free_workers == 0
    stored: list[leafmint.TagInfo] = await ids.list_tags_async()
    series: list[leafmint.SeriesInfo] = await ids.list_series_async()
    sequences: list[leafmint.GaplessInfo] = [*ids.list_gapless(), *await ids.list_gapless_async()]
    workers: list[leafmint.WorkerInfo] = await flakes.list_workers_async()
    gone = [worker for worker in workers if not worker.held]
    released = [await flakes.release_worker_async(worker.worker_id, force=slow) for worker in gone]
    return [
        *(tag.name for tag in stored if tag.problem),
        *(each.period for each in series),
        f"{released} {[each.number for each in sequences]}",
    ]


def running_out(report: leafmint.AuditReport, soon: timedelta) -> list[str]:
    """Names the keys that run out soon, and what is wrong."""
    keys: tuple[leafmint.KeyUse, ...] = report.keys
    wrong = [f"{it.kind} {it.table}.{it.column}: {it.text}" for it in report.findings]
    return wrong + [f"{key.table}.{key.column}" for key in keys if key.time_left and key.time_left < soon]


def watch(ids: leafmint.SegmentGenerator, flakes: leafmint.SnowflakeGenerator) -> dict[str, float]:
    """Returns some figures."""
    segments: leafmint.SegmentStats = ids.stats()
    of_flakes: leafmint.SnowflakeStats = flakes.stats()
    tags: dict[str, leafmint.TagStats] = dict(segments.tags)
    waits = sum(tag.waits for tag in tags.values()) + of_flakes.waits
    return {"waits": float(waits), "lead": of_flakes.clock_lead.total_seconds(), "worker": of_flakes.worker_id or -1}


def pages(ids: leafmint.SegmentGenerator) -> tuple[object, object]:
    """Returns the page for both kinds of applications."""
    return make_asgi_app(ids), make_wsgi_app()


def place(layout: leafmint.Layout, user: str, ids: leafmint.SnowflakeGenerator) -> list[str]:
    """Chooses the database by the gene, and the table by the time."""
    id = ids.next_id(gene=leafmint.gene_of_key(user, 4))
    at: datetime = layout.decode(id).timestamp
    tables = leafmint.period_tables("orders_{year}{month}", layout.epoch, at, zone="Asia/Tokyo")
    return [f"db{leafmint.gene_of_id(id, 4)}", leafmint.period_table("orders_{year}", at), *tables]


def mint_or_say_why(ids: leafmint.IdSource) -> int | str:
    """Returns an id, or what to tell the caller."""
    try:
        return ids.next_id()
    except (leafmint.SegmentUnavailableError, leafmint.WorkerIdUnavailableError) as error:
        return f"try again: {error.code}" if error.retryable else str(error)
    except leafmint.InvalidConfigError as error:
        return f"{error}: {error.reason}"


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
    leafmint.SegmentGenerator(
        "memory:", timeout=0.5, eager_tags=["order"], credentials=lambda: ("shop", "pw")
    ) as segments,
    leafmint.SnowflakeGenerator("local:workers", worker_map={"a=1"}, lease_duration="3s") as snowflakes,
):
    tag = segments.tag("order", order="relaxed")
    names: dict[leafmint.Tag, str] = {tag: tag.name}
    minters: list[leafmint.IdSource] = [tag, snowflakes, leafmint.tag("order"), leafmint.snowflake()]
    print(mint(tag, snowflakes), names, minters, figures(segments))
    print(leafmint.ShardRule("10", tables=1024).mint(tag, "user-42"))
    print(invoice(leafmint.Format("INV-{yy}{month}{day}-{number:6}-{check:damm}"), tag.next_id()))
    print(leafmint.series("order", period="day", zone=ZoneInfo("Asia/Tokyo")).next().number, number_async)
    print([option.name for option in leafmint.SEGMENT_OPTIONS])
    try:
        print(explain(snowflakes.layout, -1))
    except leafmint.LeafmintError as error:
        print(error.code, error.retryable)
