package io.github.leafmint.spring.boot.mybatis;

import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Adds typed ids to session factories that a starter did not make. It is too late for their mappers, which fail when
 * they are read; but without it MyBatis would leave out other typed ids, or a driver would serialize them.
 */
class TypedIdSessions implements SmartInitializingSingleton {
    private final ObjectProvider<SqlSessionFactory> sessions;

    TypedIdSessions(ObjectProvider<SqlSessionFactory> sessions) {
        this.sessions = sessions;
    }

    @Override
    public void afterSingletonsInstantiated() {
        sessions.forEach(factory -> MybatisTypedIds.addTo(factory.getConfiguration()));
    }
}
