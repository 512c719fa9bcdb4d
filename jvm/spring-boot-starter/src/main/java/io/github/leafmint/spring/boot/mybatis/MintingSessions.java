package io.github.leafmint.spring.boot.mybatis;

import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Adds the interceptor to each session factory, whether a starter or the application made it. */
class MintingSessions implements BeanPostProcessor {
    private final AnnotatedFields fields;

    MintingSessions(AnnotatedFields fields) {
        this.fields = fields;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        // The configuration of a mock is null.
        if (bean instanceof SqlSessionFactory factory && factory.getConfiguration() != null) {
            add(factory.getConfiguration());
        }
        return bean;
    }

    private void add(Configuration configuration) {
        if (configuration.getInterceptors().stream().noneMatch(MybatisInterceptor.class::isInstance)) {
            configuration.addInterceptor(new MybatisInterceptor(fields));
        }
    }
}
