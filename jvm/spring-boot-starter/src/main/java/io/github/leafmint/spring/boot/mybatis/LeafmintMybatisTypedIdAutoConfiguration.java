package io.github.leafmint.spring.boot.mybatis;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Makes MyBatis and MyBatis-Plus store {@link io.github.leafmint.ids.TypedId}s as numbers, wherever one is a property,
 * a parameter or a result.
 *
 * <pre>{@code
 * @Select("SELECT * FROM notes WHERE id = #{id}")
 * Note find(NoteId id);
 * }</pre>
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        },
        beforeName = {
            "org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration",
            "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration"
        })
@ConditionalOnClass(org.apache.ibatis.session.Configuration.class)
@ConditionalOnBean(javax.sql.DataSource.class)
@ConditionalOnProperty(prefix = "leafmint", name = "enabled", matchIfMissing = true)
public class LeafmintMybatisTypedIdAutoConfiguration {
    LeafmintMybatisTypedIdAutoConfiguration() {}

    @Bean
    static TypedIdSessions leafmintTypedIdSessions() {
        return new TypedIdSessions();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.mybatis.spring.boot.autoconfigure.ConfigurationCustomizer.class)
    static class Mybatis {
        @Bean
        org.mybatis.spring.boot.autoconfigure.ConfigurationCustomizer leafmintMybatisTypedIds() {
            return MybatisTypedIds::addTo;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(com.baomidou.mybatisplus.autoconfigure.ConfigurationCustomizer.class)
    static class MybatisPlus {
        @Bean
        com.baomidou.mybatisplus.autoconfigure.ConfigurationCustomizer leafmintMybatisPlusTypedIds() {
            return MybatisTypedIds::addTo;
        }
    }
}
