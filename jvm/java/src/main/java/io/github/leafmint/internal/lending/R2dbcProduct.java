package io.github.leafmint.internal.lending;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Wrapped;

/** Names the database product behind a connection of R2DBC. */
public final class R2dbcProduct {
    private R2dbcProduct() {}

    /** Returns the product, as the driver names it. */
    public static String of(Connection connection) {
        // r2dbc-mysql passes on a comment of the server, such as "MySQL Community Server - GPL" or "Debian 12".
        return unwrapped(connection).getClass().getName().contains(".r2dbc.mysql.")
                ? "MySQL"
                : connection.getMetadata().getDatabaseProductName();
    }

    /** Returns what pools and proxies are wrapped around. */
    static Object unwrapped(Object outer) {
        Object at = outer;
        while (at instanceof Wrapped<?> wrapper && wrapper.unwrap() != null && wrapper.unwrap() != at) {
            at = wrapper.unwrap();
        }
        return at;
    }
}
