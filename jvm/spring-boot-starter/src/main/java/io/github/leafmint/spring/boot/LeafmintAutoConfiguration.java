package io.github.leafmint.spring.boot;

import io.github.leafmint.SegmentGenerator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/**
 * Declares leafmint's generators as beans.
 *
 * <p>There is a {@link SegmentGenerator} if {@code leafmint.segment.url} is set or Spring Boot configured a data
 * source, and a {@link io.github.leafmint.SnowflakeGenerator} if {@code leafmint.snowflake.url} is set or
 * {@code leafmint.snowflake.enabled} is true. A bean of the application takes precedence. Opening a generator does no
 * I/O; Spring closes it when the context closes, after the web server has drained.
 *
 * <pre>{@code
 * @Service
 * class Orders {
 *     private final BizTag order;
 *
 *     Orders(SegmentGenerator ids) {
 *         order = ids.bizTag("order");
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
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
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
    ConnectionDetailsConfiguration.OfProperties.class,
    ConnectionDetailsConfiguration.OfBoot3.class,
    ConnectionDetailsConfiguration.OfBoot4.class,
    SegmentConfiguration.class,
    BizTagConfiguration.class,
    SeriesConfiguration.class,
    SnowflakeConfiguration.class,
    AuditConfiguration.OfProperties.class,
    AuditConfiguration.OfBoot3.class,
    AuditConfiguration.OfBoot4.class,
    AuditConfiguration.OfSegments.class
})
public class LeafmintAutoConfiguration {
    LeafmintAutoConfiguration() {}
}
