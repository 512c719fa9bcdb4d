package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import io.github.leafmint.spring.boot.persistence.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
@Timeout(120)
class LeafmintAuditEndpointTest {
    private static final String EXPOSED = "management.endpoints.web.exposure.include=leafmintaudit";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LeafmintAutoConfiguration.class, LeafmintAuditAutoConfiguration.class))
            .withPropertyValues("leafmint.segment.url=memory:");

    /** Each number is a string, as in the other endpoint. */
    @Test
    void itShowsWhatWasFoundAndReadsTheDatabaseOnceInAWhile() throws Exception {
        var properties = new ArrayList<>(List.of(TestDatabase.properties("leafmint_audit_endpoint")));
        properties.addAll(List.of("spring.autoconfigure.exclude=", "spring.jpa.open-in-view=false"));
        try (var shop = WebApplication.start(properties.toArray(String[]::new))) {
            var rows = shop.bean(JdbcTemplate.class);
            rows.execute("DROP TABLE IF EXISTS bills");
            rows.execute("CREATE TABLE bills (id INT PRIMARY KEY)");
            rows.update("INSERT INTO bills VALUES (2000000000)");
            JsonNode found = shop.json("leafmintaudit");
            assertThat(found.at("/ok").booleanValue()).isFalse();
            assertThat(found.at("/scope").textValue()).contains("/leafmint_audit_endpoint");
            assertThat(found.at("/readAt").textValue()).endsWith("Z");
            assertThat(found.has("lastError")).isFalse();
            var finding = (ObjectNode) found.at("/findings/0");
            assertThat(finding.remove("text").textValue()).startsWith("93.1 % of int");
            String expected = """
                    {"kind": "runs_out", "severity": "problem", "table": "bills", "column": "id",
                     "value": "2000000000", "limit": "2147483647"}
                    """;
            assertThat(finding).isEqualTo(new ObjectMapper().readTree(expected));
            assertThat(found.at("/keys/0/used").textValue()).isEqualTo("2000000000");
            assertThat(found.at("/keys/0/daysLeft").isMissingNode()).isTrue();
            assertThat(found.at("/unread")).isEmpty();
            JsonNode status = shop.json("leafmint/status.json");
            assertThat(status.at("/keys/0").toString())
                    .isEqualTo("{\"column\":\"id\",\"data_type\":\"int(11)\",\"largest\":\"2147483647\","
                            + "\"table\":\"bills\",\"used\":\"2000000000\",\"days_left\":null}");
            assertThat(status.at("/findings/0/kind").textValue()).isEqualTo("runs_out");
            assertThat(status.at("/findings/0/limit").textValue()).isEqualTo("2147483647");
            rows.execute("DROP TABLE bills");
            assertThat(shop.json("leafmintaudit").at("/findings")).hasSize(1);
        }
    }

    @Test
    void aDatabaseThatCannotBeAuditedIsAnAnswerWithoutPasswords() {
        application
                .withPropertyValues(
                        EXPOSED,
                        "leafmint.audit.url=mysql://127.0.0.1:1/shop?connect_timeout=200ms",
                        "leafmint.audit.username=audit",
                        "leafmint.audit.password=hunter2")
                .run(context -> assertThat(
                                context.getBean(LeafmintAuditEndpoint.class).audit())
                        .returns(false, LeafmintAuditDescriptors.Audited::ok)
                        .asString()
                        .contains("lastError=store_unavailable: ")
                        .doesNotContain("hunter2"));
        application.withPropertyValues(EXPOSED).run(context -> assertThat(
                        context.getBean(LeafmintAuditEndpoint.class).audit().lastError())
                .startsWith("invalid_config: an audit reads a database"));
    }

    @Test
    void itIsThereOnlyIfItIsExposedAndThereIsADatabase() {
        application.run(context -> assertThat(context).doesNotHaveBean(LeafmintAuditEndpoint.class));
        application
                .withPropertyValues(EXPOSED, "management.endpoint.leafmintaudit.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(LeafmintAuditEndpoint.class));
        application
                .withPropertyValues(EXPOSED, "leafmint.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeafmintAuditEndpoint.class));
        application
                .withPropertyValues(EXPOSED, "leafmint.segment.url=")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeafmintAuditEndpoint.class));
        application
                .withPropertyValues(EXPOSED, "leafmint.segment.enabled=false")
                .run(context -> assertThat(context).hasSingleBean(LeafmintAuditEndpoint.class));
        application
                .withPropertyValues(EXPOSED)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("leafmintAuditEndpoint"));
    }
}
