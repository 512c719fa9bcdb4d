package io.github.leafmint.spring.boot.mybatis;

import org.apache.ibatis.session.Configuration;

/**
 * Adds typed ids to sessions that a starter did not make, when the application makes them. It is too late for mappers
 * that they were made with, which fail when they are read; but without it MyBatis would leave out other typed ids, or a
 * driver would serialize them.
 */
class TypedIdSessions extends OpenedSessions {
    @Override
    void add(Configuration configuration) {
        MybatisTypedIds.addTo(configuration);
    }
}
