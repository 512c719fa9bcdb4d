package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

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

    @Test
    void anUnknownTagIsReportedWithThePropertyThatCreatesIt(CapturedOutput output, @TempDir Path directory) {
        start(
                Empty.class,
                "--leafmint.segment.url=sqlite:///" + directory.resolve("ids.db"),
                "--leafmint.segment.init-schema=true",
                "--leafmint.segment.auto-create=false",
                "--leafmint.segment.eager=true",
                "--leafmint.segment.tags.order.order=strict");
        assertThat(output).contains("tag \"order\" is not in").contains("leafmint.segment.tags.<name>.create=true");
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
                .contains("Correct the properties that begin with leafmint.segment.tags.order.");
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
                .contains("Correct the properties that begin with leafmint.segment.series.invoice.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zone=UTC",
                "period=year",
                "period=year zone=Z",
                "period=year zone=UTC start=0",
                "period=year zone=UTC key=a@b",
                "period=year zone=UTC format={number}"
            })
    void aRefusedPropertyOfASequenceIsReportedWithTheSequence(String properties, CapturedOutput output) {
        String[] arguments = Stream.of(properties.split(" "))
                .map(property -> "--leafmint.gapless.invoice." + property)
                .toArray(String[]::new);
        start(Empty.class, arguments);
        assertThat(output)
                .contains("leafmint.gapless.invoice: ")
                .contains("Correct the properties that begin with leafmint.gapless.invoice.");
    }

    @Test
    void aSequenceWithoutPropertiesIsExplained(CapturedOutput output) {
        start(NeedsSequence.class);
        assertThat(output)
                .contains("There is no such GaplessSequence to inject")
                .contains("leafmint.gapless.<name>");
    }

    @Test
    void aSeriesWithoutPropertiesIsExplained(CapturedOutput output) {
        start(NeedsSeries.class, "--leafmint.segment.url=memory:");
        assertThat(output).contains("There is no such Series to inject").contains("leafmint.segment.series.<name>");
        start(NeedsSeries.class);
        assertThat(output).contains("There is no Series to inject: there is no DataSource bean");
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
    void aDataSourceThatDoesNotConnectIsReportedWithoutItsPassword(CapturedOutput output) {
        start(
                WithDataSource.class,
                "--spring.datasource.url=jdbc:mariadb://localhost:1/shop",
                "--spring.datasource.password=s3cret",
                "--leafmint.segment.eager=true",
                "--leafmint.segment.timeout=3s",
                "--leafmint.segment.tags.order.order=strict");
        assertThat(output)
                .contains("data source \"dataSource\" (HikariDataSource jdbc:mariadb://localhost:1/shop)")
                .contains("Check that the database is up, and that the application's data source connects.")
                .doesNotContain("s3cret");
    }

    @Test
    void aDataSourceWhoseAccountIsRefusedIsReported(CapturedOutput output) {
        String server = System.getenv("LEAFMINT_TEST_MYSQL").replaceFirst("^mysql://[^@]*@", "jdbc:mariadb://");
        start(
                WithDataSource.class,
                "--spring.datasource.url=" + server,
                "--spring.datasource.username=nobody",
                "--spring.datasource.password=s3cret",
                "--leafmint.segment.init-schema=true");
        assertThat(output)
                .contains("Access denied for user 'nobody'")
                .contains("Correct the application's data source or the properties leafmint.segment.*")
                .doesNotContain("s3cret");
    }

    @Test
    void aMissingGeneratorIsExplained(CapturedOutput output) {
        start(NeedsSegments.class);
        assertThat(output)
                .contains("There is no SegmentGenerator to inject: there is no DataSource bean, no ConnectionFactory")
                .contains("Declare a DataSource or ConnectionFactory bean, or set leafmint.segment.url");
        start(NeedsSegments.class, "--leafmint.segment.enabled=false", "--leafmint.segment.url=memory:");
        assertThat(output).contains("leafmint.segment.enabled is false.");
        start(NeedsSnowflakes.class, "--leafmint.segment.url=memory:");
        assertThat(output).contains("leafmint.snowflake.enabled=true");
    }

    @Test
    void aSnowflakeGeneratorWithoutADatabaseIsExplained(CapturedOutput output) {
        start(Empty.class, "--leafmint.snowflake.enabled=true");
        assertThat(output)
                .contains("there is no DataSource bean")
                .contains("Set leafmint.snowflake.data-source")
                .contains("leafmint.snowflake.url")
                .contains("leafmint.snowflake.enabled=false");
    }

    @Test
    void aStoreThatHoldsNoWorkerIdsIsExplained(CapturedOutput output) {
        start(Empty.class, "--leafmint.segment.url=memory:", "--leafmint.snowflake.enabled=true");
        assertThat(output)
                .contains("the scheme \"memory\" is not known")
                .contains("Set leafmint.snowflake.url to mysql://host/database");
    }

    @Test
    void aTagWithoutPropertiesIsExplained(CapturedOutput output) {
        start(NeedsTag.class, "--leafmint.segment.url=memory:");
        assertThat(output).contains("There is no such Tag to inject").contains("leafmint.segment.tags.<name>");
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
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, LeafmintAutoConfiguration.class})
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
        NeedsTag(@Qualifier("order") Tag order) {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeafmintAutoConfiguration.class)
    static class NeedsSeries {
        NeedsSeries(@Qualifier("invoice") Series invoice) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsSequence {
        NeedsSequence(@Qualifier("invoice") GaplessSequence invoice) {}
    }
}
