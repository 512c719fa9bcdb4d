package io.github.leafmint.spring.boot.mybatis;

import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Adds typed ids to session factories that a starter did not make, when the application makes them. It is too late for
 * mappers that they were made with, which fail when they are read; but without it MyBatis would leave out other typed
 * ids, or a driver would serialize them.
 */
class TypedIdSessions implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof SqlSessionFactory factory) {
            Configuration configuration = factory.getConfiguration();
            // That of a mock is null.
            if (configuration != null) {
                MybatisTypedIds.addTo(configuration);
            }
        }
        return bean;
    }
}
