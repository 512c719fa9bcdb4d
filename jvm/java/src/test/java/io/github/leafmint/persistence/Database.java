package io.github.leafmint.persistence;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataBuilder;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;

/** Hibernate on the server that LEAFMINT_TEST_MYSQL names, in databases that it creates. */
final class Database {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private Database() {}

    static SessionFactory factory(Map<String, Object> settings, List<Class<?>> entities) {
        return builder(settings, entities).build().buildSessionFactory();
    }

    static MetadataBuilder builder(Map<String, Object> settings, List<Class<?>> entities) {
        var registry = new StandardServiceRegistryBuilder();
        settings("leafmint_hibernate_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet())
                .forEach(registry::applySetting);
        settings.forEach(registry::applySetting);
        var sources = new MetadataSources(registry.build());
        entities.forEach(sources::addAnnotatedClass);
        return sources.getMetadataBuilder();
    }

    private static Map<String, Object> settings(String database) {
        var server = URI.create(Objects.requireNonNull(System.getenv("LEAFMINT_TEST_MYSQL"), "LEAFMINT_TEST_MYSQL"));
        String[] account = server.getUserInfo().split(":", 2);
        return Map.of(
                "jakarta.persistence.jdbc.url",
                "jdbc:mariadb://" + server.getHost() + ":" + server.getPort() + "/" + database
                        + "?createDatabaseIfNotExist=true",
                "jakarta.persistence.jdbc.user",
                account[0],
                "jakarta.persistence.jdbc.password",
                account.length > 1 ? account[1] : "",
                "hibernate.hbm2ddl.auto",
                "create-drop",
                "hibernate.jdbc.batch_size",
                "100");
    }
}
