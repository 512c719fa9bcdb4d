package io.github.leafmint.spring.boot.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.leafmint.Audit;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.spring.boot.LeafmintAutoConfiguration;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A demand for TLS that is not in the URL: the server refuses an account that comes without. */
@Timeout(120)
class TlsTest {
    private static TlsServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        server = new TlsServer(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static ApplicationContextRunner application(String... tls) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafmintAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=" + server.url(),
                        "spring.datasource.username=app",
                        "spring.datasource.password=s3cret",
                        "leafmint.segment.auto-create=true",
                        "leafmint.segment.timeout=4s")
                .withPropertyValues(tls);
    }

    @Test
    void theCertificateThatThePoolTrustsIsTrusted() {
        application(
                        "spring.datasource.hikari.data-source-properties.sslMode=verify-full",
                        "spring.datasource.hikari.data-source-properties.serverSslCert=" + server.certificate())
                .run(context -> {
                    assertThat(context.getBean(SegmentGenerator.class)
                                    .tag("order")
                                    .nextId())
                            .isPositive();
                    assertThat(context.getBean(Audit.class).run().ok()).isTrue();
                });
    }

    @Test
    void anotherIsNot() {
        application("spring.datasource.hikari.data-source-properties.sslMode=verify-full")
                .run(context -> assertThatThrownBy(() -> context.getBean(SegmentGenerator.class)
                                .tag("order")
                                .nextId())
                        .isInstanceOf(LeafmintException.class)
                        .hasMessageContaining("data source \"dataSource\"")
                        .hasMessageContaining("certificat"));
    }
}
