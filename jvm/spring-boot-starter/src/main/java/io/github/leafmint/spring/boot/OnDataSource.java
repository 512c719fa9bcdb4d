package io.github.leafmint.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/** Matches if Spring Boot knows the connection of the data source, by the name of its own bean or by either type. */
class OnDataSource extends OnNameOrType {
    OnDataSource() {
        super("jdbcConnectionDetails");
    }

    @ConditionalOnBean(type = "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails")
    static class OfBoot3 {}

    @ConditionalOnBean(type = "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails")
    static class OfBoot4 {}
}
