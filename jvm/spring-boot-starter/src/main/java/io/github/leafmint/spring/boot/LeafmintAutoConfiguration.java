package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGenerator;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Declares leafmint's generators as beans.
 *
 * <p>There is a {@link SegmentGenerator} if {@code leafmint.segment.url} is set or there is a {@code DataSource} or a
 * {@code ConnectionFactory}, and a {@link io.github.leafmint.SnowflakeGenerator} if {@code leafmint.snowflake.url} is
 * set or {@code leafmint.snowflake.enabled} is true. A bean of the application takes precedence. Opening a generator
 * does no I/O; Spring closes it when the context closes, after the web server has drained.
 *
 * <pre>{@code
 * @Service
 * class Orders {
 *     private final Tag order;
 *
 *     Orders(SegmentGenerator ids) {
 *         order = ids.tag("order");
 *     }
 *
 *     Order place(String item) {
 *         return new Order(order.nextId(), item);
 *     }
 * }
 * }</pre>
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration",
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration"
        },
        beforeName = {
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration"
        })
@ConditionalOnClass(SegmentGenerator.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeafmintProperties.class)
@Import({
    SegmentConfiguration.class,
    TagConfiguration.class,
    SeriesConfiguration.class,
    GaplessConfiguration.class,
    SnowflakeConfiguration.class,
    AuditConfiguration.OfProperties.class,
    AuditConfiguration.OfDataSource.class,
    AuditConfiguration.OfSegments.class
})
public class LeafmintAutoConfiguration {
    LeafmintAutoConfiguration() {}

    @Bean
    @Lazy
    GeneratorSources leafmintSources(
            LeafmintProperties properties, ConfigurableListableBeanFactory beans, Environment environment) {
        return new GeneratorSources(properties, new DataSourceFinder(beans, environment, "leafmintSources"));
    }
}
