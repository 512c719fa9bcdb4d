package io.github.leafmint.spring.boot.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Ids are leased as each pool connects. Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
@Timeout(120)
class PoolsTest {
    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";
    private static final String TOMCAT = "org.apache.tomcat.jdbc.pool.DataSource";
    private static final String DRUID = "com.alibaba.druid.pool.DruidDataSource";
    private static final String DBCP2 = "org.apache.commons.dbcp2.BasicDataSource";
    private static final String UNPOOLED = "org.springframework.jdbc.datasource.SimpleDriverDataSource";

    private final FreshDatabase database = new FreshDatabase();

    @AfterEach
    void drop() {
        database.close();
    }

    private ApplicationContextRunner application(String type) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafmintAutoConfiguration.class))
                .withPropertyValues(database.dataSource("spring.datasource"))
                .withPropertyValues(
                        "spring.datasource.type=" + type,
                        "leafmint.segment.init-schema=true",
                        "leafmint.segment.auto-create=true",
                        "leafmint.snowflake.enabled=true",
                        "leafmint.snowflake.state-files=false");
    }

    @ParameterizedTest
    @ValueSource(strings = {HIKARI, TOMCAT, DRUID, DBCP2, UNPOOLED})
    void bothGeneratorsLeaseThroughTheDataSource(String type) {
        application(type).run(context -> {
            assertThat(context.getBean(DataSource.class).getClass().getName()).isEqualTo(type);
            assertThat(context.getBean(SegmentGenerator.class).tag("order").nextId())
                    .isEqualTo(1);
            assertThat(context.getBean(SnowflakeGenerator.class).nextId()).isPositive();
            assertThat(database.read("SELECT biz_tag FROM " + database.name() + ".leaf_alloc"))
                    .contains("order");
        });
        await().until(() -> database.connections().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {HIKARI, TOMCAT, DRUID, UNPOOLED})
    void threadsThatHoldEachConnectionGetTheirFirstId(String type) {
        application(type)
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=2",
                        "spring.datasource.tomcat.max-active=2",
                        "spring.datasource.dbcp2.max-total=2")
                .run(context -> {
                    DataSource pool = context.getBean(DataSource.class);
                    if (pool instanceof com.alibaba.druid.pool.DruidDataSource druid) {
                        druid.setMaxActive(2);
                    }
                    SegmentGenerator ids = context.getBean(SegmentGenerator.class);
                    List<Long> minted = inThreads(40, () -> {
                        try (Connection held = pool.getConnection()) {
                            assertThat(held.isValid(5)).isTrue();
                            return ids.tag("order").nextId();
                        }
                    });
                    assertThat(minted).doesNotHaveDuplicates().hasSize(40);
                });
    }

    private static <T> List<T> inThreads(int count, Callable<T> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            var ready = new CountDownLatch(count);
            List<Callable<T>> tasks = IntStream.range(0, count)
                    .<Callable<T>>mapToObj(index -> () -> {
                        ready.countDown();
                        ready.await();
                        return task.call();
                    })
                    .toList();
            var results = new ArrayList<T>();
            for (Future<T> each : threads.invokeAll(tasks)) {
                results.add(each.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aPoolWhoseConnectionsAreBorrowedAndAllInUseIsNamed() {
        application(DBCP2)
                .withPropertyValues(
                        "spring.datasource.dbcp2.max-total=1",
                        "spring.datasource.dbcp2.max-wait=500ms",
                        "leafmint.segment.init-schema=false",
                        "leafmint.segment.timeout=2s")
                .run(context -> {
                    SegmentGenerator ids = context.getBean(SegmentGenerator.class);
                    try (Connection held = context.getBean(DataSource.class).getConnection()) {
                        assertThat(held.isValid(5)).isTrue();
                        assertThatThrownBy(() -> ids.tag("order").nextId())
                                .isInstanceOf(LeafmintException.class)
                                .hasMessageContaining("data source \"dataSource\"");
                    }
                });
    }

    @Test
    void aPasswordThatTheApplicationChangesIsUsed() {
        application(HIKARI).run(context -> {
            SegmentGenerator ids = context.getBean(SegmentGenerator.class);
            assertThat(ids.tag("order").nextId()).isEqualTo(1);
            database.setPassword("n3w");
            context.getBean(HikariDataSource.class).getHikariConfigMXBean().setPassword("n3w");
            for (String connection : database.connections()) {
                database.execute("KILL " + connection);
            }
            assertThat(ids.tag("another").nextId()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"hikari.auto-commit=false", "hikari.leak-detection-threshold=2000", "name=shop"})
    void settingsOfThePoolDoNotDisturb(String setting) {
        application(HIKARI).withPropertyValues("spring.datasource." + setting).run(context -> {
            assertThat(context.getBean(SegmentGenerator.class).tag("order").nextId())
                    .isEqualTo(1);
            assertThat(context.getBean(SnowflakeGenerator.class).nextId()).isPositive();
        });
    }

    @Test
    void aPoolOfReadOnlyConnectionsIsRefusedByName() {
        application(HIKARI)
                .withPropertyValues("spring.datasource.hikari.read-only=true", "leafmint.segment.init-schema=false")
                .run(context -> assertThatThrownBy(() -> context.getBean(SegmentGenerator.class)
                                .tag("order")
                                .nextId())
                        .isInstanceOf(LeafmintException.class)
                        .hasMessageContaining("data source \"dataSource\"")
                        .hasMessageContaining("read-only"));
    }

    /** The server of the tests has no TLS: the application cannot connect, and nothing may connect in plain text. */
    @ParameterizedTest
    @ValueSource(strings = {"verify-full", "trust"})
    void aDemandForTlsOutsideTheUrlIsObeyed(String mode) {
        application(HIKARI)
                .withPropertyValues(
                        "spring.datasource.hikari.data-source-properties.sslMode=" + mode,
                        "leafmint.segment.init-schema=false",
                        "leafmint.segment.timeout=3s")
                .run(context -> {
                    database.execute("FLUSH STATUS");
                    assertThatThrownBy(() -> context.getBean(SegmentGenerator.class)
                                    .tag("order")
                                    .nextId())
                            .isInstanceOf(LeafmintException.class)
                            .isNotInstanceOf(InvalidConfigException.class);
                    assertThat(database.connections()).isEmpty();
                });
    }
}
