package io.github.leafmint.spring.boot.mybatis;

import org.apache.ibatis.session.Configuration;

/**
 * Makes MyBatis store typed ids as numbers. The starters of MyBatis and MyBatis-Plus do so by themselves; a session
 * factory of the application needs it.
 *
 * <pre>{@code
 * var configuration = new Configuration();
 * MybatisTypedIds.addTo(configuration);
 * factory.setConfiguration(configuration);
 * }</pre>
 */
public final class MybatisTypedIds {
    private MybatisTypedIds() {}

    /**
     * Adds typed ids to a configuration, once.
     *
     * @param configuration the configuration, without mappers yet
     */
    public static void addTo(Configuration configuration) {
        if (configuration.getReflectorFactory() instanceof TypedIdReflectors) {
            return;
        }
        var handlers = new TypedIdHandlers(configuration.getTypeHandlerRegistry());
        configuration.setReflectorFactory(new TypedIdReflectors(configuration.getReflectorFactory(), handlers));
        configuration.addInterceptor(new TypedIdParameters(handlers));
    }
}
