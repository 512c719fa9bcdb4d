package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A web application with an embedded server, asked over HTTP. */
public final class WebApplication implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Minimal {}

    private WebApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static WebApplication start(String... properties) {
        return start(Minimal.class, properties);
    }

    public static WebApplication start(Class<?> configuration, String... properties) {
        var all = new ArrayList<String>(List.of(
                "server.port=0",
                "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName(),
                "spring.main.banner-mode=off",
                "logging.level.root=warn",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
                "management.endpoint.health.probes.enabled=true"));
        all.addAll(List.of(properties));
        var context = new SpringApplicationBuilder(configuration)
                .properties(all.toArray(String[]::new))
                .run();
        return new WebApplication(context);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public Tag tag(String name) {
        return bean(SegmentGenerator.class).tag(name);
    }

    public SnowflakeGenerator snowflakes() {
        return bean(SnowflakeGenerator.class);
    }

    /** Returns the status of the answer. */
    public int status(String path) {
        return answer(path).statusCode();
    }

    public String text(String path) {
        HttpResponse<String> answer = answer(path);
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 503);
        return answer.body();
    }

    public JsonNode json(String path) {
        try {
            return new ObjectMapper().readTree(text(path));
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    /** Returns the answer of an endpoint, also if the actuator has a port of its own. */
    HttpResponse<String> answer(String path) {
        try {
            int port = ((WebServerApplicationContext) context).getWebServer().getPort();
            String management = context.getEnvironment().getProperty("local.management.port", "" + port);
            var uri = URI.create("http://localhost:" + management + "/actuator/" + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
