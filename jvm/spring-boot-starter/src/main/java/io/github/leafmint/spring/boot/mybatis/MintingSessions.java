package io.github.leafmint.spring.boot.mybatis;

import org.apache.ibatis.session.Configuration;

/** Adds the interceptor. */
class MintingSessions extends OpenedSessions {
    private final AnnotatedFields fields;

    MintingSessions(AnnotatedFields fields) {
        this.fields = fields;
    }

    @Override
    void add(Configuration configuration) {
        if (configuration.getInterceptors().stream().noneMatch(MybatisInterceptor.class::isInstance)) {
            configuration.addInterceptor(new MybatisInterceptor(fields));
        }
    }
}
