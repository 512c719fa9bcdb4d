package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.leafmint.Audit;
import io.github.leafmint.Credentials;
import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.audit.AuditFinding;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.audit.FindingKind;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Which database is audited. Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
@Timeout(60)
class AuditConfigurationTest {
    private static final String IDS_OF_DATA_SOURCE = "leafmint.segment.url=";

    /** The connection, and its settings without the values that change by themselves. */
    private static final String SESSION = "SELECT CONNECTION_ID(), variable_name, session_value"
            + " FROM information_schema.system_variables WHERE session_value IS NOT NULL"
            + " AND variable_name NOT IN ('TIMESTAMP', 'RAND_SEED1', 'RAND_SEED2', 'LAST_INSERT_ID', 'IDENTITY',"
            + " 'LAST_GTID', 'PSEUDO_THREAD_ID', 'ERROR_COUNT', 'WARNING_COUNT') ORDER BY 2";

    /** Its rows are in a data source on the server, and its ids in memory. */
    private final ApplicationContextRunner shop = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafmintAutoConfiguration.class))
            .withPropertyValues(TestDatabase.properties("leafmint_audit"));

    @TempDir
    private Path folder;

    /** Makes two tables: nearly all ids of the first are used, and one of the second is above 2^53. */
    @BeforeEach
    void fill() {
        shop.run(context -> {
            var rows = new JdbcTemplate(context.getBean(DataSource.class));
            rows.execute("DROP TABLE IF EXISTS bills, carts, alloc_of_audit");
            rows.execute("CREATE TABLE bills (id INT PRIMARY KEY)");
            rows.execute("CREATE TABLE carts (id BIGINT PRIMARY KEY)");
            rows.update("INSERT INTO bills VALUES (2000000000)");
            rows.update("INSERT INTO carts VALUES (9007199254740993)");
        });
    }

    private static AuditReport report(AssertableApplicationContext context) {
        return context.getBean(Audit.class).run();
    }

    private static List<FindingKind> kinds(AssertableApplicationContext context) {
        return report(context).findings().stream().map(AuditFinding::kind).toList();
    }

    /** Returns the URL of a database of SQLite with a tag. */
    private String sqlite() {
        String url = "sqlite:///" + folder.resolve("ids.db");
        try (var ids = SegmentGenerator.open(url)) {
            ids.createTag("order").step(100).create();
        }
        return url;
    }

    @Test
    void theDataSourceIsAuditedAlsoIfIdsComeFromElsewhere() {
        shop.run(context -> {
            assertThat(report(context).scope())
                    .contains("data source \"dataSource\"")
                    .contains("/leafmint_audit");
            assertThat(kinds(context)).containsExactly(FindingKind.RUNS_OUT, FindingKind.ROUNDED_IN_JSON);
        });
    }

    @Test
    void aDatabaseThatOnlyThePoolNamesIsAudited() {
        String url = TestDatabase.properties("leafmint_audit")[0];
        shop.withPropertyValues(
                        url.replaceFirst("/leafmint_audit.*", "/"), "spring.datasource.hikari.catalog=leafmint_audit")
                .run(context ->
                        assertThat(kinds(context)).containsExactly(FindingKind.RUNS_OUT, FindingKind.ROUNDED_IN_JSON));
    }

    @Test
    void allAuditsHaveOnePoolThatClosesWithTheContext() {
        var pools = new ArrayList<AutoCloseable>();
        shop.run(context -> {
            report(context);
            report(context);
            pools.add(context.getBean(LentDataSource.class).copy());
            assertThat(((HikariDataSource) pools.get(0)).isRunning()).isTrue();
        });
        assertThat(((HikariDataSource) pools.get(0)).isClosed()).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    static class Two {
        @Bean
        DataSource ofShop() {
            return of("leafmint_audit");
        }

        @Bean
        DataSource ofArchive() {
            return of("information_schema");
        }

        private static DataSource of(String database) {
            String[] properties = TestDatabase.properties(database);
            return new DriverManagerDataSource(value(properties[0]), value(properties[1]), value(properties[2]));
        }
    }

    /** A subclass, whose connections are borrowed. */
    static class OneConnection extends HikariDataSource {
        OneConnection() {
            String[] properties = TestDatabase.properties("leafmint_audit");
            setJdbcUrl(value(properties[0]));
            setUsername(value(properties[1]));
            setPassword(value(properties[2]));
            setMaximumPoolSize(1);
        }
    }

    @Test
    void aBorrowedConnectionComesBackAsItWas() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
                .withBean("ofShop", DataSource.class, OneConnection::new)
                .run(context -> {
                    var rows = new JdbcTemplate(context.getBean(DataSource.class));
                    List<Map<String, Object>> before = rows.queryForList(SESSION);
                    assertThat(before).isNotEmpty();
                    assertThat(kinds(context)).hasSize(2);
                    assertThat(rows.queryForList(SESSION)).isEqualTo(before);
                    assertThat(rows.update("INSERT INTO carts VALUES (1)")).isEqualTo(1);
                });
    }

    private static String value(String property) {
        return property.substring(property.indexOf('=') + 1);
    }

    @Test
    void ofSeveralItIsTheOneForSegmentsOrItIsRefusedByName() {
        ApplicationContextRunner several = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
                .withUserConfiguration(Two.class)
                .withPropertyValues("leafmint.segment.url=memory:");
        several.withPropertyValues("leafmint.segment.data-source=ofShop")
                .run(context -> assertThat(report(context).scope()).contains("data source \"ofShop\""));
        several.run(context -> assertThatThrownBy(() -> report(context))
                .rootCause()
                .hasMessageContaining("there are several, of which none is primary: ofShop, ofArchive")
                .hasMessageContaining("leafmint.segment.data-source"));
    }

    @Test
    void anEmbeddedDatabaseIsRefused() {
        shop.withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:audit",
                        "spring.datasource.username=sa",
                        "spring.datasource.password=")
                .run(context -> assertThatThrownBy(() -> report(context))
                        .isInstanceOf(InvalidConfigException.class)
                        .hasMessageContaining("an audit reads MySQL, MariaDB and PostgreSQL"));
    }

    @Test
    void aUrlOfItsOwnTakesPrecedence() {
        shop.withPropertyValues("leafmint.audit.url=" + sqlite())
                .run(context -> assertThat(report(context).scope()).contains("ids.db"));
    }

    @Test
    void withoutADataSourceTheDatabaseOfTheIdsIsAudited() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
                .withPropertyValues("leafmint.segment.url=" + sqlite())
                .run(context -> assertThat(report(context).scope()).contains("ids.db"));
    }

    @Test
    void theOptionsOfTheGeneratorCountIfItsDatabaseIsAudited() {
        shop.withPropertyValues(
                        IDS_OF_DATA_SOURCE,
                        "leafmint.segment.init-schema=true",
                        "leafmint.segment.table=alloc_of_audit",
                        "leafmint.segment.tags.bill.create=true",
                        "leafmint.audit.tables=bills",
                        "leafmint.audit.tags.bills=bill")
                .run(context -> {
                    context.getBean(SegmentGenerator.class);
                    assertThat(kinds(context)).containsExactly(FindingKind.RUNS_OUT, FindingKind.TAG_BEHIND);
                });
    }

    @Test
    void thePropertiesChooseTablesAndFindings() {
        shop.withPropertyValues("leafmint.audit.tables=bi*,carts", "leafmint.audit.ignore=*:note,none:runs_out")
                .run(context -> {
                    assertThat(kinds(context)).containsExactly(FindingKind.RUNS_OUT);
                    assertThat(report(context).keys()).hasSize(2);
                });
    }

    @Test
    void eachOwnerHasAnAuditOfItsOwn() {
        shop.run(context -> {
            context.getBean(Audit.class).tables("carts");
            assertThat(kinds(context)).hasSize(2);
        });
    }

    @Test
    void aSupplierGivesTheAccountOfTheUrlThatTheIdsComeFrom() {
        String[] properties = TestDatabase.properties("leafmint_audit");
        String url = properties[0].replaceFirst("^[^=]*=jdbc:mariadb", "mysql").replaceFirst("\\?.*", "");
        String user = value(properties[1]);
        String password = value(properties[2]);
        ApplicationContextRunner ids = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeafmintAutoConfiguration.class))
                .withPropertyValues("leafmint.segment.url=" + url);
        ids.withPropertyValues("leafmint.segment.password=wrong")
                .withBean(CredentialsSupplier.class, () -> () -> new Credentials(user, password))
                .run(context -> assertThat(kinds(context)).hasSize(2));
        ids.withPropertyValues("leafmint.segment.username=stranger")
                .run(context -> assertThatThrownBy(() -> report(context)).isInstanceOf(InvalidConfigException.class));
    }

    @Test
    void anAuditOfTheApplicationTakesPrecedence() {
        shop.withPropertyValues("leafmint.audit.url=memory:")
                .withBean("ofTheReplica", Audit.class, () -> Audit.of(sqlite()))
                .run(context -> assertThat(report(context).scope()).contains("ids.db"));
    }
}
