package shop;

import io.github.leafmint.TypedId;

/** What a client gets. */
record Receipt(TypedId id) {}
