package io.github.leafmint.spring.boot.mybatis;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.github.leafmint.spring.boot.OnGenerator;
import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Mints the keys of MyBatis-Plus that have {@code IdType.ASSIGN_ID} and no annotation, if there is a snowflake
 * generator and no {@code IdentifierGenerator} of the application. Annotated keys get their ids as other annotated
 * fields do: see {@link LeafmintMybatisAutoConfiguration}. An annotation that would be passed over keeps the
 * application from starting.
 *
 * <pre>{@code
 * @TableName("notes")
 * class Note {
 *     @TableId(type = IdType.ASSIGN_ID)
 *     @SegmentId("note")
 *     private Long id;
 * }
 * }</pre>
 */
@AutoConfiguration(
        after = LeafmintPersistenceAutoConfiguration.class,
        beforeName = "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration")
@ConditionalOnClass(IdentifierGenerator.class)
public class LeafmintMybatisPlusAutoConfiguration {
    LeafmintMybatisPlusAutoConfiguration() {}

    @Bean
    @Conditional(OnGenerator.class)
    @ConditionalOnMissingBean(IdentifierGenerator.class)
    MybatisPlusIdentifierGenerator leafmintIdentifierGenerator(IdSources sources) {
        return new MybatisPlusIdentifierGenerator(sources);
    }

    @Bean
    MybatisPlusKeysCheck leafmintAnnotatedKeysCheck(ObjectProvider<SqlSessionFactory> sessions) {
        return new MybatisPlusKeysCheck(sessions);
    }
}
