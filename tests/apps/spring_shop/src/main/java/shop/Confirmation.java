package shop;

import io.github.leafmint.jackson.IdAsString;

/** What a client gets for an order. */
record Confirmation(@IdAsString long id, String number) {}
