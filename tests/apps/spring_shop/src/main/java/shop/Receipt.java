package shop;

import io.github.leafmint.ids.TypedId;

/** What a client gets. */
record Receipt(TypedId id) {}
