package io.github.leafmint.spring.boot.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;

/** An application of Spring Data JDBC with two databases, each with its mapping. */
class SeveralMappingsTest {
    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        @Bean
        JdbcMappingContext shopMapping() {
            return new JdbcMappingContext();
        }

        @Bean
        JdbcMappingContext archiveMapping() {
            return new JdbcMappingContext();
        }
    }

    @Test
    void anAggregateOfEitherMappingGetsItsId() {
        new ApplicationContextRunner()
                .withUserConfiguration(TwoDatabases.class)
                .withConfiguration(AutoConfigurations.of(
                        LeafmintAutoConfiguration.class,
                        LeafmintPersistenceAutoConfiguration.class,
                        LeafmintJdbcAutoConfiguration.class))
                .withPropertyValues("leafmint.segment.url=memory://" + UUID.randomUUID())
                .run(context -> {
                    context.getBean("archiveMapping", JdbcMappingContext.class)
                            .getRequiredPersistentEntity(Line.Tagged.class);
                    var callback = context.getBean(LeafmintJdbcAutoConfiguration.JdbcIdCallback.class);
                    assertThat(callback.onBeforeConvert(new Line.Tagged(null, "tea")))
                            .isEqualTo(new Line.Tagged(1L, "tea"));
                    // Saved by a template whose mapping is no bean.
                    var unknown = new Line.Assigned(null, "tea");
                    assertThat(callback.onBeforeConvert(unknown)).isSameAs(unknown);
                    assertThatThrownBy(() -> callback.onBeforeConvert(new Line.Snowflaked(null, "tea")))
                            .isInstanceOf(InvalidConfigException.class)
                            .hasMessageContaining("no bean RelationalMappingContext knows");
                });
    }
}
