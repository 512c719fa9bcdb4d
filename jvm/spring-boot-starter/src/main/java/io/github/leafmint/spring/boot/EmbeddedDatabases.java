package io.github.leafmint.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;

/** Recognises databases in this process's memory, which are empty after each start. */
final class EmbeddedDatabases {
    private static final Pattern IN_MEMORY =
            Pattern.compile("jdbc:(h2:mem|hsqldb:mem|derby:memory|sqlite::memory):?.*");

    private EmbeddedDatabases() {}

    static boolean has(DataSource source) {
        return LentDataSource.SPRING_JDBC && OfSpring.has(source)
                || LentDataSource.HIKARI && source instanceof HikariDataSource pool && isInMemory(pool.getJdbcUrl());
    }

    private static boolean isInMemory(String url) {
        return url != null && IN_MEMORY.matcher(url).matches();
    }

    private static final class OfSpring {
        private OfSpring() {}

        static boolean has(DataSource source) {
            return source instanceof EmbeddedDatabase
                    || source instanceof AbstractDriverBasedDataSource unpooled && isInMemory(unpooled.getUrl());
        }
    }
}
