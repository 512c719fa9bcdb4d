package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.Audit;
import io.github.leafmint.AuditFinding;
import io.github.leafmint.AuditReport;
import io.github.leafmint.Credentials;
import io.github.leafmint.CredentialsSupplier;
import io.github.leafmint.FindingKind;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** Which database is audited. Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
@Timeout(60)
class AuditConfigurationTest {
    private static final String IDS_OF_DATA_SOURCE = "leafmint.segment.url=";

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
            var rows = new JdbcTemplate(context.getBean(javax.sql.DataSource.class));
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
            ids.createTag("order", 100, 1, "");
        }
        return url;
    }

    @Test
    void theDataSourceIsAuditedAlsoIfIdsComeFromElsewhere() {
        shop.run(context -> {
            assertThat(report(context).scope()).contains("/leafmint_audit");
            assertThat(kinds(context)).containsExactly(FindingKind.RUNS_OUT, FindingKind.ROUNDED_IN_JSON);
        });
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
    void aSupplierGivesTheAccountOfTheDatabaseThatTheIdsComeFrom() {
        String[] properties = TestDatabase.properties("leafmint_audit");
        String user = properties[1].replaceFirst(".*=", "");
        String password = properties[2].replaceFirst(".*=", "");
        shop.withPropertyValues(IDS_OF_DATA_SOURCE, "leafmint.segment.password=wrong")
                .withBean(CredentialsSupplier.class, () -> () -> new Credentials(user, password))
                .run(context -> assertThat(kinds(context)).hasSize(2));
        shop.withPropertyValues(IDS_OF_DATA_SOURCE, "leafmint.segment.username=stranger")
                .run(context -> assertThatThrownBy(() -> report(context)).isInstanceOf(InvalidConfigException.class));
    }

    @Test
    void anAuditOfTheApplicationTakesPrecedence() {
        shop.withPropertyValues("leafmint.audit.url=memory:")
                .withBean("ofTheReplica", Audit.class, () -> Audit.of(sqlite()))
                .run(context -> assertThat(report(context).scope()).contains("ids.db"));
    }
}
