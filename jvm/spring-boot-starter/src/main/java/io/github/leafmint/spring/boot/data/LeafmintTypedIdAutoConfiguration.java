package io.github.leafmint.spring.boot.data;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.convert.CustomConversions.StoreConversions;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.mapping.JdbcSimpleTypes;
import org.springframework.data.mapping.model.SimpleTypeHolder;
import org.springframework.data.r2dbc.convert.R2dbcCustomConversions;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Teaches Spring Data JDBC and R2DBC to store {@link io.github.leafmint.ids.TypedId}s as numbers. Conversions of the
 * application take precedence, and keep it from starting if entities have typed ids that they do not know.
 *
 * <pre>{@code
 * @Table("lines")
 * record Line(@Id @SegmentId("line") LineId id, ProductId product) {}
 *
 * interface Lines extends CrudRepository<Line, LineId> {}
 * }</pre>
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration",
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration",
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration"
        },
        beforeName = {
            "org.springframework.boot.autoconfigure.data.jdbc.JdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.r2dbc.R2dbcDataAutoConfiguration",
            "org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration"
        })
@ConditionalOnClass(RelationalMappingContext.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintTypedIdAutoConfiguration {
    LeafmintTypedIdAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({JdbcCustomConversions.class, NamedParameterJdbcOperations.class})
    @ConditionalOnBean(NamedParameterJdbcOperations.class)
    static class Jdbc {
        @Bean
        static TypedIdReferences leafmintTypedIdReferences() {
            return new TypedIdReferences();
        }

        @Bean
        static TypedIdCheck leafmintJdbcTypedIdCheck() {
            return new TypedIdCheck();
        }

        /** Returns what Spring Boot would declare, and the converters. */
        @Bean
        @ConditionalOnMissingBean
        JdbcCustomConversions leafmintJdbcConversions(ObjectProvider<Dialect> dialects) {
            Dialect dialect = dialects.getIfUnique();
            if (dialect == null) {
                return new JdbcCustomConversions(TypedIdConverters.all());
            }
            List<Object> ofStore = new ArrayList<>(dialect.getConverters());
            ofStore.addAll(JdbcCustomConversions.storeConverters());
            var simple = new SimpleTypeHolder(dialect.simpleTypes(), JdbcSimpleTypes.HOLDER);
            return new JdbcCustomConversions(StoreConversions.of(simple, ofStore), TypedIdConverters.all());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({R2dbcCustomConversions.class, DatabaseClient.class})
    @ConditionalOnBean(DatabaseClient.class)
    static class R2dbc {
        @Bean
        static TypedIdCheck leafmintR2dbcTypedIdCheck() {
            return new TypedIdCheck();
        }

        /**
         * Returns what Spring Boot would declare, and the converters. Lazy, because an application may use the client
         * without Spring Data, which does not know every database.
         */
        @Bean
        @Lazy
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(DatabaseClient.class)
        R2dbcCustomConversions leafmintR2dbcConversions(DatabaseClient database) {
            return R2dbcCustomConversions.of(
                    DialectResolver.getDialect(database.getConnectionFactory()), TypedIdConverters.all());
        }
    }
}
