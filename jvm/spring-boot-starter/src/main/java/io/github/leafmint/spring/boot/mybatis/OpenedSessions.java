package io.github.leafmint.spring.boot.mybatis;

import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Finds the configuration of each session factory, whether a starter or the application made it, and whether it is a
 * bean or only the session is that it opened.
 */
abstract class OpenedSessions implements BeanPostProcessor {
    /** Adds to a configuration, once: sessions and their factory have the same. */
    abstract void add(Configuration configuration);

    @Override
    public final Object postProcessAfterInitialization(Object bean, String name) {
        Configuration configuration = null;
        if (bean instanceof SqlSessionFactory factory) {
            configuration = factory.getConfiguration();
        } else if (bean instanceof SqlSession session) {
            configuration = session.getConfiguration();
        }
        // That of a mock is null.
        if (configuration != null) {
            add(configuration);
        }
        return bean;
    }
}
