package io.github.leafmint.internal.lending;

import io.github.leafmint.InvalidConfigException;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * Recognises ShardingSphere, which sends each statement to a database that it chooses, and only knows tables that it
 * was configured with or has made.
 */
public final class ShardingSphere {
    private static final String PACKAGE = "org.apache.shardingsphere.";
    private static final String URL = "jdbc:shardingsphere:";

    private ShardingSphere() {}

    /** Returns whether a data source is one of ShardingSphere, or leads to one. */
    public static boolean isBehind(DataSource source) {
        return DataSourceNames.hasOnTheWay(
                source, (wrapped, url) -> wrapped.getClass().getName().startsWith(PACKAGE) || isUrl(url));
    }

    private static boolean isUrl(String url) {
        return url.toLowerCase(Locale.ROOT).startsWith(URL);
    }

    static void refuse(DataSource source) {
        if (isBehind(source)) {
            throw refusal();
        }
    }

    static void refuse(String url) {
        if (isUrl(url)) {
            throw refusal();
        }
    }

    private static InvalidConfigException refusal() {
        return new InvalidConfigException(
                "ShardingSphere chooses a database for each statement: pass the DataSource or "
                        + "the URL of the one database that has leafmint's tables");
    }
}
