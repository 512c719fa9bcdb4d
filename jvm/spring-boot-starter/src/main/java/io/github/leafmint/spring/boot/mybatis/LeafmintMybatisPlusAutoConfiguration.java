package io.github.leafmint.spring.boot.mybatis;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Mints the keys of MyBatis-Plus that have {@code IdType.ASSIGN_ID}: from the tag of
 * {@link io.github.leafmint.persistence.LeafmintId}, else snowflakes, if there is a snowflake generator. An
 * {@code IdentifierGenerator} of the application takes precedence. An interceptor mints annotated fields that are no
 * key. An annotation that would be passed over keeps the application from starting.
 *
 * <pre>{@code
 * @TableName("notes")
 * class Note {
 *     @TableId(type = IdType.ASSIGN_ID)
 *     @LeafmintId("note")
 *     private Long id;
 * }
 * }</pre>
 */
@AutoConfiguration(
        after = LeafmintPersistenceAutoConfiguration.class,
        beforeName = "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration")
@ConditionalOnClass(IdentifierGenerator.class)
@ConditionalOnBean(name = LeafmintPersistenceAutoConfiguration.SOURCES)
public class LeafmintMybatisPlusAutoConfiguration {
    private static final String GENERATOR = "leafmintIdentifierGenerator";

    LeafmintMybatisPlusAutoConfiguration() {}

    @Bean(GENERATOR)
    @ConditionalOnMissingBean(IdentifierGenerator.class)
    MybatisPlusIdentifierGenerator leafmintIdentifierGenerator(IdSources sources) {
        return new MybatisPlusIdentifierGenerator(sources);
    }

    @Bean
    MybatisInterceptor leafmintInterceptor(IdSources sources) {
        return new MybatisInterceptor(sources, new MybatisPlusFields());
    }

    @Bean
    @ConditionalOnBean(name = GENERATOR)
    MybatisPlusKeysCheck leafmintAnnotatedKeysCheck(ObjectProvider<SqlSessionFactory> sessions) {
        return new MybatisPlusKeysCheck(sessions);
    }
}
