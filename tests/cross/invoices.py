"""The numbers on the orders and the invoices of the sample applications."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from zoneinfo import ZoneInfo

from id_texts import order_text
from leafmint import Format
from shops import Site

ZONE = ZoneInfo("Europe/Madrid")
ORDER = Format("{year}{month}{day}-{number:5}")
INVOICE = Format("INV-{number:6}-{check:damm}")

ATTEMPTS = 3
"""Attempts to bill each order. All but one fail, after they have taken a number."""


def today() -> date:
    """Returns the present date of the shops."""
    return datetime.now(ZONE).date()


def bill(shop: Site, order: int) -> str | None:
    """Returns the number of an order's invoice, or None if the order has an invoice already."""
    request = urllib.request.Request(f"http://127.0.0.1:{shop.port}/orders/{order_text(order)}/invoice", b"")
    try:
        with urllib.request.urlopen(request, timeout=150) as answer:
            return str(json.loads(answer.read())["invoice"])
    except urllib.error.HTTPError as error:
        if error.code != 409:
            raise
        return None


def bill_each_order_several_times(orders: Sequence[tuple[Site, int]]) -> None:
    """Bills orders at all shops at once, and checks that each one has one invoice."""
    attempts = [order for order in orders for _ in range(ATTEMPTS)]
    with ThreadPoolExecutor(8) as clients:
        numbers = list(clients.map(lambda order: bill(*order), attempts))
    invoices = [number for number in numbers if number is not None]
    assert len(invoices) == len(orders), f"{invoices} for {len(orders)} orders"


def check_invoices(numbers: Iterable[str]) -> None:
    """Checks that all invoices there are count from 1 without a gap."""
    counted = sorted(INVOICE.parse(number).number for number in numbers)
    assert counted == list(range(1, len(counted) + 1)), counted
    print(f"{len(counted)} invoices, none missing")


def check_order_numbers(numbers: Sequence[str], since: date) -> None:
    """Checks that no order has the number of another one, and that each number begins with a day since then."""
    assert numbers
    assert len(numbers) == len(set(numbers))
    days = {ORDER.parse(number).date for number in numbers}
    assert days <= {since, today()}, days
