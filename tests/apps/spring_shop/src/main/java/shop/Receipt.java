package shop;

import io.github.leafmint.jackson.IdAsString;

/** What a client gets. */
record Receipt(@IdAsString long id) {}
