package io.github.leafmint.spring.boot.mybatis;

import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Adds the interceptor to each session factory, whether a starter or the application made it, and whether it is a bean
 * or only the session is that it opened.
 */
class MintingSessions implements BeanPostProcessor {
    private final AnnotatedFields fields;

    MintingSessions(AnnotatedFields fields) {
        this.fields = fields;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof SqlSessionFactory factory) {
            add(factory.getConfiguration());
        } else if (bean instanceof SqlSession session) {
            add(session.getConfiguration());
        }
        return bean;
    }

    private void add(Configuration configuration) {
        // That of a mock is null.
        if (configuration != null
                && configuration.getInterceptors().stream().noneMatch(MybatisInterceptor.class::isInstance)) {
            configuration.addInterceptor(new MybatisInterceptor(fields));
        }
    }
}
