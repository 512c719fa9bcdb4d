package io.github.leafmint.spring.boot.data;

import io.github.leafmint.spring.boot.persistence.IdSources;
import io.github.leafmint.spring.boot.persistence.LeafmintPersistenceAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.conversion.DbAction;
import org.springframework.data.relational.core.conversion.MutableAggregateChange;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.event.BeforeSaveCallback;

/**
 * Mints the ids of aggregate roots that Spring Data JDBC saves and that have
 * {@link io.github.leafmint.persistence.SegmentId}, {@link io.github.leafmint.persistence.SnowflakeId} or
 * {@link io.github.leafmint.persistence.SeriesValue}.
 *
 * <pre>{@code
 * @Table("lines")
 * record Line(@Id @SegmentId("line") Long id, String item) {}
 *
 * Line saved = lines.save(new Line(null, "tea"));
 * }</pre>
 */
@AutoConfiguration(after = LeafmintPersistenceAutoConfiguration.class)
@ConditionalOnClass(JdbcMappingContext.class)
public class LeafmintJdbcAutoConfiguration {
    LeafmintJdbcAutoConfiguration() {}

    @Bean
    static UnsetKeys leafmintJdbcUnsetKeys() {
        return new UnsetKeys();
    }

    @Bean
    JdbcIdCallback leafmintJdbcIdCallback(IdSources sources, ObjectProvider<JdbcMappingContext> mapping) {
        return new JdbcIdCallback(new EntityIds(sources, mapping));
    }

    /** Mints the id of an aggregate root that Spring Data JDBC is about to insert. */
    static class JdbcIdCallback implements BeforeConvertCallback<Object>, BeforeSaveCallback<Object> {
        private final EntityIds ids;

        JdbcIdCallback(EntityIds ids) {
            this.ids = ids;
        }

        @Override
        public Object onBeforeConvert(Object aggregate) {
            return mint(aggregate, ids.toMint(aggregate));
        }

        /** Mints what is no key of an aggregate whose key the application assigned: it is not new, but inserted. */
        @Override
        public Object onBeforeSave(Object aggregate, MutableAggregateChange<Object> change) {
            List<EntityIds.Minted> unset = ids.unset(aggregate);
            var inserts = new ArrayList<DbAction<?>>();
            if (!unset.isEmpty()) {
                change.forEachAction(action -> {
                    if (action instanceof DbAction.InsertRoot<?>) {
                        inserts.add(action);
                    }
                });
            }
            return inserts.isEmpty() ? aggregate : mint(aggregate, unset);
        }

        private static Object mint(Object aggregate, List<EntityIds.Minted> properties) {
            Object minted = aggregate;
            for (EntityIds.Minted property : properties) {
                minted = property.set(minted, property.values().next());
            }
            return minted;
        }
    }
}
