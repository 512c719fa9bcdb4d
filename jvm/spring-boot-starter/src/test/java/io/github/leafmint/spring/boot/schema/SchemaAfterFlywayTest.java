package io.github.leafmint.spring.boot.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.domain.EntityScan;
import org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/** Real migrations, a real pool and JPA on a MariaDB: leafmint's tables are there in time. */
class SchemaAfterFlywayTest {
    private static final URI SERVER = URI.create(System.getenv("LEAFMINT_TEST_MYSQL"));

    private final String database =
            "starter_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);

    @BeforeEach
    void createDatabase() throws SQLException {
        execute("CREATE DATABASE " + database);
    }

    @AfterEach
    void dropDatabase() throws SQLException {
        execute("DROP DATABASE " + database);
    }

    @Test
    void tablesAndTagsAreCreatedAfterFlywayAndBeforeJpa() {
        try (ConfigurableApplicationContext context = start(
                Shop.class,
                "--spring.flyway.locations=classpath:db/orders",
                "--leafmint.segment.init-schema=true",
                "--leafmint.segment.tags.order.create=true")) {
            // Flyway refuses a schema in which it finds tables, so leafmint cannot have been first.
            assertThat(context.getBean("firstOrder", Long.class)).isEqualTo(1);
            assertThat(context.getBean("tagsSeenByJpa", Integer.class)).isEqualTo(1);
        }
    }

    @Test
    void anEagerGeneratorFindsTheTagsThatFlywayInserted() {
        try (ConfigurableApplicationContext context = start(
                EagerShop.class,
                "--spring.flyway.locations=classpath:db/orders,classpath:db/tags",
                "--leafmint.segment.eager=true",
                "--leafmint.segment.tags.order.order=strict")) {
            assertThat(context.getBean(SegmentGenerator.class)
                            .stats()
                            .tags()
                            .get("order")
                            .unused())
                    .isPositive();
            assertThat(context.getBean("firstOrder", Long.class)).isEqualTo(500);
        }
    }

    private ConfigurableApplicationContext start(Class<?> application, String... arguments) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=jdbc:mariadb://" + address() + "/" + database
                                + "?useServerPrepStmts=true",
                        "spring.datasource.username=" + user(),
                        "spring.datasource.password=" + password(),
                        "spring.jpa.hibernate.ddl-auto=validate",
                        "spring.main.banner-mode=off")
                .run(StringUtils.concatenateStringArrays(arguments, new String[] {"--spring.flyway.enabled=true"}));
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection =
                DriverManager.getConnection("jdbc:mariadb://" + address() + "/", user(), password())) {
            connection.createStatement().execute(sql);
        }
    }

    private static String address() {
        return SERVER.getHost() + ":" + SERVER.getPort();
    }

    private static String user() {
        return SERVER.getUserInfo().split(":", 2)[0];
    }

    private static String password() {
        String[] login = SERVER.getUserInfo().split(":", 2);
        return login.length > 1 ? login[1] : "";
    }

    @Configuration(proxyBeanMethods = false)
    @EntityScan(basePackageClasses = ShopOrder.class)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        FlywayAutoConfiguration.class,
        HibernateJpaAutoConfiguration.class,
        LeafmintAutoConfiguration.class
    })
    static class Shop {
        /** Comes first, and with it JPA, which waits until the database is initialised. */
        @Bean
        Integer tagsSeenByJpa(EntityManagerFactory entities) {
            try (var session = entities.createEntityManager()) {
                return session.createNativeQuery("SELECT biz_tag FROM leaf_alloc")
                        .getResultList()
                        .size();
            }
        }

        @Bean
        Long firstOrder(@Qualifier("order") Tag order) {
            return order.nextId();
        }
    }

    /** Nothing but leafmint makes Flyway run before the generator is opened. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        FlywayAutoConfiguration.class,
        LeafmintAutoConfiguration.class
    })
    static class EagerShop {
        @Bean
        Long firstOrder(@Qualifier("order") Tag order) {
            return order.nextId();
        }
    }

    @Entity(name = "shop_order")
    static class ShopOrder {
        @Id
        private long id;

        long id() {
            return id;
        }
    }
}
