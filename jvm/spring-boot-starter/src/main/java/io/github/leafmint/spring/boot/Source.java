package io.github.leafmint.spring.boot;

import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.R2dbcGenerators;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentGeneratorBuilder;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.SnowflakeGeneratorBuilder;
import io.r2dbc.spi.ConnectionFactory;
import java.util.function.BiConsumer;
import javax.sql.DataSource;

/** Where a generator leases. */
sealed interface Source {
    /** Returns a builder of a segment generator. {@code credentials} replaces the account, unless null. */
    SegmentGeneratorBuilder segments(CredentialsSupplier credentials);

    /** Returns a builder of a snowflake generator. {@code credentials} replaces the account, unless null. */
    SnowflakeGeneratorBuilder snowflakes(CredentialsSupplier credentials);

    /** A store that leafmint connects to by itself. The account may be null. */
    record Url(String url, String username, String password) implements Source {
        @Override
        public SegmentGeneratorBuilder segments(CredentialsSupplier credentials) {
            SegmentGeneratorBuilder builder = SegmentGenerator.builder(url);
            if (credentials != null) {
                return builder.credentials(credentials);
            }
            setAccount(builder::option);
            return builder;
        }

        @Override
        public SnowflakeGeneratorBuilder snowflakes(CredentialsSupplier credentials) {
            SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(url);
            if (credentials != null) {
                return builder.credentials(credentials);
            }
            setAccount(builder::option);
            return builder;
        }

        private void setAccount(BiConsumer<String, Object> option) {
            new OptionSetter(option).set("username", username).set("password", password);
        }

        /** Does not show the password. */
        @Override
        public String toString() {
            return "a URL";
        }
    }

    /** A data source of the application, or a copy of it that is leafmint's own. */
    record Lent(DataSource dataSource, boolean isEmbedded) implements Source {
        @Override
        public SegmentGeneratorBuilder segments(CredentialsSupplier credentials) {
            return SegmentGenerator.builder(dataSource);
        }

        @Override
        public SnowflakeGeneratorBuilder snowflakes(CredentialsSupplier credentials) {
            SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(dataSource);
            // A file would outlive what it is about.
            return isEmbedded ? builder.stateFiles(false) : builder;
        }
    }

    /** A connection factory of the application. */
    record Reactive(ConnectionFactory factory) implements Source {
        @Override
        public SegmentGeneratorBuilder segments(CredentialsSupplier credentials) {
            return R2dbcGenerators.segments(factory);
        }

        @Override
        public SnowflakeGeneratorBuilder snowflakes(CredentialsSupplier credentials) {
            return R2dbcGenerators.snowflakes(factory);
        }
    }
}
