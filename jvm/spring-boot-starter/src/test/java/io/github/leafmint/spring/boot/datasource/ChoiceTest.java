package io.github.leafmint.spring.boot.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.dynamic.datasource.spring.boot.autoconfigure.DynamicDataSourceAutoConfiguration;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Which data source is leased through, of one or several, wrapped or routing. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class ChoiceTest {
    private static final FreshDatabase[] OPEN = new FreshDatabase[2];

    private final FreshDatabase shop = open(0);
    private final FreshDatabase archive = open(1);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DynamicDataSourceAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    LeafmintAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.dynamic.enabled=false",
                    "leafmint.segment.init-schema=true",
                    "leafmint.segment.auto-create=true",
                    "leafmint.snowflake.state-files=false");

    private static FreshDatabase open(int index) {
        return OPEN[index] = new FreshDatabase();
    }

    @AfterEach
    void drop() {
        shop.close();
        archive.close();
    }

    private static DriverManagerDataSource of(int index) {
        FreshDatabase database = OPEN[index];
        return new DriverManagerDataSource(database.url(), database.name(), "s3cret");
    }

    private static void assertMintsIn(FreshDatabase database, AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        assertThat(context.getBean(SegmentGenerator.class).tag("order").nextId())
                .isEqualTo(1);
        assertThat(database.tables()).contains("leaf_alloc");
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {
        @Bean
        DataSource ofShop() {
            return of(0);
        }

        @Bean
        DataSource ofArchive() {
            return of(1);
        }
    }

    @Test
    void severalWithoutAPrimaryOneAreRefusedByName() {
        application.withUserConfiguration(Two.class).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .hasMessageContaining("there are several, of which none is primary: ofShop, ofArchive")
                .hasMessageContaining("leafmint.segment.data-source"));
    }

    @Test
    void aPropertyNamesOneForEachGenerator() {
        application
                .withUserConfiguration(Two.class)
                .withPropertyValues(
                        "leafmint.segment.data-source=ofShop",
                        "leafmint.snowflake.data-source=ofArchive",
                        "leafmint.snowflake.auto-create=true")
                .run(context -> {
                    assertMintsIn(shop, context);
                    assertThat(context.getBean(SnowflakeGenerator.class).nextId())
                            .isPositive();
                    assertThat(archive.tables()).doesNotContain("leaf_alloc").isNotEmpty();
                });
    }

    @Test
    void snowflakesFollowTheSegments() {
        application
                .withUserConfiguration(Two.class)
                .withPropertyValues("leafmint.segment.data-source=ofArchive", "leafmint.snowflake.enabled=true")
                .run(context -> {
                    assertMintsIn(archive, context);
                    assertThat(context.getBean(SnowflakeGenerator.class).nextId())
                            .isPositive();
                    assertThat(shop.tables()).isEmpty();
                });
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        application
                .withUserConfiguration(Two.class)
                .withPropertyValues("leafmint.segment.data-source=ofShip")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("leafmint.segment.data-source=ofShip is no DataSource bean")
                        .hasMessageContaining("ofShop, ofArchive"));
        application
                .withPropertyValues("leafmint.segment.data-source=ofShip")
                .withPropertyValues(shop.dataSource("spring.datasource"))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("is no DataSource bean, nor a target of \"dataSource\""));
    }

    @Test
    void anAccountWithoutAUrlIsRefused() {
        application
                .withUserConfiguration(Two.class)
                .withPropertyValues("leafmint.segment.data-source=ofShop", "leafmint.segment.username=app")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("are for leafmint.segment.url, which is not set"));
    }

    @Test
    void aUrlGoesBeforeTheDataSource() {
        application
                .withUserConfiguration(Two.class)
                .withPropertyValues("leafmint.segment.url=memory:", "leafmint.segment.data-source=ofShop")
                .run(context -> {
                    assertThat(context.getBean(SegmentGenerator.class).scope()).doesNotContain("ofShop");
                    assertThat(shop.tables()).isEmpty();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryOfTwo {
        @Bean
        @Primary
        HikariDataSource ofShop() {
            var pool = new HikariDataSource();
            pool.setJdbcUrl(OPEN[0].url());
            pool.setUsername(OPEN[0].name());
            pool.setPassword("s3cret");
            return pool;
        }

        @Bean
        DataSource ofArchive() {
            return of(1);
        }
    }

    @Test
    void thePrimaryOneIsMeant() {
        application.withUserConfiguration(PrimaryOfTwo.class).run(context -> assertMintsIn(shop, context));
    }

    /** Wrappers are kept: they may do more than what they wrap. */
    static class Wrapped {
        @Configuration(proxyBeanMethods = false)
        static class Lazily {
            @Bean
            DataSource dataSource() {
                return new LazyConnectionDataSourceProxy(of(0));
            }
        }

        @Configuration(proxyBeanMethods = false)
        static class TransactionAware {
            @Bean
            DataSource dataSource() {
                return new TransactionAwareDataSourceProxy(of(0));
            }
        }

        @Configuration(proxyBeanMethods = false)
        static class Changed {
            @Bean
            DataSource dataSource() {
                var pool = new HikariDataSource() {
                    @Override
                    public Credentials getCredentials() {
                        return Credentials.of(OPEN[0].name(), "s3cret");
                    }
                };
                pool.setJdbcUrl(OPEN[0].url());
                return pool;
            }
        }
    }

    @Test
    void wrappersAndSubclassesAreBorrowedFrom() {
        for (Class<?> wrapped : Wrapped.class.getDeclaredClasses()) {
            application.withUserConfiguration(wrapped).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBean(SegmentGenerator.class)
                                .tag(wrapped.getSimpleName())
                                .nextId())
                        .isEqualTo(1);
            });
        }
        assertThat(shop.tables()).contains("leaf_alloc");
    }

    @Configuration(proxyBeanMethods = false)
    static class OneConnection {
        @Bean
        DataSource dataSource() {
            return new SingleConnectionDataSource(OPEN[0].url(), OPEN[0].name(), "s3cret", true);
        }
    }

    @Test
    void aConnectionThatAllThreadsShareIsRefused() {
        application.withUserConfiguration(OneConnection.class).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .hasMessageContaining("the data source \"dataSource\" has one connection for all threads"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Routing {
        @Bean
        DataSource dataSource() {
            var routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    throw new IllegalStateException("no tenant on this thread");
                }
            };
            routing.setTargetDataSources(Map.of("shop", of(0), "archive", of(1)));
            routing.setDefaultTargetDataSource(of(1));
            return routing;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RoutingWithoutDefault {
        @Bean
        DataSource dataSource() {
            var routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return null;
                }
            };
            routing.setTargetDataSources(Map.of("shop", of(0), "archive", of(1)));
            return routing;
        }
    }

    @Test
    void theDefaultOfARoutingOneIsSaidAndATargetCanBeNamed(CapturedOutput output) {
        application.withUserConfiguration(Routing.class).run(context -> assertMintsIn(archive, context));
        assertThat(output).contains("through \"default\", the default of the routing data source \"dataSource\"");
        application
                .withUserConfiguration(Routing.class)
                .withPropertyValues("leafmint.segment.data-source=shop")
                .run(context -> assertMintsIn(shop, context));
        application.withUserConfiguration(RoutingWithoutDefault.class).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .hasMessageContaining("routes without a single default target: it has archive, shop"));
    }

    @Test
    void dynamicDataSourceLeasesThroughItsPrimaryOrTheNamedOne(CapturedOutput output) {
        ApplicationContextRunner dynamic = application
                .withPropertyValues("spring.datasource.dynamic.enabled=true", "spring.datasource.dynamic.primary=shop")
                .withPropertyValues(shop.dataSource("spring.datasource.dynamic.datasource.shop"))
                .withPropertyValues(archive.dataSource("spring.datasource.dynamic.datasource.archive"));
        dynamic.run(context -> assertMintsIn(shop, context));
        assertThat(output).contains("leafmint connects through \"shop\", the default");
        dynamic.withPropertyValues("leafmint.segment.data-source=archive")
                .run(context -> assertMintsIn(archive, context));
    }

    /** Each start would choose another database of the group. */
    @Test
    void aPrimaryGroupOfDynamicDataSourceIsRefused() {
        application
                .withPropertyValues("spring.datasource.dynamic.enabled=true", "spring.datasource.dynamic.primary=main")
                .withPropertyValues(shop.dataSource("spring.datasource.dynamic.datasource.main_1"))
                .withPropertyValues(archive.dataSource("spring.datasource.dynamic.datasource.main_2"))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("it has main_1, main_2"));
    }
}
