"""The types of ids."""

import leafmint


class PersonId(leafmint.TypedId, prefix="person"):
    """The id of a person."""


class ItemId(leafmint.TypedId, prefix="item"):
    """The id of an item."""


class OrderId(leafmint.TypedId, prefix="order"):
    """The id of an order."""


class EventId(leafmint.TypedId, prefix="event"):
    """The id of an event."""
