"""Where the rows of the shop are."""

from leafmint import ShardRule
from leafmint.django import ShardRouter
from leafmint.sharding import GeneShards, SuffixShards

NAMES = ["orders_0", "orders_1", "orders_2"]


class OrderRouter(ShardRouter):
    """Finds orders, their items and parcels by the gene of the user."""

    shards = GeneShards(NAMES, bits=4)
    ids = ("shop.Order.id", "shop.Item.id", "shop.Item.order", "shop.Parcel.order")
    keys = ("shop.Order.user", "shop.Visit.visitor")


class InvoiceRouter(ShardRouter):
    """Finds invoices by the suffix of their numbers."""

    shards = SuffixShards(NAMES, ShardRule("10", tables=64))
    ids = ("shop.Invoice.number",)
    keys = ("shop.Invoice.customer",)
