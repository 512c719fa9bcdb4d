package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.leafmint.BizTag;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What the console shows when an application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTest {
    @Test
    void aRefusedValueIsReportedWithTheNameOfItsProperty(CapturedOutput output) {
        start(Empty.class, "--leafmint.segment.url=memory:", "--leafmint.segment.max-step=0");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("max_step=0 is not a whole number from 1 to")
                .contains("Correct leafmint.segment.max-step.");
    }

    @Test
    void everyPropertyOfARefusedValueIsNamed(CapturedOutput output) {
        start(
                Empty.class,
                "--leafmint.segment.url=memory:",
                "--leafmint.segment.max-step=0",
                "--leafmint.segment.default-start=-1",
                "--leafmint.segment.timeout=1s");
        assertThat(output).contains("Correct leafmint.segment.max-step and leafmint.segment.default-start.");
    }

    @Test
    void anOptionOfTheUrlKeepsItsName(CapturedOutput output) {
        start(Empty.class, "--leafmint.snowflake.url=local:target/x?heartbeat=soon&timeout=1x");
        assertThat(output)
                .contains("heartbeat=soon is not a duration")
                .doesNotContain("leafmint.snowflake.heartbeat")
                .contains("Correct the properties leafmint.snowflake.*.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "jdbc:p6spy:mysql://db/shop?password=s3cret; the form jdbc:p6spy: is not served",
                "jdbc:mariadb://address=(host=db)(port=1)/shop?password=s3cret; the form address=(host",
                "jdbc:h2:mem:shop;the form jdbc:h2: is not served"
            })
    void aDataSourceThatLeafmintCannotUseIsNamedWithoutItsPassword(String url, String problem, CapturedOutput output) {
        start(
                WithDataSource.class,
                "--spring.datasource.url=" + url,
                "--spring.datasource.driver-class-name=java.lang.String",
                "--spring.datasource.password=s3cret");
        assertThat(output)
                .contains(problem)
                .contains("The URL is the data source's. Set leafmint.segment.url")
                .contains("leafmint.segment.enabled=false")
                .doesNotContain("s3cret");
    }

    @Test
    void anUnknownTagIsReportedWithThePropertyThatCreatesIt(CapturedOutput output, @TempDir Path directory) {
        start(
                Empty.class,
                "--leafmint.segment.url=sqlite:///" + directory.resolve("ids.db"),
                "--leafmint.segment.init-schema=true",
                "--leafmint.segment.auto-create=false",
                "--leafmint.segment.eager=true",
                "--leafmint.segment.tags.order.order=strict");
        assertThat(output).contains("biz_tag \"order\" is not in").contains("leafmint.segment.tags.<name>.create=true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gene-bits=13", "step=0", "start=-1"})
    void aRefusedPropertyOfATagIsReportedWithTheTag(String property, CapturedOutput output) {
        start(
                Empty.class,
                "--leafmint.segment.url=memory:",
                "--leafmint.segment.tags.order.create=true",
                "--leafmint.segment.tags.order." + property);
        assertThat(output)
                .contains("leafmint.segment.tags.order: ")
                .contains("Correct the properties leafmint.segment.tags.order.*.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "period=day zone=Z",
                "period=day",
                "zone=UTC",
                "period=forever zone=UTC",
                "period=day zone=UTC key=a@b",
                "period=day zone=UTC step=0",
                "period=day zone=UTC format={number}",
                "period=day zone=UTC format={"
            })
    void aRefusedPropertyOfASeriesIsReportedWithTheSeries(String properties, CapturedOutput output) {
        var arguments = new ArrayList<>(List.of("--leafmint.segment.url=memory:"));
        for (String property : properties.split(" ")) {
            arguments.add("--leafmint.segment.series.invoice." + property);
        }
        start(Empty.class, arguments.toArray(new String[0]));
        assertThat(output)
                .contains("leafmint.segment.series.invoice: ")
                .contains("Correct the properties leafmint.segment.series.invoice.*.");
    }

    @Test
    void aSeriesWithoutPropertiesIsExplained(CapturedOutput output) {
        start(NeedsSeries.class, "--leafmint.segment.url=memory:");
        assertThat(output).contains("There is no such Series to inject").contains("leafmint.segment.series.<name>");
        start(NeedsSeries.class);
        assertThat(output).contains("There is no Series to inject: leafmint.segment.url is not set");
        start(Empty.class, "--leafmint.segment.series.invoice.zone=Europe/Nowhere");
        assertThat(output).contains("leafmint.segment.series.invoice.zone").contains("Unknown time-zone ID");
    }

    @Test
    void aMissingTableIsReportedWithThePropertyThatCreatesIt(CapturedOutput output) {
        start(
                Empty.class,
                "--leafmint.segment.url=" + System.getenv("LEAFMINT_TEST_MYSQL"),
                "--leafmint.segment.table=starter_no_such_table",
                "--leafmint.segment.tags.order.create=true");
        assertThat(output).contains("Set leafmint.segment.init-schema=true, or run the statement in a migration.");
    }

    @Test
    void aDatabaseThatIsAwayIsReportedWithWhatNeedsIt(CapturedOutput output) {
        start(
                Empty.class,
                "--leafmint.segment.url=mysql://localhost:1/shop",
                "--leafmint.segment.password=s3cret",
                "--leafmint.segment.eager=true",
                "--leafmint.segment.timeout=100ms");
        assertThat(output)
                .contains("Check that the database is up")
                .contains("leafmint.segment.eager")
                .doesNotContain("s3cret");
    }

    @Test
    void aMissingGeneratorIsExplained(CapturedOutput output) {
        start(NeedsSegments.class);
        assertThat(output)
                .contains("There is no SegmentGenerator to inject: leafmint.segment.url is not set, and there is no")
                .contains("Set leafmint.segment.url");
        start(NeedsSegments.class, "--leafmint.segment.enabled=false", "--leafmint.segment.url=memory:");
        assertThat(output).contains("leafmint.segment.enabled is false.");
        start(NeedsSnowflakes.class, "--leafmint.segment.url=memory:");
        assertThat(output).contains("leafmint.snowflake.enabled=true");
    }

    @Test
    void aSnowflakeGeneratorWithoutAUrlIsExplained(CapturedOutput output) {
        start(Empty.class, "--leafmint.snowflake.enabled=true");
        assertThat(output)
                .contains("There is no URL for the snowflake generator")
                .contains("Set leafmint.snowflake.url to mysql://host/database");
    }

    @Test
    void aStoreThatHoldsNoWorkerIdsIsExplained(CapturedOutput output) {
        start(Empty.class, "--leafmint.segment.url=memory:", "--leafmint.snowflake.enabled=true");
        assertThat(output)
                .contains("the scheme \"memory\" is not known")
                .contains("Set leafmint.snowflake.url to mysql://host/database");
    }

    @Test
    void aDataSourceOfTheApplicationIsExplained(CapturedOutput output) {
        start(OwnDataSource.class);
        assertThat(output).contains("the application made its own DataSource");
    }

    @Test
    void aTagWithoutPropertiesIsExplained(CapturedOutput output) {
        start(NeedsTag.class, "--leafmint.segment.url=memory:");
        assertThat(output).contains("There is no such BizTag to inject").contains("leafmint.segment.tags.<name>");
    }

    private static void start(Class<?> configuration, String... arguments) {
        SpringApplication application = new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .application();
        assertThat(catchThrowable(() -> application.run(arguments))).isNotNull();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeafmintAutoConfiguration.class)
    static class Empty {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LeafmintAutoConfiguration.class, DataSourceAutoConfiguration.class})
    static class WithDataSource {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeafmintAutoConfiguration.class)
    static class NeedsSegments {
        NeedsSegments(SegmentGenerator ids) {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeafmintAutoConfiguration.class)
    static class NeedsSnowflakes {
        NeedsSnowflakes(SnowflakeGenerator flakes) {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeafmintAutoConfiguration.class)
    static class NeedsTag {
        NeedsTag(@Qualifier("order") BizTag order) {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeafmintAutoConfiguration.class)
    static class NeedsSeries {
        NeedsSeries(@Qualifier("invoice") Series invoice) {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({LeafmintAutoConfiguration.class, DataSourceAutoConfiguration.class})
    static class OwnDataSource {
        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:mysql://db/shop");
        }

        @Bean
        String user(SegmentGenerator ids) {
            return ids.scope();
        }
    }
}
