package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration;
import org.apache.ibatis.plugin.Interceptor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;

/**
 * Mints the ids of objects that MyBatis inserts, whether the statement is in XML or in an annotation, if a field has
 * {@link io.github.leafmint.persistence.LeafmintId} or {@link io.github.leafmint.persistence.SnowflakeId}. Not with
 * MyBatis-Plus, which has keys of its own.
 *
 * <pre>{@code
 * class Note {
 *     @LeafmintId("note")
 *     private Long id;
 * }
 *
 * @Insert("INSERT INTO notes (id, text) VALUES (#{id}, #{text})")
 * void insert(Note note);
 * }</pre>
 */
@AutoConfiguration(
        after = LeafmintPersistenceAutoConfiguration.class,
        beforeName = "org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration")
@ConditionalOnClass(Interceptor.class)
@ConditionalOnMissingClass("com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator")
@ConditionalOnBean(name = LeafmintPersistenceAutoConfiguration.SOURCES)
public class LeafmintMybatisAutoConfiguration {
    LeafmintMybatisAutoConfiguration() {}

    @Bean
    MybatisInterceptor leafmintInterceptor(IdSources sources) {
        return new MybatisInterceptor(sources, MintedFields.OF_MYBATIS);
    }
}
