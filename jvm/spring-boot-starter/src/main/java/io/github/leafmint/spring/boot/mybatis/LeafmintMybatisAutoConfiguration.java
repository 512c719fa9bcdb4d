package io.github.leafmint.spring.boot.mybatis;

import io.github.leafmint.spring.boot.persistence.IdSources;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * Mints the ids of objects that MyBatis inserts, whether the statement is in XML or in an annotation, if a field has
 * {@link io.github.leafmint.persistence.SegmentId}, {@link io.github.leafmint.persistence.SnowflakeId} or
 * {@link io.github.leafmint.persistence.SeriesValue}.
 *
 * <pre>{@code
 * class Note {
 *     @SegmentId("note")
 *     private Long id;
 * }
 *
 * @Insert("INSERT INTO notes (id, text) VALUES (#{id}, #{text})")
 * void insert(Note note);
 * }</pre>
 */
@AutoConfiguration
@ConditionalOnClass(SqlSessionFactory.class)
public class LeafmintMybatisAutoConfiguration {
    LeafmintMybatisAutoConfiguration() {}

    @Bean
    static MintingSessions leafmintMintingSessions(ObjectProvider<IdSources> sources) {
        boolean isPlus = ClassUtils.isPresent(
                "com.baomidou.mybatisplus.core.metadata.TableInfo", MintingSessions.class.getClassLoader());
        EntityTables tables = isPlus ? new MybatisPlusTables() : EntityTables.OF_MYBATIS;
        return new MintingSessions(new AnnotatedFields(sources::getObject, tables));
    }
}
